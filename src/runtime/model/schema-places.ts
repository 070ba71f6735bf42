/**
 * Finds the schemas that may describe a part of a value. It doesn't know the value, so it takes all
 * alternatives: those of `anyOf`, `if` and `not` as well as `allOf`.
 */
import { stepsOf } from "../json/pointer.js";
import type { JsonValue } from "../json/json.js";
import { isJsonMap, type JsonMap } from "./schema-references.js";

/** All schemas that may describe one value. */
export type Place = ReadonlySet<JsonMap>;

/** Keywords with one schema for the same value. */
const inPlace: readonly string[] = ["if", "then", "else", "not"];
/** Keywords with lists of schemas for the same value. */
const inPlaceLists: readonly string[] = ["allOf", "anyOf", "oneOf"];
/** Keywords with schemas for properties that `properties` doesn't name. */
const otherProperties: readonly string[] = ["additionalProperties", "unevaluatedProperties"];
/** Keywords with schemas for items that `prefixItems` doesn't describe. */
const otherItems: readonly string[] = ["items", "unevaluatedItems"];

/** Adds the schemas that apply to the same value: targets of references, and alternatives. */
export function placeOf(root: JsonMap, schemas: Iterable<JsonValue | undefined>): Place {
  const found = new Set<JsonMap>();
  const waiting = [...schemas];
  for (const each of waiting) {
    if (!isJsonMap(each) || found.has(each)) continue;
    found.add(each);
    const { $ref, dependentSchemas } = each;
    if (typeof $ref === "string") waiting.push(schemaAt(root, $ref));
    for (const keyword of inPlace) waiting.push(each[keyword]);
    for (const keyword of inPlaceLists) waiting.push(...listOf(each[keyword]));
    if (isJsonMap(dependentSchemas)) waiting.push(...Object.values(dependentSchemas));
  }
  return found;
}

/** Returns the place of a property. The schemas of all name patterns count. */
export function propertyPlace(root: JsonMap, place: Place, name: string): Place {
  const found: (JsonValue | undefined)[] = [];
  for (const schema of place) {
    const { patternProperties, properties } = schema;
    const isNamed = isJsonMap(properties) && Object.hasOwn(properties, name);
    if (isNamed) found.push(properties[name]);
    else for (const keyword of otherProperties) found.push(schema[keyword]);
    if (isJsonMap(patternProperties)) found.push(...Object.values(patternProperties));
  }
  return placeOf(root, found);
}

/** Returns the place of an item. */
export function itemPlace(root: JsonMap, place: Place, index: number): Place {
  const found: (JsonValue | undefined)[] = [];
  for (const schema of place) {
    const first = listOf(schema["prefixItems"])[index];
    if (first !== undefined) found.push(first);
    else for (const keyword of otherItems) found.push(schema[keyword]);
    found.push(schema["contains"]);
  }
  return placeOf(root, found);
}

/** Returns the schema at a reference into the same document; undefined if there is no object. */
export function schemaAt(root: JsonMap, reference: string): JsonMap | undefined {
  const found = partAt(root, reference);
  return isJsonMap(found) ? found : undefined;
}

/** Returns the part at a reference into the same document; undefined if there is none. */
export function partAt(root: JsonMap, reference: string): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  const steps = pointerIn(reference);
  if (steps === undefined) return undefined;
  for (const step of steps) at = stepInto(at, step);
  return at;
}

function stepInto(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (Array.isArray(value)) return (value as readonly JsonValue[])[Number(step)];
  return isJsonMap(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** Returns the steps of a pointer into the same document; undefined for another reference. */
export function pointerIn(reference: string): readonly string[] | undefined {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  try {
    return stepsOf(decodeURIComponent(reference.slice(1)));
  } catch {
    return undefined;
  }
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
