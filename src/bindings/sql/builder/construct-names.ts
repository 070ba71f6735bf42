import type { Node } from "@pgsql/types";
import { getOwn } from "../../../core/json.js";

/** What authors call a part of a statement: the SQL that it is written with. */
export function constructName(node: Node): string {
  return constructOfKind(Object.keys(node)[0] ?? "");
}

/** The same, of the parser's name for it. */
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
  SQLValueFunction: "CURRENT_DATE or its like",
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
