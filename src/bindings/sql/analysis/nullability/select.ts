/**
 * Analyzes SELECT, VALUES and set operations: their rows, their groups, and the columns of their
 * target lists.
 */
import type { Node, SelectStmt } from "@pgsql/types";
import { columnNameOf } from "../../statement/output-name.js";
import { type Fields, fieldsOf, itemsOf, locationOf, namesIn, walk } from "../../statement/tree.js";
import { OID, valueTypeOf } from "../value-type.js";
import { belongsHere, isAggregate } from "./call.js";
import { fromClause } from "./from.js";
import {
  allOf,
  type Analysis,
  columnNamed,
  type Columns,
  hasValue,
  itemNamed,
  oneOf,
  type Output,
  type OutputColumn,
  type Scope,
  type ScopeColumn,
  starColumns,
  UNKNOWN,
} from "./model.js";

/** Analyzes a SELECT with a target list: its FROM, the facts of its conditions, and its columns. */
export function querySelect(select: SelectStmt, around: Scope, a: Analysis): Output {
  const rows = fromClause(select.fromClause, around, a);
  const before: Scope = {
    items: rows.items,
    facts: allOf([around.facts, rows.facts]),
    outer: around,
    ctes: around.ctes,
    grouped: false,
    windows: windowsOf(select),
  };
  const filtered = proven(before, select.whereClause, a);
  const sets = hasGroupingSets(select);
  const grouped = { ...filtered, grouped: select.groupClause !== undefined && !sets };
  const scope = sets ? grouped : proven(grouped, select.havingClause, a);
  look(select, scope, a);
  const columns = outputOf(select.targetList, scope, a);
  return {
    columns: sets ? maskGroups(select, columns, a) : columns,
    oneRow: hasOneRow(select, before, a),
  };
}

function proven(scope: Scope, condition: Node | undefined, a: Analysis): Scope {
  a.infer(condition, scope);
  return { ...scope, facts: allOf([scope.facts, a.prove(condition, scope, "true")]) };
}

/**
 * Visits the other clauses. They prove nothing about the target list, but refer to tables, columns
 * and functions.
 */
function look(select: SelectStmt, scope: Scope, a: Analysis): void {
  const windows = (select.windowClause ?? []).flatMap((each) => {
    const {
      partitionClause = [],
      orderClause = [],
      startOffset,
      endOffset,
    } = fieldsOf(each, "WindowDef") ?? {};
    return [...partitionClause, ...orderClause, startOffset, endOffset];
  });
  const groups = (select.groupClause ?? []).flatMap((each) => membersOf(each));
  const sorts = (select.sortClause ?? []).concat(
    select.distinctClause ?? [],
    windows.filter((each) => each !== undefined),
  );
  const parts = [...groups, ...sorts, select.havingClause, select.limitCount, select.limitOffset];
  for (const each of parts) a.infer(fieldsOf(each, "SortBy")?.node ?? each, scope);
}

function windowsOf({ windowClause = [] }: SelectStmt): ReadonlyMap<string, number> {
  const windows = windowClause.map((each) => fieldsOf(each, "WindowDef"));
  return new Map(windows.map((each) => [each?.name ?? "", each?.frameOptions ?? 0]));
}

/** Analyzes `VALUES (…), (…)`: a column is not NULL if it is not NULL in any row. */
export function queryValues(
  { valuesLists = [], limitCount, limitOffset }: SelectStmt,
  around: Scope,
  a: Analysis,
): Output {
  const scope: Scope = { ...around, items: [], outer: around, grouped: false, windows: new Map() };
  const rows = valuesLists.map((each) => itemsOf(each).map((item) => a.infer(item, scope)));
  const [first = []] = rows;
  const columns = first.map((_, place): OutputColumn => ({
    name: `column${place + 1}`,
    value: oneOf(
      a.pgCatalog,
      rows.flatMap((row) => row[place] ?? []),
    ),
    aliased: false,
  }));
  return {
    columns: rows.every(({ length }) => length === first.length) ? columns : undefined,
    oneRow: rows.length === 1 && limitCount === undefined && limitOffset === undefined,
  };
}

