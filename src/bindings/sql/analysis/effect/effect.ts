/**
 * Decides whether a statement only reads, and if not, why. This file walks the statement, the views
 * that it uses, and all that PostgreSQL evaluates implicitly:
 *
 * - `reasons.ts`: finds the reasons in one node; `effect-reason.ts`: the type of a reason
 * - `evaluated.ts`: finds implicitly evaluated parts: checks of domains, policies, defaults,
 *   functions of types
 * - `side-effects.ts`: decides which functions have side effects
 */
import type { Node } from "@pgsql/types";
import { type PgCatalog, pgCatalogOf } from "../../database/pg-catalog.js";
import type { Relation, Snapshot } from "../../database/snapshot.js";
import { everyNode, type NodeWithKind, locationOf } from "../../statement/tree.js";
import { parseDefinition } from "../nullability/nullability.js";
import { resolveNames, type Resolution } from "../resolution.js";
import type { EffectReason } from "./effect-reason.js";
import { type Evaluated, evaluatedBy } from "./evaluated.js";
import { functionReason, implicitCasts, reasonsOf } from "./reasons.js";
import { type Listed, sideEffectsBehind } from "./side-effects.js";

export interface Effect {
  readonly effect: "read" | "write";
  /** Reasons why it is a write, in the order of the text; empty for a read. */
  readonly reasons: readonly EffectReason[];
}

export interface EffectOptions {
  readonly listed?: Listed;
}

/**
 * Decides whether a statement only reads. It must be a SELECT or VALUES made of nodes that are
 * known to read. No function, operator or cast that its names may refer to has side effects. The
 * same applies to its views, and to all that PostgreSQL evaluates implicitly. Foreign servers are
 * not examined. Never throws.
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
  nodes: readonly NodeWithKind[],
  resolution: Resolution | undefined,
  pgCatalog: PgCatalog,
  listed: Listed,
): readonly EffectReason[] {
  return nodes.flatMap((each) => reasonsOf(each, resolution, pgCatalog, listed));
}

/**
 * Finds reasons in the definitions of the views that a tree selects from, and of the views below
 * them. If a name may refer to a WITH query or a view, the view is examined too.
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

/** Moves a reason in a view to the place where the statement names the view. */
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

/**
 * Only plain views. PostgreSQL reads a materialized view as stored and does not run its definition.
 */
function viewOf({ kind, body }: NodeWithKind, pgCatalog: PgCatalog): readonly NamedView[] {
  if (kind !== "RangeVar") return [];
  const { relname, schemaname }: { relname?: unknown; schemaname?: unknown } = body;
  if (typeof relname !== "string") return [];
  const view = pgCatalog.relation(
    typeof schemaname === "string" ? [schemaname, relname] : [relname],
  );
  return view?.kind === "view" ? [{ view, location: locationOf(body) }] : [];
}

/**
 * Finds reasons in all that PostgreSQL evaluates implicitly for a statement, for its views, and for
 * those evaluated parts in turn.
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

/** Finds the reasons in one evaluated part, and nodes that may make PostgreSQL evaluate more. */
function reasonsFor(
  each: Evaluated,
  snapshot: Snapshot,
  listed: Listed,
): { readonly reasons: readonly EffectReason[]; readonly inner: readonly NodeWithKind[] } {
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
  // Planning evaluates only constant parts. The other parts of an index are evaluated by writes.
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

/** True if a node has one value because it contains no column. */
function isConstant({ body, kind }: NodeWithKind): boolean {
  return kind !== "ColumnRef" && !JSON.stringify(body).includes('"ColumnRef"');
}

function distinct(reasons: readonly EffectReason[]): readonly EffectReason[] {
  const byText = new Map(reasons.map((each) => [JSON.stringify(each), each]));
  return [...byText.values()];
}
