import { ownSchema, wholeSchema } from "../core/schema-text.js";
import type { JsonSchema } from "../core/json.js";
import type { SchemaModel, SharedSchema } from "../core/skill-model.js";
import type { Unit } from "./unit.js";

/**
 * A unit as text. Shared schemas stand in it once, on a line of their own, however many of its
 * documents refer to them.
 */
export function unitText({ plan, ...unit }: Unit): string {
  const numbers = new Map<SharedSchema, number>();
  const numbered = plan && withNumbers(plan, numbers);
  return `${JSON.stringify([...numbers.keys()])}\n${JSON.stringify({ ...unit, plan: numbered })}`;
}

/** A model with numbers in place of the shared schemas that its documents refer to. */
function withNumbers(model: unknown, numbers: Map<SharedSchema, number>): unknown {
  if (typeof model !== "object" || model === null) return model;
  if (Array.isArray(model)) return model.map((each: unknown) => withNumbers(each, numbers));
  if (!isDocument(model))
    return Object.fromEntries(
      Object.entries(model).map(([key, each]) => [key, withNumbers(each, numbers)]),
    );
  if (!refersToShared(model)) return model;
  const shared = model.shared.map((each) => {
    const known = numbers.get(each) ?? numbers.size;
    numbers.set(each, known);
    return known;
  });
  return { ...model, schema: ownSchema(model), shared };
}

type Referring = SchemaModel & { readonly shared: readonly SharedSchema[] };

function refersToShared(value: object): value is Referring {
  return isDocument(value) && Array.isArray(value.shared) && typeof value.shared[0] === "object";
}

function isDocument(value: object): value is { readonly shared?: unknown } {
  return "kind" in value && value.kind === "schema";
}

/** @param text what `unitText` gave */
export function unitOf(text: string): Unit {
  const end = text.indexOf("\n");
  const shared = JSON.parse(text.slice(0, end)) as readonly SharedSchema[];
  const unit = JSON.parse(text.slice(end)) as Unit;
  if (shared.length > 0) putBack(unit.plan, shared);
  return unit;
}

type Kept = { schema: JsonSchema; shared: readonly (SharedSchema | number)[] };

/** Puts shared schemas back into the documents of a model, wherever in it these are. */
function putBack(model: unknown, shared: readonly SharedSchema[]): void {
  if (typeof model !== "object" || model === null) return;
  if (!isDocument(model)) {
    for (const each of Object.values(model)) putBack(each, shared);
    return;
  }
  if (!Array.isArray(model.shared)) return;
  // What was parsed is nobody else's yet.
  const document = model as Kept;
  const found = document.shared.flatMap((each) =>
    typeof each === "number" ? (shared[each] ?? []) : [each],
  );
  document.schema = wholeSchema(document.schema, found);
  document.shared = found;
}
