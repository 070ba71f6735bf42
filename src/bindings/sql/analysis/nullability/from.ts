/**
 * Analyzes FROM: tables and views, joins, subqueries and functions, and which of their columns an
 * outer join may set to NULL.
 */
import type { ColumnDef, JoinExpr, Node, RangeVar } from "@pgsql/types";
import { relationOf } from "../../database/pg-catalog.js";
import type { Column, PgFunction, Relation } from "../../database/snapshot.js";
import { columnNameOf } from "../../statement/output-name.js";
import {
  childrenOf,
  type Fields,
  fieldsOf,
  itemsOf,
  locationOf,
  namesIn,
} from "../../statement/tree.js";
import { resultType } from "../candidates.js";
import { ROWS_OF_VALUES } from "../never-null.js";
import { mayTurnNull, OID, typeOfName, type ValueType, valueTypeOf } from "../value-type.js";
import { candidatesOf } from "./call.js";
import { chooseOperators } from "./expression.js";
import {
  allOf,
  type Analysis,
  type Columns,
  type CteFrame,
  type Facts,
  hasValue,
  isValue,
  type Item,
  lateralScope,
  makeItem,
  mayBeMissing,
  NO_FACTS,
  NO_ROWS,
  opaqueItem,
  type Rows,
  type Scope,
  type ScopeColumn,
  scopeColumns,
  sideBySide,
} from "./model.js";

/** The items of a FROM clause. LATERAL items can refer to the items before them. */
export function fromClause(nodes: readonly Node[] | undefined, around: Scope, a: Analysis): Rows {
  return (nodes ?? []).reduce<Rows>(
    (beside, node) => sideBySide([beside, a.fromItem(node, around, beside)]),
    NO_ROWS,
  );
}

/** One item of a FROM clause. `beside` has the items to its left. */
export function fromItem(node: Node, around: Scope, beside: Rows, a: Analysis): Rows {
  if ("RangeVar" in node) return relationRows(node.RangeVar, around, a);
  if ("JoinExpr" in node) return joinRows(node.JoinExpr, around, beside, a);
  if ("RangeSubselect" in node) return subselectRows(node.RangeSubselect, around, beside, a);
  const lateral = lateralScope(around, beside);
  if ("RangeFunction" in node) return functionRows(node.RangeFunction, lateral, a);
  if ("RangeTableSample" in node) {
    const { relation, args = [], repeatable } = node.RangeTableSample;
    for (const each of [...args, repeatable]) a.infer(each, lateral);
    return relation === undefined
      ? rowsOfItems(opaqueItem())
      : a.fromItem(relation, around, beside);
  }
  for (const each of childrenOf(node)) a.infer(each, lateral);
  if ("JsonTable" in node)
    return rowsOfItems(makeItem(node.JsonTable.alias, jsonColumns(node.JsonTable, a)));
  if ("RangeTableFunc" in node)
    return rowsOfItems(makeItem(node.RangeTableFunc.alias, xmlColumns(node.RangeTableFunc, a)));
  return rowsOfItems(opaqueItem());
}

function rowsOfItems(...items: Rows["items"]): Rows {
  return { items, facts: NO_FACTS };
}

function subselectRows(
  { lateral, subquery, alias }: Fields<"RangeSubselect">,
  around: Scope,
  beside: Rows,
  a: Analysis,
): Rows {
  const { columns } = a.query(subquery, lateral === true ? lateralScope(around, beside) : around);
  return rowsOfItems(makeItem(alias, scopeColumns(columns), { rowIsValue: true }));
}

/**
 * Columns of a JSON table. With nested columns their order differs from the text, so they are
 * unknown.
 */
function jsonColumns(
  { columns = [] }: Fields<"JsonTable">,
  a: Analysis,
): readonly ScopeColumn[] | undefined {
  const found = columns.map((each) => fieldsOf(each, "JsonTableColumn"));
  if (found.some((each) => each?.coltype === undefined || each.coltype === "JTC_NESTED"))
    return undefined;
  return found.map((each) => column(each?.name, each?.coltype === "JTC_FOR_ORDINALITY", each, a));
}

function xmlColumns(
  { columns = [] }: Fields<"RangeTableFunc">,
  a: Analysis,
): readonly ScopeColumn[] {
  return columns
    .map((each) => fieldsOf(each, "RangeTableFuncCol"))
    .map((each) =>
      column(each?.colname, each?.for_ordinality === true || each?.is_not_null === true, each, a),
    );
}

function column(
  name: string | undefined,
  notNull: boolean,
  typed: { readonly typeName?: Parameters<typeof typeOfName>[1] } | undefined,
  { pgCatalog }: Analysis,
): ScopeColumn {
  const oid = typeOfName(pgCatalog, typed?.typeName);
  const type = oid === undefined ? undefined : valueTypeOf(pgCatalog, oid);
  return { name: name ?? "", type, notNull, groups: [] };
}

