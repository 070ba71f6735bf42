/** Chooses names for properties whose own names models' APIs reject. */
import type { JsonValue } from "../json/json.js";
import { isJsonMap, type JsonMap, subschemasOf } from "./schema-references.js";

/** Offered names of properties, by their own names. Contains only renamed properties. */
export type OfferedNames = { readonly [name: string]: string };

/**
 * Maximum number of characters in the name of a property. Source: Anthropic's API, which rejects a
 * request with another name: "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'".
 */
const longestName = 64;
const legal = /^[a-zA-Z0-9_.-]{1,64}$/;
const illegal = /[^a-zA-Z0-9_.-]+/g;

/**
 * Chooses a legal name for each property that needs one. A property has the same offered name
 * everywhere in the schema, and no other property has this name. The names depend on the schema
 * alone.
 *
 * @param schema contains all its definitions
 * @param taken further names that must not be chosen
 */
export function offeredNames(schema: JsonValue, taken: readonly string[]): OfferedNames {
  const declared = new Set<string>();
  collectNames(schema, declared);
  const used = new Set([...declared, ...taken]);
  const counts = new Map<string, number>();
  const chosen: [string, string][] = [];
  for (const name of declared) {
    if (legal.test(name)) continue;
    const stem = legalName(name);
    let offered = stem;
    let count = counts.get(stem) ?? 1;
    for (; used.has(offered); count += 1) offered = numbered(stem, count + 1);
    counts.set(stem, count);
    used.add(offered);
    chosen.push([name, offered]);
  }
  return Object.fromEntries(chosen);
}

/** Returns the names that a schema itself declares or requires, without those of its subschemas. */
export function declaredNames(schema: JsonMap): readonly string[] {
  const { dependentRequired, dependentSchemas, properties, required } = schema;
  const names: unknown[] = [];
  for (const map of [properties, dependentRequired, dependentSchemas])
    if (isJsonMap(map)) names.push(...Object.keys(map));
  if (Array.isArray(required)) names.push(...(required as readonly JsonValue[]));
  if (isJsonMap(dependentRequired)) names.push(...Object.values(dependentRequired).flat());
  return names.filter((each) => typeof each === "string");
}

function collectNames(schema: JsonValue, to: Set<string>): void {
  if (!isJsonMap(schema)) return;
  for (const name of declaredNames(schema)) to.add(name);
  for (const each of subschemasOf(schema)) collectNames(each, to);
}

/** Returns a legal name that reads like another one: `filter[name]` becomes `filter_name`. */
function legalName(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}+/gu, "");
  const words = plain.split(illegal).filter((each) => each !== "");
  return words.join("_").slice(0, longestName) || "property";
}

function numbered(stem: string, number: number): string {
  const end = `_${number}`;
  return stem.slice(0, longestName - end.length) + end;
}
