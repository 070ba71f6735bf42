/** Finds and changes the references of a JSON Schema. */
import type { JsonValue } from "../json/json.js";

export type JsonMap = { readonly [name: string]: JsonValue };

export function isJsonMap(value: JsonValue | undefined): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Keywords whose values are never schemas. */
const data: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/** Keywords whose values are schemas by names that somebody chose, so no name is a keyword. */
const maps: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

const references: ReadonlySet<string> = new Set(["$dynamicRef", "$ref"]);

/** Returns a copy of a schema with other references. */
export function mapReferences(schema: JsonValue, change: (reference: string) => string): JsonValue {
  if (Array.isArray(schema)) return schema.map((each: JsonValue) => mapReferences(each, change));
  return mapValues(schema, (value, keyword) => {
    if (references.has(keyword)) return typeof value === "string" ? change(value) : value;
    if (data.has(keyword)) return value;
    return maps.has(keyword)
      ? mapValues(value, (each) => mapReferences(each, change))
      : mapReferences(value, change);
  });
}

/** Returns all references of a schema. */
export function referencesIn(schema: JsonValue): readonly string[] {
  const found: string[] = [];
  mapReferences(schema, (reference) => {
    found.push(reference);
    return reference;
  });
  return found;
}

function mapValues(
  value: JsonValue,
  change: (value: JsonValue, name: string) => JsonValue,
): JsonValue {
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, change(each, name)] as const),
  );
}
