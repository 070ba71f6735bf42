import type { Node } from "@pgsql/types";
import type { Relation, Snapshot } from "../../database/snapshot.js";
import { parseSql } from "../../statement/parser.js";
import { catalogOf } from "../../database/catalog.js";
import { bodyOf } from "../node.js";
import { inferExpression } from "./expression.js";
import { NO_FACTS } from "./facts.js";
import { fromItem } from "./from.js";
import { opaqueItem } from "./item.js";
import type { Analysis, Columns, Recorder, Scope, Value } from "./model.js";
import { UNKNOWN } from "./model.js";
import { proveExpression } from "./proof.js";
import { NO_OUTPUT, queryStatement } from "./query.js";

/** Views over views may go this deep. */
const MAX_VIEWS = 30;
/** Nodes inside each other; a statement has at most 200. */
const MAX_DEPTH = 500;
/** Looks at a node, again in each round of a recursive query. What is not looked at is not proven. */
const MAX_STEPS = 500_000;

export interface AnalysisOptions {
  readonly record: Recorder;
  hasValue(parameter: number): boolean;
  /** What is behind a view is noted here, about the nodes of its definition. */
  recordBehind(view: Relation, definition: Node): Recorder;
}

/** Where a whole statement stands. */
export const OUTSIDE: Scope = { items: [], facts: NO_FACTS, grouped: false, windows: new Map() };

interface Shared {
  readonly options: AnalysisOptions;
  readonly snapshot: Snapshot;
  steps: number;
  depth: number;
  groups: number;
  readonly views: Map<string, Columns>;
  readonly definitions: Map<Relation, Node | undefined>;
}

export function startAnalysis(snapshot: Snapshot, options: AnalysisOptions): Analysis {
  const shared = {
    options,
    snapshot,
    steps: 0,
    depth: 0,
    groups: 0,
    views: new Map(),
    definitions: new Map(),
  };
  return makeAnalysis(shared, options.record, true, []);
}

function makeAnalysis(
  shared: Shared,
  record: Recorder,
  trustsConstraints: boolean,
  within: readonly Relation[],
): Analysis {
  const { options, snapshot } = shared;
  const last = new WeakMap<object, { readonly scope: Scope; readonly value: Value }>();
  const bounded = <T>(otherwise: T, look: () => T): T => {
    if (shared.depth >= MAX_DEPTH || shared.steps >= MAX_STEPS) return otherwise;
    shared.steps++;
    shared.depth++;
    const found = look();
    shared.depth--;
    return found;
  };
  const inferOnce = (node: Node, scope: Scope): Value => {
    const before = last.get(bodyOf(node));
    if (before?.scope === scope) return before.value;
    const value = inferExpression(node, scope, analysis);
    record.type(value.type);
    last.set(bodyOf(node), { scope, value });
    return value;
  };
  const analysis: Analysis = {
    catalog: catalogOf(snapshot),
    record,
    trustsConstraints,
    hasValue: (parameter) => within.length === 0 && options.hasValue(parameter),
    infer: (node, scope) =>
      node === undefined ? UNKNOWN : bounded(UNKNOWN, () => inferOnce(node, scope)),
    prove: (node, scope, when) =>
      bounded(NO_FACTS, () => proveExpression(node, scope, when, analysis)),
    query: (node, scope) => bounded(NO_OUTPUT, () => queryStatement(node, scope, analysis)),
    fromItem: (node, scope, beside) =>
      bounded({ items: [opaqueItem()], facts: NO_FACTS }, () =>
        fromItem(node, scope, beside, analysis),
      ),
    view: (relation) => viewColumns(shared, relation, trustsConstraints, within),
    newGroup: () => ++shared.groups,
  };
  return analysis;
}

/** What a materialized view holds was true when it was filled: constraints made since then say nothing of it. */
function viewColumns(
  shared: Shared,
  relation: Relation,
  trusts: boolean,
  within: readonly Relation[],
): Columns {
  const trustsConstraints = trusts && relation.kind !== "materialized";
  const key = `${relation.oid} ${trustsConstraints}`;
  if (within.length >= MAX_VIEWS || within.includes(relation)) return undefined;
  if (!shared.views.has(key)) {
    const tree = definitionOf(shared, relation);
    if (tree === undefined) return undefined;
    const record = shared.options.recordBehind(relation, tree);
    const inside = makeAnalysis(shared, record, trustsConstraints, [...within, relation]);
    shared.views.set(key, inside.query(tree, OUTSIDE).columns);
  }
  return shared.views.get(key);
}

function definitionOf({ definitions }: Shared, view: Relation): Node | undefined {
  if (!definitions.has(view)) definitions.set(view, parseDefinition(view));
  return definitions.get(view);
}

/** The tree of a view's query. */
export function parseDefinition({ definition = "" }: Relation): Node | undefined {
  const parsed = parseSql(definition);
  return parsed.kind === "parsed" ? parsed.statements[0]?.stmt : undefined;
}