/** Combines the two sides of a join. */
function joinRows(join: JoinExpr, around: Scope, beside: Rows, a: Analysis): Rows {
  if (join.larg === undefined || join.rarg === undefined)
    return { items: [opaqueItem(join.alias)], facts: NO_FACTS };
  const left = a.fromItem(join.larg, around, beside);
  const right = a.fromItem(join.rarg, around, sideBySide([beside, left]));
  const names = usedNames(join, left, right);
  const pairs = names.flatMap((name) => pairOf(name, left, right));
  const matched = allOf([matchedPairs(join, pairs, a), provenBy(join, around, left, right, a)]);
  const { sides, facts } = joined(join.jointype, left, right, matched, a);
  const merged = names.map((name) =>
    mergedColumn(name, join.jointype, sides, pairs, [left, right], a),
  );
  return { items: joinedItems(join, sides, names, merged), facts };
}

type Sides = readonly [left: Rows, right: Rows];
interface Pair {
  readonly name: string;
  readonly left: ScopeColumn;
  readonly right: ScopeColumn;
}

/** Names in USING. NATURAL uses the names that both sides have, in the order of the left side. */
function usedNames(
  { isNatural, usingClause }: JoinExpr,
  left: Rows,
  right: Rows,
): readonly string[] {
  if (isNatural !== true) return namesIn(usingClause);
  const there = new Set(bareColumns(right)?.map(({ name }) => name));
  return (bareColumns(left) ?? []).map(({ name }) => name).filter((name) => there.has(name));
}

function bareColumns({ items }: Rows): readonly ScopeColumn[] | undefined {
  const lists = items.filter(({ bare }) => bare).map(({ columns }) => columns);
  return lists.includes(undefined) ? undefined : lists.flatMap((each) => each ?? []);
}

function pairOf(name: string, left: Rows, right: Rows): readonly Pair[] {
  const [one, other] = [columnIn(left, name), columnIn(right, name)];
  return one === undefined || other === undefined ? [] : [{ name, left: one, right: other }];
}

function columnIn(rows: Rows, name: string): ScopeColumn | undefined {
  const found = bareColumns(rows)?.filter((each) => each.name === name) ?? [];
  return found.length === 1 ? found[0] : undefined;
}

/** USING compares with `=`, so that columns of matched rows are not NULL. */
function matchedPairs(join: JoinExpr, pairs: readonly Pair[], a: Analysis): Facts {
  return allOf(
    pairs.flatMap(({ left, right }) => {
      for (const { origin } of [left, right])
        if (origin !== undefined) a.record.column(origin, "read");
      const { strict } = chooseOperators(a, { node: join, path: ["="] }, left.type, right.type);
      return strict ? [isValue(left), isValue(right)] : [];
    }),
  );
}

function provenBy({ quals }: JoinExpr, around: Scope, left: Rows, right: Rows, a: Analysis): Facts {
  const scope = lateralScope(around, sideBySide([left, right]));
  a.infer(quals, scope);
  return a.prove(quals, scope, "true");
}

/**
 * Applies the join condition. It proves facts about every row of an inner join. In an outer join,
 * it proves facts only about the optional side, where that side matched.
 */
function joined(
  type: JoinExpr["jointype"],
  left: Rows,
  right: Rows,
  matched: Facts,
  a: Analysis,
): { readonly sides: Sides; readonly facts: Facts } {
  const missing = (rows: Rows, facts: readonly Facts[]) =>
    mayBeMissing({ ...rows, facts: allOf([rows.facts, ...facts]) }, a.newGroup());
  switch (type) {
    case "JOIN_INNER":
      return { sides: [left, right], facts: allOf([left.facts, right.facts, matched]) };
    case "JOIN_LEFT":
      return { sides: [left, missing(right, [matched])], facts: left.facts };
    case "JOIN_RIGHT":
      return { sides: [missing(left, [matched]), right], facts: right.facts };
    default:
      return { sides: [missing(left, []), missing(right, [])], facts: NO_FACTS };
  }
}

/**
 * The column that USING merges from two: the column of the side that is always present, or of
 * either side in a full join.
 */
