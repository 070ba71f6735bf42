import {
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  setOwn,
} from "../core/json.js";
import { keywordIn } from "./keywords.js";
import { below, stepsOf } from "./pointer.js";

/** A schema within a normalized document. */
export interface Subschema {
  readonly schema: JsonSchema;
  readonly pointer: string;
}

export interface ChildSchema extends Subschema {
  readonly keyword: string;
  /** Property name or list index, if the keyword holds several schemas. */
  readonly key: string | undefined;
  /** True if the schema applies to the same value as its parent. */
  readonly inPlace: boolean;
}

/**
 * Children by schema and pointer. Documents that share a definition have it at the same pointer, so
 * they also share the entry.
 */
const known = new WeakMap<JsonObject, Map<string, readonly ChildSchema[]>>();

/**
 * The direct subschemas, without `$defs` but with the target of a `$ref`. Cached, because a
 * normalized document never changes and a dozen checks walk through it.
 */
export function childrenOf(
  { pointer, schema }: Subschema,
  root: JsonSchema,
): readonly ChildSchema[] {
  if (typeof schema === "boolean" || typeof root === "boolean") return [];
  // The target depends on the document.
  if (Object.hasOwn(schema, "$ref")) return findChildren(schema, pointer, root);
  const places = known.get(schema) ?? new Map<string, readonly ChildSchema[]>();
  known.set(schema, places);
  const children = places.get(pointer) ?? findChildren(schema, pointer, root);
  places.set(pointer, children);
  return children;
}

function findChildren(
  schema: JsonObject,
  pointer: string,
  root: JsonSchema,
): readonly ChildSchema[] {
  const found: ChildSchema[] = [];
  for (const keyword of Object.keys(schema)) {
    if (keyword === "$defs") continue;
    const value = schema[keyword] ?? null;
    if (keyword === "$ref") {
      found.push({ ...targetOf(root, String(value)), keyword, key: undefined, inPlace: true });
      continue;
    }
    const known = keywordIn("2020-12", keyword);
    if (known?.shape === undefined) continue;
    const at = below(pointer, keyword);
    for (const [key, each] of valuesOf(known.shape, value))
      found.push({
        schema: each,
        pointer: key === undefined ? at : below(at, key),
        keyword,
        key,
        inPlace: known.inPlace,
      });
  }
  return found;
}

/**
 * The direct subschemas under a keyword other than `$ref`: all, or the one under a key.
 *
 * @param key a property name or a list index
 */
export function childrenUnder(
  { schema, pointer }: Subschema,
  keyword: string,
  key?: string,
): readonly Subschema[] {
  const value = isJsonObject(schema) ? getOwn(schema, keyword) : undefined;
  const shape = keywordIn("2020-12", keyword)?.shape;
  if (value === undefined || shape === undefined) return [];
  const at = below(pointer, keyword);
  const found = key === undefined ? valuesOf(shape, value) : valueOf(shape, value, key);
  return found.map(([step, each]) => ({
    schema: each,
    pointer: step === undefined ? at : below(at, step),
  }));
}

function valuesOf(
  shape: string,
  value: JsonValue,
): readonly (readonly [string | undefined, JsonSchema])[] {
  if (shape === "schema" || shape === "items") return [[undefined, asSchema(value)]];
  if (shape === "schema-list" && Array.isArray(value)) {
    return value.map((each: JsonValue, index) => [String(index), asSchema(each)]);
  }
  if (shape !== "schema-map" || !isJsonObject(value)) return [];
  return Object.entries(value).map(([key, each]) => [key, asSchema(each)]);
}

/** Looks up one property without listing all of them; objects may have hundreds. */
function valueOf(
  shape: string,
  value: JsonValue,
  key: string,
): readonly (readonly [string, JsonSchema])[] {
  let found: JsonValue | undefined;
  if (shape === "schema-list" && Array.isArray(value)) found = value[Number(key)];
  if (shape === "schema-map" && isJsonObject(value)) found = getOwn(value, key);
  return found === undefined ? [] : [[key, asSchema(found)]];
}

/** The value of a keyword, with each subschema converted. */
export function mapSubschemas(
  keyword: string,
  value: JsonValue,
  pointer: string,
  convert: (schema: JsonSchema, pointer: string) => JsonSchema,
): JsonValue {
  const shape = keywordIn("2020-12", keyword)?.shape;
  if (shape === "schema" || shape === "items") return convert(asSchema(value), pointer);
  if (shape === "schema-list" && Array.isArray(value)) {
    return value.map((each: JsonValue, index) => convert(asSchema(each), below(pointer, index)));
  }
  if (shape !== "schema-map" || !isJsonObject(value)) return value;
  const map: Record<string, JsonValue> = {};
  for (const [key, each] of Object.entries(value))
    setOwn(map, key, convert(asSchema(each), below(pointer, key)));
  return map;
}

/** Target of a `$ref` in a normalized document: the root, or an entry of its `$defs`. */
export function targetOf(root: JsonSchema, reference: string): Subschema {
  if (reference === "#" || !isJsonObject(root)) return { schema: root, pointer: "" };
  const name = reference.slice("#/$defs/".length);
  const definitions = root["$defs"];
  const schema = isJsonObject(definitions) ? getOwn(definitions, name) : undefined;
  if (schema === undefined) throw new Error(`no definition for ${reference}`);
  return { schema: asSchema(schema), pointer: below("", "$defs", name) };
}

/** Reads a subschema. Normalization and the metaschema allow only booleans and objects. */
export function asSchema(value: JsonValue | undefined): JsonSchema {
  return typeof value === "boolean" || isJsonObject(value) ? value : true;
}

/** Returns the schema under a keyword that contains one. */
export function schemaUnder(schema: JsonObject, keyword: string): JsonSchema | undefined {
  return schema[keyword] === undefined ? undefined : asSchema(schema[keyword]);
}

/** Schemas under a keyword that holds a list of schemas. */
export function schemasUnder(schema: JsonObject, keyword: string): readonly JsonSchema[] {
  const value = schema[keyword];
  return Array.isArray(value) ? value.map((each: JsonValue) => asSchema(each)) : [];
}

/** Names and schemas under a keyword that holds a map of schemas. */
export function schemaMapUnder(
  schema: JsonObject,
  keyword: string,
): readonly (readonly [string, JsonSchema])[] {
  const value = schema[keyword];
  return isJsonObject(value)
    ? Object.entries(value).map(([name, each]) => [name, asSchema(each)])
    : [];
}

/** Texts under a keyword that holds a list of texts, such as `required`. */
export function textsUnder(schema: JsonObject, keyword: string): readonly string[] {
  const value = schema[keyword];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Lists every schema of a normalized document that is reachable, each once, the root first. */
export function everySchema(root: JsonSchema): readonly Subschema[] {
  const found: Subschema[] = [{ schema: root, pointer: "" }];
  const seen = new Set([""]);
  for (const each of found) {
    for (const child of childrenOf(each, root)) {
      if (seen.has(child.pointer)) continue;
      seen.add(child.pointer);
      found.push({ schema: child.schema, pointer: child.pointer });
    }
  }
  return found;
}

/** The subschema at a pointer in a document; `true` if there is none. */
export function schemaAt(root: JsonSchema, pointer: string): JsonSchema {
  let at: JsonValue | undefined = root;
  for (const name of stepsOf(pointer) ?? []) {
    if (Array.isArray(at)) at = at[Number(name)] as JsonValue | undefined;
    else at = isJsonObject(at) ? getOwn(at, name) : undefined;
  }
  return isJsonObject(at) ? at : true;
}
