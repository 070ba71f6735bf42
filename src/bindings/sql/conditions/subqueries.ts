import type { Node } from "@pgsql/types";
import { type Fields, fieldsOf, namesIn } from "../statement/tree.js";
import { ANY, type Assumed, FALSE, NULL, TRUE } from "./assumed.js";
import { columnName, isOwnColumn } from "./values.js";

/**
 * Evaluates a query as a condition, for example `EXISTS (SELECT 1)`. `id IN (SELECT id FROM stock)`
 * is always true if the statement chooses rows of `stock`.
 */
export function askedOf(query: Fields<"SubLink">, assumed: Assumed): number {
  const { operName, subLinkType, subselect, testexpr } = query;
  if (subLinkType === "EXISTS_SUBLINK") return exists(subselect, assumed);
  const isIn = operName === undefined || namesIn(operName).at(-1) === "=";
  if (subLinkType === "EXPR_SUBLINK") return onlyValue(subselect, assumed);
  if (subLinkType !== "ANY_SUBLINK" || !isIn) return ANY;
  return isEveryValue(testexpr, subselect, assumed) ? TRUE : ANY;
}

function exists(query: Node | undefined, assumed: Assumed): number {
  const select = plainSelect(query, assumed);
  if (select === undefined) return ANY;
  const { fromClause = [], targetList = [], valuesLists = [], whereClause } = select;
  const [source, ...others] = fromClause;
  if (source !== undefined)
    return others.length === 0 && isPartner(whereClause, source, assumed) ? TRUE : ANY;
  if (valuesLists.length > 0) return TRUE;
  const isPlain = targetList.every((each) => "A_Const" in (fieldsOf(each, "ResTarget")?.val ?? {}));
  if (!isPlain) return ANY;
  const found = whereClause === undefined ? TRUE : assumed.truthOf(whereClause);
  return (found & TRUE ? TRUE : 0) | (found & (FALSE | NULL) ? FALSE : 0);
}

/** Evaluates `(SELECT true)`. */
function onlyValue(query: Node | undefined, assumed: Assumed): number {
  const { fromClause = [], targetList = [], whereClause } = plainSelect(query, assumed) ?? {};
  const [only, ...others] = targetList;
  if (fromClause.length > 0 || whereClause !== undefined || others.length > 0) return ANY;
  return assumed.truthOf(fieldsOf(only, "ResTarget")?.val);
}

/** True for `p.id = orders.id` if every row of the table has such a partner. */
function isPartner(condition: Node | undefined, source: Node, assumed: Assumed): boolean {
  const { kind, lexpr, name, rexpr } = fieldsOf(condition, "A_Expr") ?? {};
  if (kind !== "AEXPR_OP" || namesIn(name).at(-1) !== "=") return false;
  const alias = aliasOf(source);
  return [
    [lexpr, rexpr],
    [rexpr, lexpr],
  ].some(([own, other]) => {
    const [qualifier, column = "", ...rest] = pathOf(other);
    if (qualifier !== alias || rest.length > 0 || pathOf(own).length < 2) return false;
    const values = valuesOf(source, column, assumed);
    return isOwnColumn(own, assumed) && values !== undefined && values === columnName(own);
  });
}

/**
 * True if each row's value of a column is certainly among the values compared with it. These are
 * the result of a query (`id` in `SELECT id FROM orders`) or a column of a joined source. A row
 * expression needs this for each field.
 */
export function isEveryValue(
  own: Node | undefined,
  other: Node | undefined,
  assumed: Assumed,
): boolean {
  if (assumed.fixed !== undefined) return false;
  const fields = fieldsOf(own, "RowExpr")?.args ?? [own];
  if (!fields.every((each) => isOwnColumn(each, assumed))) return false;
  const names = fields.map(columnName);
  if (other !== undefined && "SelectStmt" in other)
    return names.every((name, at) => outputOf(other, at, assumed) === name);
  const [qualifier = "", column = "", ...rest] = pathOf(other);
  const source = assumed.sources?.joined.get(qualifier);
  if (source === undefined || rest.length > 0) return false;
  return names.length === 1 && valuesOf(source, column, assumed) === names[0];
}

function pathOf(node: Node | undefined): readonly string[] {
  return namesIn(fieldsOf(node, "ColumnRef")?.fields);
}

/** Name by which a statement refers to a table or query in FROM. */
export function aliasOf(source: Node): string | undefined {
  const range = fieldsOf(source, "RangeVar");
  const alias = range?.alias ?? fieldsOf(source, "RangeSubselect")?.alias;
  return alias?.aliasname ?? range?.relname;
}

/** Finds the column of the changed table whose values are all in this column of a source. */
function valuesOf(source: Node, column: string, assumed: Assumed): string | undefined {
  const range = fieldsOf(source, "RangeVar");
  const query = fieldsOf(source, "RangeSubselect");
  if (query !== undefined)
    return query.alias?.colnames === undefined
      ? outputOf(query.subquery, column, assumed)
      : undefined;
  if (range === undefined || range.alias?.colnames !== undefined) return undefined;
  const { relname = "", schemaname } = range;
  const known = schemaname === undefined ? assumed.sources?.queries.get(relname) : undefined;
  if (known !== undefined) return outputOf(known, column, assumed);
  const relation = assumed.pgCatalog.relation(
    schemaname === undefined ? [relname] : [schemaname, relname],
  );
  return relation !== undefined && relation === assumed.target?.relation ? column : undefined;
}

/** Finds the same for a result column of a query, given by position or name. */
function outputOf(
  query: Node | undefined,
  which: number | string,
  assumed: Assumed,
): string | undefined {
  const select = fieldsOf(query, "SelectStmt");
  if (select?.op === "SETOP_UNION") {
    const [left, right] = [select.larg, select.rarg].map((each) =>
      each === undefined ? undefined : outputOf({ SelectStmt: each }, which, assumed),
    );
    return left ?? right;
  }
  const { fromClause = [], targetList = [], whereClause } = plainSelect(query, assumed) ?? {};
  const [source, ...others] = fromClause;
  if (source === undefined || others.length > 0) return undefined;
  if (whereClause !== undefined && assumed.truthOf(whereClause) !== TRUE) return undefined;
  const targets = targetList.map((each) => fieldsOf(each, "ResTarget"));
  const chosen =
    typeof which === "number"
      ? targets[which]
      : targets.find((each) => (each?.name ?? columnName(each?.val) ?? which) === which);
  const reference = fieldsOf(chosen?.val, "ColumnRef");
  if (reference === undefined) return undefined;
  const name = columnName(chosen?.val) ?? which;
  return typeof name === "string" ? valuesOf(source, name, assumed) : undefined;
}

/**
 * Returns a SELECT that only its FROM and WHERE can keep from returning every row; undefined for
 * any other.
 */
function plainSelect(query: Node | undefined, assumed: Assumed): Fields<"SelectStmt"> | undefined {
  const select = fieldsOf(query, "SelectStmt");
  if (select === undefined || select.larg !== undefined || select.withClause !== undefined)
    return undefined;
  const { groupClause, havingClause, limitCount, limitOffset } = select;
  const isLimited = limitCount !== undefined && !assumed.isNull(limitCount);
  const isCut = isLimited || (limitOffset !== undefined && !isZero(limitOffset, assumed));
  return isCut || groupClause !== undefined || havingClause !== undefined ? undefined : select;
}

function isZero(node: Node, assumed: Assumed): boolean {
  const constant = fieldsOf(node, "A_Const");
  return assumed.isNull(node) || (constant?.ival !== undefined && (constant.ival.ival ?? 0) === 0);
}
