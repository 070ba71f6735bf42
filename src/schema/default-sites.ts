import { type JsonSchema, type JsonValue } from "../core/json.js";
import { childrenOf, everySchema, type ChildSchema, type Subschema } from "./schema-tree.js";

/** Which defaults of a document are filled in. */
export interface AppliedDefaults {
  /** By pointer of a schema with `properties`: the names that are filled in, and what with. */
  readonly byObject: ReadonlyMap<string, ReadonlyMap<string, JsonValue>>;
  /** Pointers of the schemas whose `default` is used somewhere. */
  readonly used: ReadonlySet<string>;
  /** Pointers of the schemas whose properties are not filled. */
  readonly uncertain: ReadonlySet<string>;
}

const computed = new WeakMap<object, AppliedDefaults>();
const none: AppliedDefaults = { byObject: new Map(), used: new Set(), uncertain: new Set() };

/**
 * A default is filled in where it is certain that its schema holds: on the way from the root there are only `properties`, `items`,
 * `allOf` and `$ref`, and the way is finite, so that no recursive type is filled on some levels and not on others.
 */
export function appliedDefaults(root: JsonSchema): AppliedDefaults {
  if (typeof root === "boolean") return none;
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
      const found = defaultOf(child, root);
      if (found === undefined) continue;
      names.set(child.key, found.value);
      used.add(found.pointer);
    }
    if (names.size > 0) byObject.set(at.pointer, names);
  }
  return { byObject, used, uncertain };
}

/** The default that a property's schema gives, itself or through what it refers to. */
function defaultOf(
  at: Subschema,
  root: JsonSchema,
): { readonly value: JsonValue; readonly pointer: string } | undefined {
  if (typeof at.schema === "boolean") return undefined;
  if (Object.hasOwn(at.schema, "default"))
    return { value: at.schema["default"] ?? null, pointer: at.pointer };
  for (const child of childrenOf(at, root).filter(alwaysHolds)) {
    const found = defaultOf(child, root);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a schema that applies to the same value applies whatever the value is. */
export function alwaysHolds(child: ChildSchema): boolean {
  return child.keyword === "$ref" || child.keyword === "allOf";
}

/** Whether defaults can be filled in below: in every object, or every item, that the schema describes. */
export function isFillable(child: ChildSchema, parent: Subschema): boolean {
  if (child.keyword === "properties" || alwaysHolds(child)) return true;
  return (
    child.keyword === "items" &&
    typeof parent.schema === "object" &&
    parent.schema["prefixItems"] === undefined
  );
}

/** Schemas that hold only sometimes, that are part of a recursion, or that stand below one that is. */
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

/** Schemas from which references lead back to themselves, and those between two of them. */
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

/** Takes away, again and again, what leads to nothing that remains. */
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
