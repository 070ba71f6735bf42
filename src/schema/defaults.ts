import { getOwn, type JsonSchema, type JsonValue, setOwn } from "../core/json.js";
import type { SchemaModel } from "../core/skill-model.js";
import type { Defaults, PropertyDefault } from "@skillc/runtime/internal";
import { mentions } from "./mentions.js";
import { childrenOf, type ChildSchema, everySchema, type Subschema } from "./schema-tree.js";

export type { Defaults, PropertyDefault } from "@skillc/runtime/internal";

/**
 * Defaults that the runtime fills in for parameters that a caller leaves out, before the binding
 * sees them. Undefined if the schema has no default that is filled in.
 */
export function defaultsOf(model: SchemaModel): Defaults | undefined {
  return defaultsAt([{ schema: model.schema, pointer: "" }], model.schema);
}

/** Value of a property of the root if a caller leaves it out; undefined if nothing is filled in. */
export function defaultOf(model: SchemaModel, name: string): JsonValue | undefined {
  // A default was read from a schema, which is JSON.
  return getOwn(defaultsOf(model)?.properties ?? {}, name)?.value as JsonValue | undefined;
}

/** The defaults below a value to which all of `schemas` apply. */
export function defaultsAt(schemas: readonly Subschema[], root: JsonSchema): Defaults | undefined {
  if (appliedDefaults(root).byObject.size === 0) return undefined;
  const inPlace = everyCertain(schemas, root);
  const children = inPlace.flatMap((at) =>
    childrenOf(at, root)
      .filter((child) => isFillable(child, at))
      .map((child) => ({ at, child })),
  );
  const properties: Record<string, PropertyDefault> = {};
  const names = new Set(
    children.flatMap(({ child }) => (child.keyword === "properties" ? [child.key ?? ""] : [])),
  );
  for (const name of names) {
    const found = children.filter(
      ({ child }) => child.keyword === "properties" && child.key === name,
    );
    const each = propertyDefault(name, found, root);
    if (each !== undefined) setOwn(properties, name, each);
  }
  const items = children.filter(({ child }) => child.keyword === "items").map(({ child }) => child);
  const inItems = items.length > 0 ? defaultsAt(items, root) : undefined;
  const hasProperties = Object.keys(properties).length > 0;
  if (!hasProperties && inItems === undefined) return undefined;
  return { ...(hasProperties ? { properties } : {}), ...(inItems ? { items: inItems } : {}) };
}

interface PropertySite {
  readonly at: Subschema;
  readonly child: ChildSchema;
}

function propertyDefault(
  name: string,
  sites: readonly PropertySite[],
  root: JsonSchema,
): PropertyDefault | undefined {
  const applied = appliedDefaults(root).byObject;
  const value = sites
    .map(({ at }) => applied.get(at.pointer)?.get(name))
    .find((each) => each !== undefined);
  const inside = defaultsAt(
    sites.map(({ child }) => child),
    root,
  );
  if (value === undefined && inside === undefined) return undefined;
  return { ...(value === undefined ? {} : { value }), ...(inside ? { inside } : {}) };
}

/**
 * Returns the schemas and all that always apply with them, without those whose defaults may not
 * apply.
 */
function everyCertain(schemas: readonly Subschema[], root: JsonSchema): readonly Subschema[] {
  const { uncertain } = appliedDefaults(root);
  const all = schemas.filter((each) => !uncertain.has(each.pointer));
  const seen = new Set(all.map((each) => each.pointer));
  for (const at of all) {
    for (const child of childrenOf(at, root).filter(alwaysHolds)) {
      if (seen.has(child.pointer) || uncertain.has(child.pointer)) continue;
      seen.add(child.pointer);
      all.push(child);
    }
  }
  return all;
}

