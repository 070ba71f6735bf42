import { type OfferedNames, offeredNames, wholeSchema } from "@skillc/runtime/internal";
import type { JsonObject, JsonValue } from "../../core/json.js";

/**
 * Returns a function that chooses the names under which models pass a tool's properties. It looks
 * at all schemas of a skill at once, because most skills need no such names.
 *
 * @param schemas published schemas of all tools of a skill
 * @param $defs definitions that they share
 */
export function offeredNamesIn(
  schemas: readonly JsonValue[],
  $defs: JsonObject,
): (schema: JsonValue, taken: readonly string[]) => OfferedNames | undefined {
  const all = { allOf: schemas, $defs };
  if (Object.keys(offeredNames(all, [])).length === 0) return () => undefined;
  return (schema, taken) => {
    const names = offeredNames(wholeSchema(schema, $defs), taken);
    return Object.keys(names).length === 0 ? undefined : names;
  };
}
