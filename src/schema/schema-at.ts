import { getOwn, isJsonObject, type JsonSchema, type JsonValue } from "../core/json.js";
import { stepsOf } from "./pointer.js";

/** The subschema at a pointer into a document; `true` where there is none. */
export function schemaAt(root: JsonSchema, pointer: string): JsonSchema {
  let at: JsonValue | undefined = root;
  for (const name of stepsOf(pointer) ?? []) {
    if (Array.isArray(at)) at = at[Number(name)] as JsonValue | undefined;
    else at = isJsonObject(at) ? getOwn(at, name) : undefined;
  }
  return isJsonObject(at) ? at : true;
}
