import { getOwn, type JsonSchema, type JsonValue, setOwn } from "../core/json.js";
import type { SchemaModel } from "../core/skill-model.js";
import type { Defaults, PropertyDefault } from "../runtime/defaults.js";
import { alwaysHolds, appliedDefaults, isFillable } from "./default-sites.js";
import { childrenOf, type ChildSchema, type Subschema } from "./schema-tree.js";

export type { Defaults, PropertyDefault } from "../runtime/defaults.js";

/**
 * What to fill in where callers leave something out: the runtime applies it to parameters before the binding sees them. Undefined when
 * the schema has no default that is filled in.
 */
export function defaultsOf(model: SchemaModel): Defaults | undefined {
  return defaultsAt([{ schema: model.schema, pointer: "" }], model.schema);
}

/** What a property of the root is where callers leave it out; undefined where nothing is filled in. */
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

/** The schemas and all that apply with them, without those in which defaults are not certain to hold. */
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
