/** Finds the paths at which two schemas have no common value, with the check for whole values. */
import type { JsonObject, JsonSchema } from "../../core/json.js";
import { asSchema, schemaMapUnder, schemasUnder, textsUnder } from "../schema-tree.js";
import { disjointIn } from "./compare.js";
import type { Disjoint } from "./disjoint.js";
import { branchesOf, propertySchema, statedType } from "./normal-form.js";
import { inSteps, type SchemaIn, type Source } from "./source.js";

/** Steps below the compared value. `each` continues with every item of a list. */
export type PlacePath = readonly (string | number | { readonly each: true })[];

export interface DisjointPlace {
  /**
   * `values`: the schemas have no common value at this path. `missing`: the wanted schema requires
   * a property that the given one can't have. `refused`: the given schema always has a property
   * that the wanted one forbids.
   */
  readonly kind: "values" | "missing" | "refused";
  readonly path: PlacePath;
}

/**
 * Lists the longest paths without a common value. It follows properties if each schema has one form
 * of objects, and items if each has one form of lists. An empty list, or an absent optional
 * property, may still belong to both.
 */
export function disjointPlaces(given: SchemaIn, wanted: SchemaIn): readonly DisjointPlace[] {
  const walk: Walk = { ...disjointIn(given.root, wanted.root), seen: new Map() };
  return inSteps(() => placesIn(given.schema, wanted.schema, [], walk), []);
}

interface Walk {
  readonly given: Source;
  readonly wanted: Source;
  readonly disjoint: Disjoint;
  /** Visited schemas, because they may be recursive. */
  readonly seen: Map<JsonSchema, Set<JsonSchema>>;
}

function placesIn(
  given: JsonSchema,
  wanted: JsonSchema,
  path: PlacePath,
  walk: Walk,
): readonly DisjointPlace[] {
  if (hasNone(given, walk.given) || hasNone(wanted, walk.wanted)) return [];
  const before = walk.seen.get(given) ?? new Set();
  if (before.has(wanted)) return [];
  walk.seen.set(given, before.add(wanted));
  const deeper = [...inObjects(given, wanted, path, walk), ...inLists(given, wanted, path, walk)];
  if (deeper.length > 0 || !walk.disjoint(given, wanted)) return deeper;
  return [{ kind: "values", path }];
}

function hasNone(schema: JsonSchema, source: Source): boolean {
  return branchesOf(schema, source)?.length === 0;
}

/** The only branch of objects, or of lists; undefined if there are several. */
function onlyBranch(
  schema: JsonSchema,
  type: "object" | "array",
  source: Source,
): JsonObject | undefined {
  const ofType = branchesOf(schema, source)?.filter(
    (branch) => (statedType(branch) ?? type) === type,
  );
  const [only = false, ...others] = ofType ?? [];
  if (others.length > 0 || only === false) return undefined;
  return only === true ? {} : only;
}

function inObjects(
  given: JsonSchema,
  wanted: JsonSchema,
  path: PlacePath,
  walk: Walk,
): readonly DisjointPlace[] {
  const own = onlyBranch(given, "object", walk.given);
  const other = onlyBranch(wanted, "object", walk.wanted);
  if (own === undefined || other === undefined) return [];
  const names = new Set([own, other].flatMap(namesIn));
  return [...names].flatMap((name) => {
    const a = propertySchema(own, name, walk.given);
    const b = propertySchema(other, name, walk.wanted);
    const [noneGiven, noneWanted] = [hasNone(a, walk.given), hasNone(b, walk.wanted)];
    const at = [...path, name];
    if (!noneGiven && !noneWanted) return placesIn(a, b, at, walk);
    const isMissing = !noneWanted && textsUnder(other, "required").includes(name);
    const isRefused = !noneGiven && textsUnder(own, "required").includes(name);
    if ((!isMissing && !isRefused) || !walk.disjoint(given, wanted)) return [];
    return [{ kind: isMissing ? "missing" : "refused", path: at }];
  });
}

function namesIn(object: JsonObject): readonly string[] {
  const declared = schemaMapUnder(object, "properties").map(([name]) => name);
  return [...declared, ...textsUnder(object, "required")];
}

function inLists(
  given: JsonSchema,
  wanted: JsonSchema,
  path: PlacePath,
  walk: Walk,
): readonly DisjointPlace[] {
  const own = onlyBranch(given, "array", walk.given);
  const other = onlyBranch(wanted, "array", walk.wanted);
  if (own === undefined || other === undefined) return [];
  const [prefix, others] = [own, other].map((each) => schemasUnder(each, "prefixItems"));
  const [rest, otherRest] = [asSchema(own["items"]), asSchema(other["items"])];
  const named = Math.max(prefix?.length ?? 0, others?.length ?? 0);
  if (named === 0) return placesIn(rest, otherRest, [...path, { each: true }], walk);
  return Array.from({ length: named }, (_, at) => at).flatMap((at) =>
    placesIn(prefix?.[at] ?? rest, others?.[at] ?? otherRest, [...path, at], walk),
  );
}