/** Analyzes UNION, INTERSECT and EXCEPT. Names come from the left side. */
export function querySetOperation(select: SelectStmt, around: Scope, a: Analysis): Output {
  const { op, larg, rarg } = select;
  const left = larg === undefined ? undefined : a.query({ SelectStmt: larg }, around).columns;
  const right = rarg === undefined ? undefined : a.query({ SelectStmt: rarg }, around).columns;
  return { columns: combine(op, left, right, a), oneRow: false };
}

function combine(
  op: SelectStmt["op"],
  left: Columns,
  right: Columns,
  { pgCatalog }: Analysis,
): Columns {
  if (left === undefined) return undefined;
  return left.map((each, place): OutputColumn => {
    const other = right?.length === left.length ? right[place] : undefined;
    const { origin: _, ...column } = each;
    if (other === undefined) return { ...column, value: { type: undefined, null: "maybe" } };
    const value = oneOf(pgCatalog, [each.value, other.value]);
    // EXCEPT returns rows of the left side; INTERSECT returns rows that are on both sides.
    const either =
      op === "SETOP_EXCEPT" ? each.value : op === "SETOP_INTERSECT" ? other.value : value;
    const never =
      either.null === "never" || (op === "SETOP_INTERSECT" && each.value.null === "never");
    const kept = never && value.type !== undefined;
    return { ...column, value: kept ? { ...value, null: "never" } : value };
  });
}

/**
 * True if a query always has exactly one row: it has no FROM or only aggregates, and no clause
 * removes the row. `scope` is the query's own.
 */
function hasOneRow(select: SelectStmt, scope: Scope, a: Analysis): boolean {
  const { limitCount, limitOffset, havingClause, groupClause, targetList = [] } = select;
  if ((limitCount ?? limitOffset ?? havingClause ?? groupClause) !== undefined) return false;
  if (targetList.some((each) => mayMultiply(each, a))) return false;
  if (select.fromClause === undefined && select.whereClause === undefined) return true;
  return targetList.some((each) => hasOwnAggregate(each, scope, a));
}

/**
 * True if an expression contains set-returning functions, which may return several rows or none.
 */
function mayMultiply(node: Node, { pgCatalog }: Analysis): boolean {
  let found = false;
  walk(node, (each) => {
    const call = fieldsOf(each, "FuncCall");
    if (call !== undefined)
      found ||= pgCatalog.functions(namesIn(call.funcname)).some(({ returnsSet }) => returnsSet);
  });
  return found;
}

function hasOwnAggregate(node: Node, scope: Scope, a: Analysis): boolean {
  let found = false;
  walk(node, (each) => {
    const call = fieldsOf(each, "FuncCall");
    if (call !== undefined && isAggregate(call, a)) found ||= belongsHere(call, scope);
    // A nested subquery proves nothing about this query.
    return fieldsOf(each, "SubLink") === undefined;
  });
  return found;
}

function hasGroupingSets({ groupClause = [] }: SelectStmt): boolean {
  return groupClause.some((each) => fieldsOf(each, "GroupingSet") !== undefined);
}

/** The expressions in a GROUP BY, including those in grouping sets. */
function membersOf(node: Node): readonly Node[] {
  const set = fieldsOf(node, "GroupingSet");
  if (set !== undefined) return (set.content ?? []).flatMap((each) => membersOf(each));
  // A member of ROLLUP ((a, b), c) may be a row.
  return fieldsOf(node, "RowExpr")?.args ?? [node];
}

/**
 * Makes columns nullable that a grouping set may set to NULL: columns or expressions of other sets.
 * A target without columns outside of aggregates can't be such an expression, unless an expression
 * without columns is grouped by.
 */
function maskGroups(select: SelectStmt, columns: Columns, a: Analysis): Columns {
  const { groupClause = [], targetList = [] } = select;
  const constant = groupClause
    .flatMap((each) => membersOf(each))
    .some((each) => meantBy(each, targetList).some((meant) => !hasColumns(meant, a)));
  return columns?.map((column, place): OutputColumn => {
    const target = columns.length === targetList.length ? targetList[place] : undefined;
    const stays = target !== undefined && !constant && !hasColumns(target, a);
    if (stays || column.value.null !== "never") return column;
    return { ...column, value: { ...column.value, null: "maybe" } };
  });
}

