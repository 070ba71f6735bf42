/**
 * Whether a statement only reads, and if not, why. This file walks the statement, the views behind
 * it, and what PostgreSQL evaluates for it unasked:
 *
 * - `reasons.ts`: why a node of a tree makes a write; `effect-reason.ts`: what such a reason says
 * - `evaluated.ts`: what PostgreSQL evaluates though the statement doesn't have it: checks of
 *   domains, policies, defaults, functions of types
 * - `side-effects.ts`: which functions change something
 */
import type { Node } from "@pgsql/types";
import { type PgCatalog, pgCatalogOf } from "../../database/pg-catalog.js";
import type { Relation, Snapshot } from "../../database/snapshot.js";
import { everyNode, type Found, locationOf } from "../../statement/tree.js";
import { parseDefinition } from "../nullability/nullability.js";
import { resolveNames, type Resolution } from "../resolution.js";
import type { EffectReason } from "./effect-reason.js";
import { type Evaluated, evaluatedBy } from "./evaluated.js";
import { functionReason, implicitCasts, reasonsOf } from "./reasons.js";
import { type Listed, sideEffectsBehind } from "./side-effects.js";

export interface Effect {
  readonly effect: "read" | "write";
  /** Why it is a write, in the order of the text; none for a read. */
  readonly reasons: readonly EffectReason[];
}

export interface EffectOptions {
  readonly listed?: Listed;
}

/**
 * Whether a statement only reads. It does when it is a SELECT or VALUES of nodes that are known to
 * read, and every function, operator and cast that its names may mean changes nothing, through
 * views and what PostgreSQL evaluates unasked too. Not seen: what foreign servers do. Never throws.
 */
export function effectOf(
  tree: Node,
  snapshot: Snapshot,
  { listed = new Set() }: EffectOptions = {},
): Effect {
  const pgCatalog = pgCatalogOf(snapshot);
  const resolution = resolveNames(tree, snapshot);
  const reasons = [
    ...reasonsIn(everyNode(tree), resolution, pgCatalog, listed),
    ...viewsIn(tree, resolution, pgCatalog, listed),
    ...implicitCasts(pgCatalog, resolution, listed),
    ...unaskedIn(tree, resolution, snapshot, listed),
  ];
  const sorted = reasons.toSorted((a, b) => (a.location ?? Infinity) - (b.location ?? Infinity));
  return { effect: sorted.length === 0 ? "read" : "write", reasons: distinct(sorted) };
}

function reasonsIn(
  nodes: readonly Found[],
  resolution: Resolution | undefined,
  pgCatalog: PgCatalog,
  listed: Listed,
): readonly EffectReason[] {
  return nodes.flatMap((each) => reasonsOf(each, resolution, pgCatalog, listed));
}

/**
 * What stands in the definitions of the views that a tree selects from, and of those behind them. A
 * name may also mean a WITH query: then the view counts too.
 */
function viewsIn(
  tree: Node,
  resolution: Resolution,
  pgCatalog: PgCatalog,
  listed: Listed,
): readonly EffectReason[] {
  const named = everyNode(tree).flatMap((each) => viewOf(each, pgCatalog));
  return named.flatMap(({ view, location }) => {
    const found: EffectReason[] = [];
    const seen = new Set<Relation>();
    const waiting = [view];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      const inside = resolution.views.get(next);
      const definition = inside?.tree ?? parseDefinition(next);
      const nodes = definition === undefined ? [] : everyNode(definition);
      const name = `${next.schema}.${next.name}`;
      const reasons: readonly EffectReason[] =
        definition === undefined
          ? [{ kind: "not-understood", name }]
          : reasonsIn(nodes, inside, pgCatalog, listed);
      found.push(...reasons.map((each) => insideView(each, name, location)));
      waiting.push(...nodes.flatMap((each) => viewOf(each, pgCatalog).map(({ view }) => view)));
    }
    return found;
  });
}