function mergedColumn(
  name: string,
  type: JoinExpr["jointype"],
  sides: Sides,
  pairs: readonly Pair[],
  [left, right]: Sides,
  a: Analysis,
): ScopeColumn {
  const pair = pairs.find((each) => each.name === name);
  const unknown: ScopeColumn = { name, type: undefined, notNull: false, groups: [] };
  if (pair === undefined) return unknown;
  const changes = pair.left.type !== pair.right.type || pair.left.type === undefined;
  if (changes && [pair.left, pair.right].some((each) => mayTurnNull(a.pgCatalog, each.type)))
    return unknown;
  const kept = type === "JOIN_RIGHT" ? columnIn(sides[1], name) : columnIn(sides[0], name);
  if (type === "JOIN_INNER" || type === "JOIN_LEFT" || type === "JOIN_RIGHT")
    return kept === undefined ? unknown : changes ? { ...kept, type: undefined } : kept;
  const notNull = hasValue(pair.left, left.facts) && hasValue(pair.right, right.facts);
  return { ...unknown, type: changes ? undefined : pair.left.type, notNull };
}

/**
 * The items of a join. Its sides can still be named, but a bare name or `*` refers to the join,
 * with merged columns first. An alias hides the sides.
 */
function joinedItems(
  { alias, join_using_alias }: JoinExpr,
  [left, right]: Sides,
  names: readonly string[],
  merged: readonly ScopeColumn[],
): readonly Item[] {
  const [one, other] = [bareColumns(left), bareColumns(right)];
  const rest = (columns: readonly ScopeColumn[]) =>
    columns.filter(({ name }) => !names.includes(name));
  const columns =
    one === undefined || other === undefined
      ? undefined
      : [...merged, ...rest(one), ...rest(other)];
  const item = makeItem(alias, columns);
  if (alias !== undefined) return [item];
  const using =
    join_using_alias === undefined ? [] : [{ ...makeItem(join_using_alias, merged), bare: false }];
  const sides = [...left.items, ...right.items].map((each) => ({ ...each, bare: false }));
  return [...sides, item, ...using];
}

/** A name in FROM: a visible WITH query of that name, or else a table or view. */
function relationRows(variable: RangeVar, around: Scope, a: Analysis): Rows {
  const { relname = "", schemaname, alias } = variable;
  const query = schemaname === undefined ? queryNamed(relname, around.ctes) : undefined;
  if (query !== undefined) {
    const columns = scopeColumns(query());
    const item = makeItem(alias, columns, { name: relname, rowIsValue: true });
    return { items: [item], facts: NO_FACTS };
  }
  const relation = relationOf(variable, a.pgCatalog);
  if (relation === undefined)
    return { items: [makeItem(alias, undefined, { name: relname })], facts: NO_FACTS };
  a.record.relation(relation, "read", locationOf(variable));
  return { items: [relationItem(variable, relation, a)], facts: NO_FACTS };
}

function queryNamed(name: string, frame: CteFrame | undefined): (() => Columns) | undefined {
  for (let at = frame; at !== undefined; at = at.outer) {
    const query = at.queries.get(name);
    if (query !== undefined) return query;
  }
  return undefined;
}

/** A table with its stored columns, or a view with those of its definition. */
export function relationItem({ relname, alias }: RangeVar, relation: Relation, a: Analysis): Item {
  const defined = relation.definition === undefined ? undefined : a.view(relation);
  const fits = defined?.length === relation.columns.length;
  return makeItem(
    alias,
    relation.columns.map((each, place) => ({
      name: each.name,
      type: valueTypeOf(a.pgCatalog, each.type),
      notNull:
        isStoredNotNull(relation, each, a) || (fits && defined[place]?.value.null === "never"),
      groups: [],
      origin: { relation, column: each.name },
    })),
    { name: relname, schema: relation.schema, hidden: hiddenOf(relation), rowIsValue: true },
  );
}

/**
 * True if a NOT NULL constraint can be trusted. PostgreSQL doesn't enforce constraints of foreign
 * tables, and a materialized view may contain old rows.
 */
function isStoredNotNull({ kind }: Relation, { notNull }: Column, a: Analysis): boolean {
  return (
    a.trustsConstraints &&
    notNull &&
    (kind === "table" || kind === "partitioned" || kind === "sequence")
  );
}

const SYSTEM_COLUMNS = ["tableoid", "ctid", "xmin", "xmax", "cmin", "cmax"];

function hiddenOf({ kind }: Relation): readonly ScopeColumn[] {
  const has = kind === "table" || kind === "partitioned" || kind === "materialized";
  return has
    ? SYSTEM_COLUMNS.map((name) => ({ name, type: undefined, notNull: true, groups: [] }))
    : [];
}

type FunctionColumns = readonly ScopeColumn[] | undefined;

/**
 * Functions in FROM, with their columns as far as the result types determine them. `scope` includes
 * the items to the left.
 */
