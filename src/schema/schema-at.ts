import { getOwn, isJsonObject, type JsonSchema, type JsonValue } from "../core/json.js";

/** The subschema at a pointer into a document; `true` where there is none. */
export function schemaAt(root: JsonSchema, pointer: string): JsonSchema {
  const steps = pointer.split("/").slice(1);
  let at: JsonValue | undefined = root;
  for (const step of steps) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(at)) at = at[Number(name)] as JsonValue | undefined;
    else at = isJsonObject(at) ? getOwn(at, name) : undefined;
  }
  return isJsonObject(at) ? at : true;
}
