/**
 * Which columns of a statement's result can be NULL, as one recursive analysis. This file starts it
 * and ties its parts together; each calls the others through `Analysis`:
 *
 * - `query.ts`: statements inside statements, and WITH; `select.ts`: SELECT, VALUES, UNION, and
 *   what a target list gives; `modify.ts`: INSERT, UPDATE, DELETE, MERGE and RETURNING
 * - `from.ts`: tables, joins and functions in FROM
 * - `expression.ts`: what is proven of a value; `call.ts`: of function calls and aggregates
 * - `proof.ts`: what a condition that is true, or false, proves of columns
 * - `model.ts`: the values, columns, scopes and facts of which the others speak
 *
 * What PostgreSQL's catalog says of types, functions and operators is asked in `../value-type.ts`,
 * `../candidates.ts` and `../never-null.ts`.
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
  /** Without the mark. */
  readonly name: string;
  /** As PostgreSQL names the column: with the mark. */
  readonly label: string;
  /** Whether callers must expect NULL: what is proven, unless the author's mark says otherwise. */
  readonly nullable: boolean;
  /** What is proven, marks aside. */
  readonly proven: "not-null" | "nullable";
  /** The author's word in the alias: `AS "name!"` is never NULL, `AS "name?"` may be. */
  readonly mark?: "!" | "?";
  /** The author says that it is never NULL, and it always is. */
  readonly contradicted: boolean;
  /** Of the target, where it was written: UTF-8 bytes into the statement. */
  readonly location?: number;
}

interface NullabilityOptions {
  /** Numbers of the parameters that are never NULL: `1` for `$1`. Any other may be. */
  readonly valued?: ReadonlySet<number>;
}

/**
 * Which columns of a statement's result can be NULL. A column is "not-null" only when that is
 * proven from the tree and the catalog; whatever is not understood is nullable. The columns are in
 * PostgreSQL's order, one for each that it describes; undefined when they cannot be told, and all
 * of them have to be taken for nullable. No result, no columns. Never throws.
 *
 * Believed without proof: NOT NULL constraints of tables, and that the data fit them.
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

/** For those who only want the columns. */
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

/** Views over views may go this deep. */
const MAX_VIEWS = 30;
/** Nodes inside each other; a statement has at most 200. */
const MAX_DEPTH = 500;
/**
 * Looks at a node, again in each round of a recursive query. What is not looked at is not proven.
 */
const MAX_STEPS = 500_000;

interface AnalysisOptions {
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
 * What a materialized view holds was true when it was filled: constraints made since then say
 * nothing of it.
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

/** The tree of a view's query. */
export function parseDefinition({ definition = "" }: Relation): Node | undefined {
  const parsed = parseSql(definition);
  return parsed.kind === "parsed" ? parsed.statements[0]?.stmt : undefined;
}
