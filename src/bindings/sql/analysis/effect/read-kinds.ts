/** Nodes that may stand in a statement that only reads. Any other makes it a write, those that nobody thought of too. */
export const READ_KINDS: ReadonlySet<string> = new Set(
  [
    "SelectStmt ResTarget ColumnRef A_Star String Integer Float Boolean BitString A_Const ParamRef List",
    "A_Expr BoolExpr NullTest BooleanTest SubLink CaseExpr CaseWhen CoalesceExpr MinMaxExpr RowExpr A_ArrayExpr A_Indirection A_Indices",
    "TypeCast TypeName CollateClause FuncCall NamedArgExpr WindowDef SortBy SQLValueFunction GroupingFunc GroupingSet SetToDefault",
    "RangeVar Alias RangeSubselect RangeFunction RangeTableSample RangeTableFunc RangeTableFuncCol JoinExpr ColumnDef",
    "WithClause CommonTableExpr CTESearchClause CTECycleClause",
    "XmlExpr XmlSerialize JsonTable JsonTableColumn JsonTablePathSpec JsonFormat JsonReturning JsonOutput JsonValueExpr JsonArgument JsonFuncExpr",
    "JsonBehavior JsonKeyValue JsonIsPredicate JsonParseExpr JsonScalarExpr JsonSerializeExpr JsonObjectConstructor JsonArrayConstructor",
    "JsonArrayQueryConstructor JsonAggConstructor JsonObjectAgg JsonArrayAgg",
    // Parts of statements that write: these are the reason, not their parts.
    "MergeWhenClause MergeSupportFunc MultiAssignRef IndexElem ReturningOption CurrentOfExpr",
  ].flatMap((line) => line.split(" ")),
);

/** Nodes that write, each with what they do. */
export const WRITING: ReadonlyMap<string, string> = new Map([
  ["InsertStmt", "INSERT"],
  ["UpdateStmt", "UPDATE"],
  ["DeleteStmt", "DELETE"],
  ["MergeStmt", "MERGE"],
  ["TruncateStmt", "TRUNCATE"],
]);