/** The value as the runtime will see it once its own absent properties are filled in. */
export function filledDefault(value: JsonValue, inside: Defaults | undefined): JsonValue {
  if (inside === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return value.map((each: JsonValue) => filledDefault(each, inside.items));
  const filled: Record<string, JsonValue> = {};
  for (const [name, each] of Object.entries(value)) setOwn(filled, name, each);
  for (const [name, each] of Object.entries(inside.properties ?? {})) {
    const start = Object.hasOwn(filled, name) ? filled[name] : each.value;
    if (start !== undefined) setOwn(filled, name, filledDefault(start, each.inside));
  }
  return filled;
}

/** The defaults of a document that are filled in. */
export interface AppliedDefaults {
  /** The filled names and their values, by the pointer of a schema with `properties`. */
  readonly byObject: ReadonlyMap<string, ReadonlyMap<string, JsonValue>>;
  /** Pointers of the schemas whose `default` is used somewhere. */
  readonly used: ReadonlySet<string>;
  /** Pointers of the schemas whose properties are not filled. */
  readonly uncertain: ReadonlySet<string>;
}

const computed = new WeakMap<object, AppliedDefaults>();
const none: AppliedDefaults = { byObject: new Map(), used: new Set(), uncertain: new Set() };

/**
 * Finds the defaults that are filled in: those whose schema certainly applies. The path from the
 * root has only `properties`, `items`, `allOf` and `$ref`. The path is also finite, so that a
 * recursive type isn't filled on some levels only.
 */
export function appliedDefaults(root: JsonSchema): AppliedDefaults {
  if (typeof root === "boolean" || !mentions(root, "default")) return none;
  const known = computed.get(root);
  if (known !== undefined) return known;
  const found = find(root);
  computed.set(root, found);
  return found;
}

function find(root: JsonSchema): AppliedDefaults {
  const uncertain = uncertainSchemas(root);
  const byObject = new Map<string, ReadonlyMap<string, JsonValue>>();
  const used = new Set<string>();
  for (const at of everySchema(root)) {
    if (uncertain.has(at.pointer)) continue;
    const names = new Map<string, JsonValue>();
    for (const child of childrenOf(at, root)) {
      if (child.keyword !== "properties" || child.key === undefined) continue;
      const found = statedDefault(child, root);
      if (found === undefined) continue;
      names.set(child.key, found.value);
      used.add(found.pointer);
    }
    if (names.size > 0) byObject.set(at.pointer, names);
  }
  return { byObject, used, uncertain };
}

/** The default of a property's schema, its own or that of a schema it refers to. */
function statedDefault(
  at: Subschema,
  root: JsonSchema,
): { readonly value: JsonValue; readonly pointer: string } | undefined {
  if (typeof at.schema === "boolean") return undefined;
  if (Object.hasOwn(at.schema, "default"))
    return { value: at.schema["default"] ?? null, pointer: at.pointer };
  for (const child of childrenOf(at, root).filter(alwaysHolds)) {
    const found = statedDefault(child, root);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Checks if a schema for the same value always applies. */
function alwaysHolds(child: ChildSchema): boolean {
  return child.keyword === "$ref" || child.keyword === "allOf";
}

/**
 * Checks if defaults below can be filled in: in every object, or every item, that the schema
 * describes.
 */
function isFillable(child: ChildSchema, parent: Subschema): boolean {
  if (child.keyword === "properties" || alwaysHolds(child)) return true;
  return (
    child.keyword === "items" &&
    typeof parent.schema === "object" &&
    parent.schema["prefixItems"] === undefined
  );
}

/**
 * Finds schemas that apply only sometimes, that are part of a recursion, or that are inside such a
 * schema.
 */
function uncertainSchemas(root: JsonSchema): ReadonlySet<string> {
  const schemas = everySchema(root);
  const marked = new Set<string>(recursiveSchemas(root));
  for (const at of schemas) {
    for (const child of childrenOf(at, root)) if (!isFillable(child, at)) marked.add(child.pointer);
  }
  const waiting = schemas.filter((each) => marked.has(each.pointer));
  for (const at of waiting) {
    for (const child of childrenOf(at, root)) {
      if (marked.has(child.pointer)) continue;
      marked.add(child.pointer);
      waiting.push(child);
    }
  }
  return marked;
}

/** Finds schemas that refer back to themselves, and schemas between two of them. */
function recursiveSchemas(root: JsonSchema): ReadonlySet<string> {
  const down = new Map<string, string[]>();
  const up = new Map<string, string[]>();
  for (const at of everySchema(root)) {
    for (const { pointer } of childrenOf(at, root)) {
      addTo(down, at.pointer, pointer);
      addTo(up, pointer, at.pointer);
    }
  }
  const remaining = new Set([...down.keys(), ...up.keys()]);
  peel(remaining, down, up);
  peel(remaining, up, down);
  return remaining;
}

function addTo(edges: Map<string, string[]>, from: string, to: string): void {
  const known = edges.get(from);
  if (known === undefined) edges.set(from, [to]);
  else known.push(to);
}

/** Repeatedly removes nodes whose edges lead to no remaining node. */
function peel(
  remaining: Set<string>,
  edges: Map<string, string[]>,
  back: Map<string, string[]>,
): void {
  const counts = new Map([...remaining].map((each) => [each, inside(edges.get(each), remaining)]));
  const ends = [...remaining].filter((each) => counts.get(each) === 0);
  for (const end of ends) {
    remaining.delete(end);
    for (const before of back.get(end) ?? []) {
      if (!remaining.has(before)) continue;
      const left = (counts.get(before) ?? 0) - 1;
      counts.set(before, left);
      if (left === 0) ends.push(before);
    }
  }
}

function inside(pointers: readonly string[] | undefined, remaining: ReadonlySet<string>): number {
  return (pointers ?? []).filter((each) => remaining.has(each)).length;
}
