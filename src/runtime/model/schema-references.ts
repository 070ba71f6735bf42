/** Finds and changes the parts of a JSON Schema. */
import type { JsonValue } from "../json/json.js";

export type JsonMap = { readonly [name: string]: JsonValue };

export function isJsonMap(value: JsonValue | undefined): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Keywords whose values are never schemas. */
export const dataKeywords: ReadonlySet<string> = new Set([
  "const",
  "default",
  "dependentRequired",
  "enum",
  "examples",
  "required",
]);

/** Keywords whose values are schemas by names that somebody chose, so no name is a keyword. */
export const mapKeywords: ReadonlySet<string> = new Set([
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
    if (dataKeywords.has(keyword)) return value;
    return mapKeywords.has(keyword)
      ? mapValues(value, (each) => mapReferences(each, change))
      : mapReferences(value, change);
  });
}

/** Returns all references of a schema. */
export function referencesIn(schema: JsonValue): readonly string[] {
  const found: string[] = [];
  collectReferences(schema, found);
  return found;
}

function collectReferences(schema: JsonValue, to: string[]): void {
  if (!isJsonMap(schema)) return;
  for (const [keyword, value] of Object.entries(schema))
    if (references.has(keyword) && typeof value === "string") to.push(value);
  for (const each of subschemasOf(schema)) collectReferences(each, to);
}

/** Returns the schemas directly below a schema. */
export function subschemasOf(schema: JsonMap): readonly JsonValue[] {
  return Object.entries(schema).flatMap(([keyword, value]): readonly JsonValue[] => {
    if (dataKeywords.has(keyword)) return [];
    if (Array.isArray(value)) return value;
    if (!isJsonMap(value)) return [];
    return mapKeywords.has(keyword) ? Object.values(value) : [value];
  });
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
