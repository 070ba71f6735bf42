import { shown } from "../../../core/names.js";
import type { WriteReason } from "../model.js";

/**
 * What to do about a statement that is a write: say so, as `said` words it; or, where only functions of the user's own make it one, say that they change
 * nothing.
 */
export function writeHelp(writes: readonly WriteReason[], said: string): string {
  const remedies = writes.flatMap(({ remedy }) => remedy ?? []);
  if (remedies.length < writes.length) return `${said}, if it is meant`;
  const names = new Set(remedies.flatMap(({ functions }) => functions));
  const [it, which] = names.size === 1 ? ["it", "it changes"] : ["them", "they change"];
  const all = [...names].map(shown).join(", ");
  const todo = [
    ...(remedies.some(({ declare }) => declare)
      ? [`declare ${it} STABLE or IMMUTABLE in the schema`]
      : []),
    ...(remedies.some(({ list }) => list)
      ? [`list ${it} at the database in skillc.yaml: \`harmless_functions: [${all}]\``]
      : []),
  ];
  return `if ${which} nothing, ${todo.join(", and ")}; else ${said}`;
}