/** What stands in a view is shown where the statement names the view. */
function insideView(
  { kind, name, functions, remedy }: EffectReason,
  view: string,
  location: number | undefined,
): EffectReason {
  return {
    kind,
    name,
    ...(functions === undefined ? {} : { functions }),
    ...(remedy === undefined ? {} : { remedy }),
    view,
    ...(location === undefined ? {} : { location }),
  };
}

interface NamedView {
  readonly view: Relation;
  readonly location: number | undefined;
}

/** A materialized view is read as it is stored: its definition does not run. */
function viewOf({ kind, body }: Found, pgCatalog: PgCatalog): readonly NamedView[] {
  if (kind !== "RangeVar") return [];
  const { relname, schemaname }: { relname?: unknown; schemaname?: unknown } = body;
  if (typeof relname !== "string") return [];
  const view = pgCatalog.relation(
    typeof schemaname === "string" ? [schemaname, relname] : [relname],
  );
  return view?.kind === "view" ? [{ view, location: locationOf(body) }] : [];
}

/**
 * What stands in what PostgreSQL evaluates unasked for a statement, for the views behind it, and
 * for what stands in these.
 */
function unaskedIn(
  tree: Node,
  { views }: Resolution,
  snapshot: Snapshot,
  listed: Listed,
): readonly EffectReason[] {
  const pgCatalog = pgCatalogOf(snapshot);
  const found: EffectReason[] = [];
  const seen = new Set<string>();
  const nodes = everyNode(tree);
  const behind = [...views.values()].flatMap((each) => everyNode(each.tree));
  const waiting = [
    ...evaluatedBy(nodes, pgCatalog),
    ...evaluatedBy([...nodes, ...behind], pgCatalog).map((each) => ({
      ...each,
      location: undefined,
    })),
  ];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { location, within } = next;
    const key = JSON.stringify({ ...next, location: undefined });
    if (seen.has(key)) continue;
    seen.add(key);
    const place = location === undefined ? {} : { location };
    const { inner, reasons } = reasonsFor(next, snapshot, listed);
    for (const { location: _, ...each } of reasons) found.push({ ...each, within, ...place });
    waiting.push(...evaluatedBy(inner, pgCatalog).map((each) => ({ ...each, location })));
  }
  return found;
}

/** Why what PostgreSQL evaluates makes a write, and the nodes that may make it evaluate more. */
function reasonsFor(
  each: Evaluated,
  snapshot: Snapshot,
  listed: Listed,
): { readonly reasons: readonly EffectReason[]; readonly inner: readonly Found[] } {
  const pgCatalog = pgCatalogOf(snapshot);
  if ("functions" in each) {
    const { functions } = sideEffectsBehind(pgCatalog, each.functions, listed);
    return { reasons: functions.map((one) => functionReason(one, listed)), inner: [] };
  }
  const { tree, within } = each;
  if (tree === undefined)
    return { reasons: [{ kind: "not-understood", name: within.name }], inner: [] };
  const resolved = resolveNames(tree, snapshot);
  const nodes = everyNode(tree);
  // Planning computes what is constant; the rest of an index is computed by what writes.
  if (within.kind === "plan")
    return { reasons: reasonsIn(nodes.filter(isConstant), resolved, pgCatalog, listed), inner: [] };
  return {
    reasons: [
      ...reasonsIn(nodes, resolved, pgCatalog, listed),
      ...viewsIn(tree, resolved, pgCatalog, listed),
      ...implicitCasts(pgCatalog, resolved, listed),
    ],
    inner: nodes,
  };
}

/** Whether it stands for one value: no column is in it. */
function isConstant({ body, kind }: Found): boolean {
  return kind !== "ColumnRef" && !JSON.stringify(body).includes('"ColumnRef"');
}

function distinct(reasons: readonly EffectReason[]): readonly EffectReason[] {
  const byText = new Map(reasons.map((each) => [JSON.stringify(each), each]));
  return [...byText.values()];
}