function functionRows(range: Fields<"RangeFunction">, scope: Scope, a: Analysis): Rows {
  const { functions = [], coldeflist, alias, ordinality } = range;
  const calls = functions.flatMap((each) => separateCalls(each));
  const single = calls.length === 1 && range.is_rowsfrom !== true ? alias?.aliasname : undefined;
  const lists = calls.map(({ call, defined }) =>
    columnsOfCall(call, defined ?? coldeflist, single, scope, a),
  );
  const all = lists.flatMap((each) => each ?? []);
  // If functions are combined, PostgreSQL extends shorter results with NULLs.
  const columns = lists.length > 1 ? all.map((each) => ({ ...each, notNull: false })) : all;
  const count = { name: "ordinality", type: OID.int8, notNull: true, groups: [] };
  const known = ordinality === true ? [...columns, count] : columns;
  const name = columnNameOf(calls[0]?.call);
  return {
    items: [makeItem(alias, lists.includes(undefined) ? undefined : known, { name })],
    facts: NO_FACTS,
  };
}

interface RowCall {
  readonly call: Node | undefined;
  readonly defined: readonly Node[] | undefined;
}

/** `unnest(a, b)` in FROM means `ROWS FROM (unnest(a), unnest(b))`. */
function separateCalls(node: Node): readonly RowCall[] {
  const [call, definitions] = itemsOf(node);
  const defined = definitions === undefined ? undefined : fieldsOf(definitions, "List")?.items;
  const fields = fieldsOf(call, "FuncCall");
  const { args = [], funcname } = fields ?? {};
  if (fields === undefined || args.length < 2 || namesIn(funcname).at(-1) !== "unnest")
    return [{ call, defined }];
  return args.map((each) => ({ call: { FuncCall: { ...fields, args: [each] } }, defined }));
}

function columnsOfCall(
  node: Node | undefined,
  defined: readonly Node[] | undefined,
  alias: string | undefined,
  scope: Scope,
  a: Analysis,
): FunctionColumns {
  const value = a.infer(node, scope);
  if (defined !== undefined && defined.length > 0) return definedColumns(defined, a);
  const name = alias ?? columnNameOf(node);
  const call = fieldsOf(node, "FuncCall");
  // PostgreSQL allows `CURRENT_DATE` and casts here too.
  if (call === undefined)
    return node === undefined ? undefined : [plainColumn(name, value.type, false)];
  const given = (call.args ?? []).map((each) => a.infer(each, scope).type);
  const shapes = candidatesOf(call, given, a).map((each) => shapeOf(each, given, name, a));
  const [first, ...others] = shapes;
  const alike = others.every(
    (each) => first !== undefined && each !== undefined && sameShape(first, each),
  );
  return alike ? first : undefined;
}

function sameShape(one: readonly ScopeColumn[], other: readonly ScopeColumn[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ name, type, notNull }, place) => {
      const twin = other[place];
      return (
        twin !== undefined && name === twin.name && type === twin.type && notNull === twin.notNull
      );
    })
  );
}

/** The columns of a function's rows; undefined if its type doesn't determine them. */
function shapeOf(
  each: PgFunction,
  given: readonly ValueType[],
  name: string,
  a: Analysis,
): FunctionColumns {
  const { pgCatalog } = a;
  const values = each.schema === "pg_catalog" && ROWS_OF_VALUES.has(each.name);
  const { outputs = [] } = each;
  const [only, ...others] = outputs;
  // A single named output names the column, whatever the alias.
  if (only !== undefined && others.length === 0 && only.name !== "")
    return scalarOrFields(only.name, valueTypeOf(pgCatalog, only.type), values, a);
  if (outputs.length > 1)
    return outputs.map((each) => plainColumn(each.name, valueTypeOf(pgCatalog, each.type), values));
  const type = resultType(pgCatalog, [each], given);
  return scalarOrFields(name, type, values, a);
}

function scalarOrFields(
  name: string,
  type: ValueType,
  values: boolean,
  { pgCatalog }: Analysis,
): FunctionColumns {
  const known = typeof type === "number" ? pgCatalog.typeOf(type) : undefined;
  if (known === undefined) return undefined;
  if (known.kind !== "composite") return [plainColumn(name, type, values)];
  return known.fields?.map((each) =>
    plainColumn(each.name, valueTypeOf(pgCatalog, each.type), false),
  );
}

function plainColumn(name: string, type: ValueType, notNull: boolean): ScopeColumn {
  return { name, type, notNull, groups: [] };
}

/** Columns of `AS t (a int, b text)`. */
function definedColumns(nodes: readonly Node[], { pgCatalog }: Analysis): readonly ScopeColumn[] {
  return nodes.map((each) => {
    const { colname = "", typeName }: ColumnDef = fieldsOf(each, "ColumnDef") ?? {};
    const oid = typeOfName(pgCatalog, typeName);
    return plainColumn(colname, oid === undefined ? undefined : valueTypeOf(pgCatalog, oid), false);
  });
}
