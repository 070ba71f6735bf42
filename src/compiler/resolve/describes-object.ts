import { isJsonObject, type JsonSchema, type JsonValue } from "../../core/json.js";

/** Whether a normalized schema says, itself or through `$ref`, that every value is an object. */
export function describesObject(schema: JsonSchema): boolean {
  const seen = new Set<JsonValue>();
  let at: JsonValue | undefined = schema;
  while (isJsonObject(at) && !seen.has(at)) {
    seen.add(at);
    const type: JsonValue | undefined = at["type"];
    if (type !== undefined) return isObjectOnly(type);
    at = definition(schema, at["$ref"]);
  }
  return false;
}

function isObjectOnly(type: JsonValue): boolean {
  return (
    type === "object" ||
    (Array.isArray(type) && type.length > 0 && type.every((each) => each === "object"))
  );
}

/** Normalized references lead to the root or to one of its definitions. */
function definition(root: JsonSchema, reference: JsonValue | undefined): JsonValue | undefined {
  const definitions = isJsonObject(root) ? root["$defs"] : undefined;
  if (typeof reference !== "string" || !isJsonObject(definitions)) return undefined;
  const name = reference.replace("#/$defs/", "");
  return Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}
