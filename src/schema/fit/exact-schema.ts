import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  setOwn,
} from "../../core/json.js";

/** A schema of one value, part by part. `leaf` makes those of scalars. */
export function exactSchema(
  value: JsonValue,
  leaf: (scalar: JsonValue) => JsonObject = (scalar) => ({ const: scalar }),
): JsonObject {
  const go = (each: JsonValue) => exactSchema(each, leaf);
  if (Array.isArray(value)) return exactList(value.map(go));
  if (!isJsonObject(value)) return leaf(value);
  const entries = Object.entries(value).map(([name, each]) => [name, go(each)] as const);
  return exactObject(entries, Object.keys(value));
}

/** Of a list of so many items. */
export function exactList(items: readonly JsonSchema[]): JsonObject {
  const { length } = items;
  return {
    type: "array",
    ...(length > 0 && { prefixItems: items }),
    items: false,
    minItems: length,
    maxItems: length,
  };
}

/** Of an object that has no other properties. */
export function exactObject(
  entries: readonly (readonly [name: string, schema: JsonSchema])[],
  required: readonly string[],
): JsonObject {
  const properties: Record<string, JsonValue> = {};
  for (const [name, schema] of entries) setOwn(properties, name, schema);
  return { type: "object", properties, required, additionalProperties: false };
}
