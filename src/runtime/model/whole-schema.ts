import type { JsonValue } from "../json/json.js";

/** Schemas of a catalog that other schemas refer to, by name. */
export type SchemaDefinitions = { readonly [name: string]: JsonValue };

/**
 * Returns a schema with all schemas that it refers to in its own `$defs`, so that it stands alone.
 *
 * @param definitions `$defs` of its skill
 */
export function wholeSchema(
  schema: JsonValue,
  definitions: SchemaDefinitions | undefined,
): JsonValue {
  if (definitions === undefined || !isObject(schema)) return schema;
  const { $defs: own = {}, ...others } = schema;
  const held = isObject(own) ? own : {};
  const added = new Map<string, JsonValue>();
  const waiting: JsonValue[] = [schema];
  for (const each of waiting) {
    for (const name of referencesIn(each)) {
      if (Object.hasOwn(held, name) || added.has(name) || !Object.hasOwn(definitions, name))
        continue;
      const found = definitions[name] ?? true;
      added.set(name, found);
      waiting.push(found);
    }
  }
  if (added.size === 0) return schema;
  return { ...others, $defs: { ...held, ...Object.fromEntries(added) } };
}

type JsonMap = { readonly [name: string]: JsonValue };

function isObject(value: JsonValue): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Keywords whose values are never schemas. */
const data: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

function referencesIn(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each: JsonValue) => referencesIn(each));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    if (key === "$ref" && typeof each === "string" && each.startsWith("#/$defs/"))
      return [each.slice("#/$defs/".length)];
    return data.has(key) ? [] : referencesIn(each);
  });
}
