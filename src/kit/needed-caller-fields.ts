import { readsIn } from "../core/rollback-model.js";
import type { ToolModel } from "../core/skill-model.js";
import { callerFieldsIn, callerRoot } from "./caller-root.js";

/**
 * Returns the fields of its caller that a call of a linked tool needs, each once: for its request,
 * and for the parameters of the tool that undoes it. Undefined if it needs none.
 */
export function neededCallerFields({
  binding,
  rollback,
}: ToolModel): readonly string[] | undefined {
  const linked = rollback?.strategy === "compensate" ? rollback.linked?.parameters : undefined;
  const read =
    binding.effect === "write" ? (linked ?? []).flatMap(({ value }) => readsIn(value)) : [];
  const undoing = read.flatMap(({ from, steps: [first] }) =>
    from === "caller" ? [String(first?.step)] : [],
  );
  if (undoing.length === 0) return binding.caller;
  const all = [...(binding.caller ?? []), ...undoing];
  return callerFieldsIn(all.map((field) => ({ root: callerRoot.name, path: [field] })));
}
