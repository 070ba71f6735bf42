import type { Node, ResTarget, SelectStmt } from "@pgsql/types";
import { getOwn } from "../../../core/json.js";

/**
 * The name that PostgreSQL gives an output column without an alias (FigureColname of
 * parse_target.c, PostgreSQL 18). Undefined if it depends on the catalog (the first column of
 * `SELECT *` in a scalar subquery).
 */
export function outputName(target: ResTarget): string | undefined {
  if (target.name !== undefined) return target.name;
  if (target.val === undefined || isStar(target.val)) return undefined;
  const found = figure(target.val);
  return found === "star" ? undefined : (found?.name ?? "?column?");
}

/**
 * The name of a column with this expression and no alias; `?column?` if it depends on the catalog.
 */
export function columnNameOf(val: Node | undefined): string {
  return (val && outputName({ val })) ?? "?column?";
}

/** A `strong` name is kept inside a cast or CASE. */
type Figured = { readonly name: string; readonly strong: boolean } | "star" | undefined;

function strong(name: string): Figured {
  return { name, strong: true };
}

function figure(node: Node | undefined): Figured {
  if (node === undefined) return undefined;
  if ("ColumnRef" in node) return lastName(node.ColumnRef.fields);
  if ("A_Indirection" in node)
    return lastName(node.A_Indirection.indirection) ?? figure(node.A_Indirection.arg);
  if ("FuncCall" in node) return lastName(node.FuncCall.funcname);
  if ("A_Expr" in node) return node.A_Expr.kind === "AEXPR_NULLIF" ? strong("nullif") : undefined;
  if ("TypeCast" in node) return figureCast(node.TypeCast.arg, node.TypeCast.typeName?.names);
  if ("CollateClause" in node) return figure(node.CollateClause.arg);
  if ("CaseExpr" in node) return weaker(figure(node.CaseExpr.defresult), "case");
  if ("SubLink" in node) return figureSubquery(node.SubLink.subLinkType, node.SubLink.subselect);
  return figureKeyword(node);
}

function lastName(nodes: readonly Node[] | undefined): Figured {
  const last = nodes?.findLast((each) => "String" in each);
  return last !== undefined && "String" in last ? strong(last.String.sval ?? "") : undefined;
}

function figureCast(arg: Node | undefined, names: readonly Node[] | undefined): Figured {
  const own = lastName(names);
  const found = figure(arg);
  return own === undefined || own === "star" ? found : weaker(found, own.name);
}

function weaker(found: Figured, name: string): Figured {
  if (found === "star" || found?.strong) return found;
  return { name, strong: false };
}

function figureSubquery(kind: string | undefined, query: Node | undefined): Figured {
  if (kind === "EXISTS_SUBLINK") return strong("exists");
  if (kind === "ARRAY_SUBLINK") return strong("array");
  if (kind !== "EXPR_SUBLINK" || query === undefined || !("SelectStmt" in query)) return undefined;
  return figureScalar(query.SelectStmt);
}

/** A scalar subquery has the name of its one column. */
function figureScalar(select: SelectStmt): Figured {
  if (select.larg !== undefined) return figureScalar(select.larg);
  if (select.valuesLists !== undefined) return strong("column1");
  const [first] = select.targetList ?? [];
  if (first === undefined || !("ResTarget" in first)) return undefined;
  if (isStar(first.ResTarget.val)) return "star";
  const name = outputName(first.ResTarget);
  return name === undefined ? "star" : strong(name);
}

function isStar(node: Node | undefined): boolean {
  if (node === undefined) return false;
  const fields =
    "ColumnRef" in node
      ? node.ColumnRef.fields
      : "A_Indirection" in node
        ? node.A_Indirection.indirection
        : undefined;
  return fields?.some((each) => "A_Star" in each) ?? false;
}

const KEYWORDS: Readonly<Record<string, string>> = {
  A_ArrayExpr: "array",
  CoalesceExpr: "coalesce",
  GroupingFunc: "grouping",
  JsonArrayAgg: "json_arrayagg",
  JsonArrayConstructor: "json_array",
  JsonArrayQueryConstructor: "json_array",
  JsonObjectAgg: "json_objectagg",
  JsonObjectConstructor: "json_object",
  JsonParseExpr: "json",
  JsonScalarExpr: "json_scalar",
  JsonSerializeExpr: "json_serialize",
  MergeSupportFunc: "merge_action",
  RowExpr: "row",
  XmlSerialize: "xmlserialize",
};

const XML: Readonly<Record<string, string>> = {
  IS_XMLCONCAT: "xmlconcat",
  IS_XMLELEMENT: "xmlelement",
  IS_XMLFOREST: "xmlforest",
  IS_XMLPARSE: "xmlparse",
  IS_XMLPI: "xmlpi",
  IS_XMLROOT: "xmlroot",
  IS_XMLSERIALIZE: "xmlserialize",
};

const JSON_QUERIES: Readonly<Record<string, string>> = {
  JSON_EXISTS_OP: "json_exists",
  JSON_QUERY_OP: "json_query",
  JSON_VALUE_OP: "json_value",
};

function figureKeyword(node: Node): Figured {
  const kind = Object.keys(node)[0] ?? "";
  const name = getOwn(KEYWORDS, kind) ?? keywordOf(node);
  return name === undefined ? undefined : strong(name);
}

function keywordOf(node: Node): string | undefined {
  if ("MinMaxExpr" in node) return node.MinMaxExpr.op === "IS_GREATEST" ? "greatest" : "least";
  if ("XmlExpr" in node) return XML[node.XmlExpr.op ?? ""];
  if ("JsonFuncExpr" in node) return JSON_QUERIES[node.JsonFuncExpr.op ?? ""];
  if (!("SQLValueFunction" in node)) return undefined;
  const word = (node.SQLValueFunction.op ?? "").replace(/^SVFOP_/, "").replace(/_N$/, "");
  return word.toLowerCase();
}
