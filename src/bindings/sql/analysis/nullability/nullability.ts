/**
 * Finds the result columns of a statement that can be NULL, in one recursive analysis. This file
 * starts it and connects its parts, which call each other through `Analysis`:
 *
 * - `query.ts`: nested statements and WITH
 * - `select.ts`: SELECT, VALUES, UNION, and the columns of a target list
 * - `modify.ts`: INSERT, UPDATE, DELETE, MERGE and RETURNING
 * - `from.ts`: tables, joins and functions in FROM
 * - `expression.ts`: facts about values; `call.ts`: about function calls and aggregates
 * - `proof.ts`: facts about columns that follow from a true or false condition
 * - `model.ts`: values, columns, scopes and facts
 *
 * `../value-type.ts`, `../candidates.ts` and `../never-null.ts` look up types, functions and
 * operators in PostgreSQL's catalog.
 */
import type { Node } from "@pgsql/types";
import { pgCatalogOf } from "../../database/pg-catalog.js";
import type { Relation, Snapshot } from "../../database/snapshot.js";
import { parseSql } from "../../statement/parse.js";
import { bodyOf } from "../../statement/tree.js";
import { inferExpression } from "./expression.js";
import { fromItem } from "./from.js";
import {
  type Analysis,
  type Columns,
  NO_FACTS,
  opaqueItem,
  type OutputColumn,
  type Recorder,
  type Scope,
  UNKNOWN,
  type Value,
} from "./model.js";
import { proveExpression } from "./proof.js";
import { NO_OUTPUT, queryStatement } from "./query.js";

export interface ResultColumn {
  /** Name without the mark. */
  readonly name: string;
  /** Name as PostgreSQL reports it, with the mark. */
  readonly label: string;
  /** True if callers must expect NULL: the proven result, unless the author's mark overrides it. */
  readonly nullable: boolean;
  /** The proven result, whatever the mark. */
  readonly proven: "not-null" | "nullable";
  /** The author's mark in the alias: `AS "name!"` is never NULL, `AS "name?"` may be. */
  readonly mark?: "!" | "?";
  /** True if the author marks it as never NULL although it always is NULL. */
  readonly contradicted: boolean;
  /** Position of the target in the statement, in UTF-8 bytes. */
  readonly location?: number;
}

interface NullabilityOptions {
  /** Numbers of the parameters that are never NULL: `1` for `$1`. Any other may be. */
  readonly valued?: ReadonlySet<number>;
}

/**
 * Finds the result columns that can be NULL. A column is "not-null" only if the tree and the
 * catalog prove it; anything unknown is nullable. Returns one entry for each column that PostgreSQL
 * describes, in order. Returns undefined if the columns are unknown; all of them are then nullable.
 * A statement without a result has no columns. Never throws.
 *
 * NOT NULL constraints of tables are trusted, and assumed to hold for their data.
 */
export function nullabilityOf(
  tree: Node,
  snapshot: Snapshot,
  { valued = new Set() }: NullabilityOptions = {},
): readonly ResultColumn[] | undefined {
  const analysis = startAnalysis(snapshot, {
    record: SILENT,
    recordBehind: () => SILENT,
    hasValue: (parameter) => valued.has(parameter),
  });
  return analysis.query(tree, OUTSIDE).columns?.map(resultColumn);
}

/** Recorder for callers that need only the columns. */
const SILENT: Recorder = {
  relation: () => undefined,
  column: () => undefined,
  functions: () => undefined,
  operators: () => undefined,
  cast: () => undefined,
  reference: () => undefined,
  type: () => undefined,
};

function resultColumn({ name, value, aliased, location }: OutputColumn): ResultColumn {
  const proven = value.null === "never" ? "not-null" : "nullable";
  const mark = aliased ? /.[!?]$/u.exec(name)?.[0].slice(-1) : undefined;
  const contradicted = mark === "!" && value.null === "always";
  return {
    name: mark === undefined ? name : name.slice(0, -1),
    label: name,
    nullable: mark === "!" ? contradicted : mark === "?" || proven === "nullable",
    proven,
    ...(mark === "!" || mark === "?" ? { mark } : {}),
    contradicted,
    ...(location === undefined ? {} : { location }),
  };
}

/** Maximal nesting of views. */
const MAX_VIEWS = 30;
/** Maximal nesting of nodes; a statement has at most 200. */
const MAX_DEPTH = 500;
/**
 * Maximal number of visits to nodes, including each round of a recursive query. Nodes beyond it are
 * nullable.
 */
const MAX_STEPS = 500_000;

interface AnalysisOptions {
  readonly record: Recorder;
  hasValue(parameter: number): boolean;
  /** Recorder for the nodes of a view's definition. */
  recordBehind(view: Relation, definition: Node): Recorder;
}

/** Scope of a whole statement. */
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
    pgCatalog: pgCatalogOf(snapshot),
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

/**
 * Analyzes a view. A materialized view may contain rows from before a constraint existed, so
 * constraints are not trusted for it.
 */
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

/** Parses a view's query. */
export function parseDefinition({ definition = "" }: Relation): Node | undefined {
  const parsed = parseSql(definition);
  return parsed.kind === "parsed" ? parsed.statements[0]?.stmt : undefined;
}