/**
 * The expressions that a GROUP BY member may refer to. A number is the position of a target; a name
 * may be a target's name.
 */
function meantBy(member: Node, targets: readonly Node[]): readonly Node[] {
  const place = fieldsOf(member, "A_Const")?.ival?.ival;
  const target = place === undefined ? undefined : targets[place - 1];
  if (target !== undefined) return [target];
  const [name, ...others] = namesIn(fieldsOf(member, "ColumnRef")?.fields);
  if (name === undefined || others.length > 0) return [member];
  return [member, ...targets.filter((each) => fieldsOf(each, "ResTarget")?.name === name)];
}

/**
 * True if an expression has, or may have, columns outside of aggregates. A subquery may refer to
 * any column.
 */
function hasColumns(node: Node, a: Analysis): boolean {
  let found = false;
  walk(node, (each) => {
    found ||= "ColumnRef" in each || "SubLink" in each;
    const call = fieldsOf(each, "FuncCall");
    return !("GroupingFunc" in each) && (call === undefined || !isAggregate(call, a));
  });
  return found;
}

/** The columns of a target list or a RETURNING, with stars expanded in PostgreSQL's order. */
export function outputOf(targets: readonly Node[] | undefined, scope: Scope, a: Analysis): Columns {
  const lists = (targets ?? []).map((each) => {
    const target = fieldsOf(each, "ResTarget");
    return target === undefined ? undefined : columnsOfTarget(target, scope, a);
  });
  const all = lists.flatMap((each) => each ?? []);
  return lists.includes(undefined) ? undefined : all;
}

function columnsOfTarget(target: Fields<"ResTarget">, scope: Scope, a: Analysis): Columns {
  const reference = fieldsOf(target.val, "ColumnRef");
  const fields = reference?.fields ?? [];
  if (isStarNode(fields.at(-1))) {
    const location = locationOf(target);
    return starColumns(fields, scope)?.map((each) => ({ ...asOutput(each, scope, a), location }));
  }
  const part = fieldsOf(target.val, "A_Indirection");
  if (part !== undefined && isStarNode(part.indirection?.at(-1)))
    return fieldsOfValue(part, scope, a);
  const value = a.infer(target.val, scope);
  return [
    {
      name: target.name ?? columnNameOf(target.val),
      // An untyped literal in a target list becomes text.
      value: value.type === "literal" ? { ...value, type: OID.text } : value,
      origin: reference === undefined ? undefined : columnNamed(fields, scope)?.origin,
      aliased: target.name !== undefined,
      location: locationOf(target),
    },
  ];
}

function isStarNode(node: Node | undefined): boolean {
  return fieldsOf(node, "A_Star") !== undefined;
}

function asOutput(column: ScopeColumn, scope: Scope, a: Analysis): OutputColumn {
  const { name, type, origin } = column;
  if (origin !== undefined) a.record.column(origin, "read");
  const value = { type, null: hasValue(column, scope.facts) ? "never" : "maybe" } as const;
  return { name, value, origin, aliased: false };
}

/**
 * Expands `(value).*`: the columns of a FROM item, or the fields of a composite value if its type
 * is known.
 */
function fieldsOfValue(
  { arg, indirection = [] }: Fields<"A_Indirection">,
  scope: Scope,
  a: Analysis,
): Columns {
  const { type } = a.infer(arg, scope);
  const reference = fieldsOf(arg, "ColumnRef");
  if (indirection.length > 1) return undefined;
  const item = itemNamed(namesIn(reference?.fields), scope);
  if (item !== undefined && columnNamed(reference?.fields, scope) === item.row)
    return item.columns?.map((each) => asOutput(each, scope, a));
  const fields = typeof type === "number" ? a.pgCatalog.typeOf(type)?.fields : undefined;
  return fields?.map((field) => ({
    name: field.name,
    value: { ...UNKNOWN, type: valueTypeOf(a.pgCatalog, field.type) },
    aliased: false,
  }));
}
