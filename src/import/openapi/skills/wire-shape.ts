/**
 * Classifies the values of a schema, to decide how to write them outside of JSON.
 * `shape-of-schema.ts` does the same for the compiler's checks; this file works on a description's
 * own schemas.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import type { Part } from "../read/document.js";
import { entriesIn, isNullable, itemsIn, under } from "../read/parts.js";
import type { Components } from "./components.js";

export type Shape = "scalar" | "list" | "object";

type Type = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";
type Types = ReadonlySet<Type>;

const every: Types = new Set(["null", "boolean", "number", "string", "array", "object"]);

/** How a path, a query, a header or a cookie writes a value. */
export interface Wire {
  /** `object` also if the value may have several shapes. */
  readonly shape: Shape;
  readonly isNullable: boolean;
  /** Keywords to add to the schema, so that every accepted value can be written. */
  readonly narrowed: JsonObject;
  /** Names of the parts for which the added keywords exclude lists and objects. */
  readonly lost?: string;
  /** True if no style can write the nested values. */
  readonly isDeep: boolean;
}

export function wireOf(part: Part | undefined, components: Components): Wire {
  const types = typesOf(part, components);
  const inside = [...insidesOf(part, components)].flatMap(([key, parts]) => {
    const all = union(parts.map((each) => typesOf(each, components)));
    const scalars = [...all].filter(isScalar);
    return all.has("array") || all.has("object") ? [{ key, scalars }] : [];
  });
  const isDeep = inside.some(({ scalars }) => scalars.length === 0);
  return {
    shape: shapeOfTypes(types),
    isNullable: types.has("null"),
    narrowed: isDeep ? {} : narrowed(inside),
    ...(inside.length > 0 && !isDeep && { lost: lostOf(inside) }),
    isDeep,
  };
}

/** Types of a schema's values in terms of `type`, without null. */
export function typesWithoutNull(
  part: Part | undefined,
  components: Components,
): readonly string[] {
  return [...typesOf(part, components)].filter((type) => type !== "null");
}

/** The properties that a schema declares for objects. */
export function declaredNames(part: Part | undefined, components: Components): readonly string[] {
  return [...insidesOf(part, components).keys()].flatMap((name) => name ?? []);
}

interface Inside {
  /** Property name; undefined for items of a list. */
  readonly key: string | undefined;
  readonly scalars: readonly Type[];
}

function narrowed(inside: readonly Inside[]): JsonObject {
  const items = inside.find(({ key }) => key === undefined);
  const named = inside.flatMap(({ key, scalars }) =>
    key === undefined ? [] : [[key, { type: scalars }] as const],
  );
  return {
    ...(items && { items: { type: items.scalars } }),
    ...(named.length > 0 && { properties: Object.fromEntries(named) }),
  };
}

function lostOf(inside: readonly Inside[]): string {
  const names = inside.map(({ key }) => (key === undefined ? "each item" : quote(key)));
  return names.join(", ");
}

function shapeOfTypes(types: Types): Shape {
  if (types.has("object")) return "object";
  if (!types.has("array")) return "scalar";
  return [...types].some(isScalar) ? "object" : "list";
}

function isScalar(type: Type): boolean {
  return type !== "array" && type !== "object" && type !== "null";
}

/** Maximum depth, because components may refer to each other. */
const deepest = 12;

function typesOf(part: Part | undefined, components: Components, depth = 0): Types {
  const found = part && components.resolve(part);
  if (found === undefined || !isJsonObject(found.value) || depth > deepest) return every;
  const own = [stated(found), valued(found)].filter((each) => each !== undefined);
  const below = (key: string) =>
    itemsIn(under(found, key)).map((each) => typesOf(each, components, depth + 1));
  const either = ["anyOf", "oneOf"].flatMap((key) => {
    const all = below(key);
    return all.length === 0 ? [] : [union(all)];
  });
  const met = [...own, ...below("allOf"), ...either].reduce(intersection, every);
  return [part, found].some(isNullable) ? new Set([...met, "null"]) : met;
}

/** Types in `type`; undefined if there is none. */
function stated(part: Part): Types | undefined {
  const value = under(part, "type")?.value;
  const written: readonly JsonValue[] = Array.isArray(value)
    ? value
    : value === undefined
      ? []
      : [value];
  // Files of Swagger 2 are sent as text.
  const known = written.map((each) => (each === "file" ? "string" : each)).filter(isType);
  return known.length === 0 || known.length < written.length ? undefined : new Set(known);
}

function isType(value: JsonValue): value is Type {
  return value === "integer" || (every as ReadonlySet<JsonValue>).has(value);
}

function valued(part: Part): Types | undefined {
  const list = itemsIn(under(part, "enum")).map(({ value }) => value);
  const only = under(part, "const")?.value;
  const values = only === undefined ? list : [only];
  return values.length === 0 ? undefined : new Set(values.map(typeOfValue));
}

function typeOfValue(value: JsonValue): Type {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  // JSON has no other types.
  return typeof value as Type;
}

function union(all: readonly Types[]): Types {
  return new Set(all.flatMap((each) => [...each]));
}

function intersection(one: Types, other: Types): Types {
  const both = [...one].filter((type) => other.has(type));
  const integers =
    (one.has("number") && other.has("integer")) || (one.has("integer") && other.has("number"));
  return new Set([...both, ...(integers ? (["integer"] as const) : [])]);
}

/** Schemas of the items of lists, and of the properties of objects by name. */
function insidesOf(
  part: Part | undefined,
  components: Components,
  found = new Map<string | undefined, Part[]>(),
  depth = 0,
): ReadonlyMap<string | undefined, readonly Part[]> {
  const own = part && components.resolve(part);
  if (own === undefined || depth > deepest) return found;
  const types = stated(own) ?? every;
  const add = (key: string | undefined, each: Part): void =>
    void found.set(key, [...(found.get(key) ?? []), each]);
  const items = under(own, "items");
  if (types.has("array") && items !== undefined)
    for (const each of Array.isArray(items.value) ? itemsIn(items) : [items]) add(undefined, each);
  if (types.has("array"))
    for (const each of itemsIn(under(own, "prefixItems"))) add(undefined, each);
  if (types.has("object"))
    for (const [name, each] of entriesIn(under(own, "properties"))) add(name, each);
  for (const key of ["allOf", "anyOf", "oneOf"])
    for (const each of itemsIn(under(own, key))) insidesOf(each, components, found, depth + 1);
  return found;
}
