import type { Node } from "@pgsql/types";
import { fieldsOf, type Kind, kindOf, namesIn } from "./node.js";

/** Nodes that name their column. */
const NAMES: { readonly [K in Kind]?: string } = {
  A_ArrayExpr: "array",
  RowExpr: "row",
  CoalesceExpr: "coalesce",
  GroupingFunc: "grouping",
  MergeSupportFunc: "merge_action",
  XmlSerialize: "xmlserialize",
  JsonParseExpr: "json",
  JsonScalarExpr: "json_scalar",
  JsonSerializeExpr: "json_serialize",
  JsonObjectConstructor: "json_object",
  JsonArrayConstructor: "json_array",
  JsonArrayQueryConstructor: "json_array",
  JsonObjectAgg: "json_objectagg",
  JsonArrayAgg: "json_arrayagg",
};

const NAMES_BY_OP: Readonly<Record<string, string>> = {
  IS_GREATEST: "greatest",
  IS_LEAST: "least",
  IS_XMLCONCAT: "xmlconcat",
  IS_XMLELEMENT: "xmlelement",
  IS_XMLFOREST: "xmlforest",
  IS_XMLPARSE: "xmlparse",
  IS_XMLPI: "xmlpi",
  IS_XMLROOT: "xmlroot",
  IS_XMLSERIALIZE: "xmlserialize",
  JSON_EXISTS_OP: "json_exists",
  JSON_QUERY_OP: "json_query",
  JSON_VALUE_OP: "json_value",
};

/** The name that PostgreSQL gives to a column without an alias: its FigureColname. */
export function columnNameOf(node: Node | undefined): string {
  return named(node)?.name ?? "?column?";
}

/** A weak name gives way to a stronger one further out: that of a cast's type to the name of what is cast. */
interface Named {
  readonly name: string;
  readonly weak: boolean;
}

function strong(name: string | undefined): Named | undefined {
  return name === undefined ? undefined : { name, weak: false };
}

function weak(name: string | undefined): Named | undefined {
  return name === undefined ? undefined : { name, weak: true };
}

function named(node: Node | undefined): Named | undefined {
  const kind = kindOf(node);
  if (node === undefined || kind === undefined) return undefined;
  if ("ColumnRef" in node) return strong(namesIn(node.ColumnRef.fields).at(-1));
  if ("FuncCall" in node) return strong(namesIn(node.FuncCall.funcname).at(-1));
  if ("A_Indirection" in node)
    return strong(namesIn(node.A_Indirection.indirection).at(-1)) ?? named(node.A_Indirection.arg);
  if ("CollateClause" in node) return named(node.CollateClause.arg);
  if ("TypeCast" in node)
    return unlessStrong(node.TypeCast.arg, namesIn(node.TypeCast.typeName?.names).at(-1));
  if ("CaseExpr" in node) return unlessStrong(node.CaseExpr.defresult, "case");
  if ("A_Expr" in node) return strong(node.A_Expr.kind === "AEXPR_NULLIF" ? "nullif" : undefined);
  if ("SubLink" in node) return nameOfSubquery(node.SubLink.subLinkType, node.SubLink.subselect);
  if ("SQLValueFunction" in node)
    return strong(node.SQLValueFunction.op?.replace(/^SVFOP_|_N$/g, "").toLowerCase());
  const op =
    fieldsOf(node, "MinMaxExpr")?.op ??
    fieldsOf(node, "XmlExpr")?.op ??
    fieldsOf(node, "JsonFuncExpr")?.op;
  return strong(NAMES[kind] ?? NAMES_BY_OP[op ?? ""]);
}

function unlessStrong(inner: Node | undefined, name: string | undefined): Named | undefined {
  const found = named(inner);
  return found === undefined || found.weak ? weak(name) : found;
}

function nameOfSubquery(type: string | undefined, subselect: Node | undefined): Named | undefined {
  if (type === "EXISTS_SUBLINK") return strong("exists");
  if (type === "ARRAY_SUBLINK") return strong("array");
  if (type !== "EXPR_SUBLINK") return undefined;
  let select = fieldsOf(subselect, "SelectStmt");
  while (select?.larg !== undefined) select = select.larg;
  const target = fieldsOf(select?.targetList?.[0], "ResTarget");
  return target === undefined ? strong("column1") : strong(target.name ?? columnNameOf(target.val));
}
