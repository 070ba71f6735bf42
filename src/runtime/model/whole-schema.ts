import type { JsonValue } from "../json/json.js";
import { isJsonMap, referencesIn } from "./schema-references.js";

/** Schemas of a catalog that other schemas refer to, by name. */
export type SchemaDefinitions = { readonly [name: string]: JsonValue };

const prefix = "#/$defs/";

/**
 * Returns a schema with all schemas that it refers to in its own `$defs`, so that it stands alone.
 *
 * @param definitions `$defs` of its skill
 */
export function wholeSchema(
  schema: JsonValue,
  definitions: SchemaDefinitions | undefined,
): JsonValue {
  if (definitions === undefined || !isJsonMap(schema)) return schema;
  const { $defs: own = {}, ...others } = schema;
  const held = isJsonMap(own) ? own : {};
  const added = new Map<string, JsonValue>();
  const waiting: JsonValue[] = [schema];
  for (const each of waiting) {
    for (const reference of referencesIn(each)) {
      if (!reference.startsWith(prefix)) continue;
      const name = reference.slice(prefix.length);
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
