import type { Node } from "@pgsql/types";
import { childrenOf } from "../../statement/tree.js";
import { typeOfName } from "./type-name.js";
import { valueTypeOf } from "../catalog/value-type.js";
import { type Fields, fieldsOf } from "../node.js";
import { sideBySide, NO_FACTS, NO_ROWS } from "./facts.js";
import { makeItem, opaqueItem, scopeColumns } from "./item.js";
import { joinRows } from "./join.js";
import { lateralScope } from "./lateral.js";
import type { Analysis, Rows, Scope, ScopeColumn } from "./model.js";
import { functionRows } from "./row-functions.js";
import { relationRows } from "./tables.js";

/** The items of a FROM clause, each seen by the LATERAL ones after it. */
export function fromClause(nodes: readonly Node[] | undefined, around: Scope, a: Analysis): Rows {
  return (nodes ?? []).reduce<Rows>(
    (beside, node) => sideBySide([beside, a.fromItem(node, around, beside)]),
    NO_ROWS,
  );
}

/** One item of a FROM clause. `beside` is what stands to the left of it. */
export function fromItem(node: Node, around: Scope, beside: Rows, a: Analysis): Rows {
  if ("RangeVar" in node) return relationRows(node.RangeVar, around, a);
  if ("JoinExpr" in node) return joinRows(node.JoinExpr, around, beside, a);
  if ("RangeSubselect" in node) return subselectRows(node.RangeSubselect, around, beside, a);
  const lateral = lateralScope(around, beside);
  if ("RangeFunction" in node) return functionRows(node.RangeFunction, lateral, a);
  if ("RangeTableSample" in node) {
    const { relation, args = [], repeatable } = node.RangeTableSample;
    for (const each of [...args, repeatable]) a.infer(each, lateral);
    return relation === undefined ? rowsOf(opaqueItem()) : a.fromItem(relation, around, beside);
  }
  for (const each of childrenOf(node)) a.infer(each, lateral);
  if ("JsonTable" in node)
    return rowsOf(makeItem(node.JsonTable.alias, jsonColumns(node.JsonTable, a)));
  if ("RangeTableFunc" in node)
    return rowsOf(makeItem(node.RangeTableFunc.alias, xmlColumns(node.RangeTableFunc, a)));
  return rowsOf(opaqueItem());
}

function rowsOf(...items: Rows["items"]): Rows {
  return { items, facts: NO_FACTS };
}

function subselectRows(
  { lateral, subquery, alias }: Fields<"RangeSubselect">,
  around: Scope,
  beside: Rows,
  a: Analysis,
): Rows {
  const { columns } = a.query(subquery, lateral === true ? lateralScope(around, beside) : around);
  return rowsOf(makeItem(alias, scopeColumns(columns), { rowIsValue: true }));
}

/** Nested columns stand in an order of their own: then none is told. */
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
  { catalog }: Analysis,
): ScopeColumn {
  const oid = typeOfName(catalog, typed?.typeName);
  const type = oid === undefined ? undefined : valueTypeOf(catalog, oid);
  return { name: name ?? "", type, notNull, groups: [] };
}
