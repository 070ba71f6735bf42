/**
 * Reads the parts of PostgreSQL's nodes that the translation needs, and names nodes for messages.
 */
import type { A_Const, ColumnRef, Node } from "@pgsql/types";
import { getOwn } from "../../../core/json.js";

/** Thrown and caught inside the translation: the builder can't express a part of the statement. */
export class NoWords extends Error {
  override readonly name = "NoWords";
}

function stringValue(node: Node | undefined): string {
  if (node !== undefined && "String" in node) return node.String.sval ?? "";
  throw new NoWords("a name that is not plain text");
}

export function namesOf(nodes: readonly Node[] | undefined): readonly string[] {
  return (nodes ?? []).map(stringValue);
}

/** The names of a column reference, and whether it ends in `*`. */
export function namesOfReference(ref: ColumnRef): {
  readonly names: readonly string[];
  readonly star: boolean;
} {
  const fields = ref.fields ?? [];
  const last = fields.at(-1);
  const star = last !== undefined && "A_Star" in last;
  return { names: namesOf(star ? fields.slice(0, -1) : fields), star };
}

export function columnRef(node: Node | undefined): ColumnRef | undefined {
  return node !== undefined && "ColumnRef" in node ? node.ColumnRef : undefined;
}

/** The operator of an expression, unless it is qualified. */
export function operatorOf(names: readonly Node[] | undefined): string | undefined {
  return names?.length === 1 ? stringValue(names[0]) : undefined;
}

type ConstantValue =
  | { readonly kind: "value"; readonly value: string | number | boolean | null }
  /** A number whose JavaScript form differs from the written digits. */
  | { readonly kind: "digits"; readonly text: string }
  | { readonly kind: "other" };

/** Converts a constant to a JavaScript value. The parser omits zero, false and empty values. */
export function constantOf(constant: A_Const): ConstantValue {
  if (constant.isnull) return { kind: "value", value: null };
  if (constant.ival) return { kind: "value", value: constant.ival.ival ?? 0 };
  if (constant.boolval) return { kind: "value", value: constant.boolval.boolval ?? false };
  if (constant.sval) return { kind: "value", value: constant.sval.sval ?? "" };
  if (constant.fval === undefined) return { kind: "other" };
  const text = constant.fval.fval ?? "";
  const number = Number(text);
  return String(number) === text ? { kind: "value", value: number } : { kind: "digits", text };
}

/** Name of a part of a statement for messages: the SQL keyword or form. */
export function constructName(node: Node): string {
  return constructOfKind(Object.keys(node)[0] ?? "");
}

/** The same for a node kind of the parser. */
export function constructOfKind(kind: string): string {
  return getOwn(NAMES, kind) ?? "a part of the statement";
}

const NAMES: Readonly<Record<string, string>> = {
  A_ArrayExpr: "ARRAY[…]",
  A_Const: "a constant",
  A_Expr: "an operator",
  A_Indirection: "an element or a field of a value",
  BoolExpr: "AND, OR or NOT",
  CaseExpr: "CASE",
  CoalesceExpr: "COALESCE",
  CollateClause: "COLLATE",
  ColumnRef: "a column",
  CommonTableExpr: "WITH",
  CurrentOfExpr: "WHERE CURRENT OF",
  DeleteStmt: "DELETE",
  FuncCall: "a function",
  GroupingFunc: "GROUPING",
  GroupingSet: "GROUPING SETS",
  InferClause: "ON CONFLICT",
  InsertStmt: "INSERT",
  JoinExpr: "JOIN",
  JsonArrayAgg: "JSON_ARRAYAGG",
  JsonArrayConstructor: "JSON_ARRAY",
  JsonArrayQueryConstructor: "JSON_ARRAY",
  JsonFuncExpr: "JSON_VALUE, JSON_QUERY or JSON_EXISTS",
  JsonIsPredicate: "IS JSON",
  JsonObjectAgg: "JSON_OBJECTAGG",
  JsonObjectConstructor: "JSON_OBJECT",
  JsonParseExpr: "JSON()",
  JsonScalarExpr: "JSON_SCALAR",
  JsonSerializeExpr: "JSON_SERIALIZE",
  JsonTable: "JSON_TABLE",
  LockingClause: "FOR UPDATE",
  MergeStmt: "MERGE",
  MergeSupportFunc: "MERGE_ACTION",
  MergeWhenClause: "WHEN of MERGE",
  MinMaxExpr: "GREATEST or LEAST",
  MultiAssignRef: "SET (…) = (…)",
  NamedArgExpr: "a named argument",
  NullTest: "IS NULL",
  OnConflictClause: "ON CONFLICT",
  ParamRef: "a parameter",
  RangeFunction: "a function in FROM",
  RangeSubselect: "a query in FROM",
  RangeTableFunc: "XMLTABLE",
  RangeTableSample: "TABLESAMPLE",
  RangeVar: "a table",
  ReturningClause: "RETURNING",
  RowExpr: "ROW",
  SelectStmt: "SELECT",
  SetToDefault: "DEFAULT",
  SortBy: "ORDER BY",
  SQLValueFunction: "CURRENT_DATE or a similar function",
  SubLink: "a subquery",
  TruncateStmt: "TRUNCATE",
  TypeCast: "a cast",
  TypeName: "a type",
  UpdateStmt: "UPDATE",
  WindowDef: "a window",
  WithClause: "WITH",
  XmlExpr: "an XML function",
  XmlSerialize: "XMLSERIALIZE",
};
