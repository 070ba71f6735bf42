import type { Node } from "@pgsql/types";
import { type Fields, fieldsOf, namesIn } from "../statement/tree.js";
import type { Assumed } from "./assumed.js";
import { NULL, TRUE } from "./truth.js";
import { columnName, fixedValue, isOwnColumn } from "./values.js";

/** Whether an expression is NULL for certain. */
export function isNull(node: Node | undefined, assumed: Assumed): boolean {
  if (node === undefined) return false;
  const found = assumed.nulls.get(node) ?? findNull(node, assumed);
  assumed.nulls.set(node, found);
  return found;
}

function findNull(node: Node, assumed: Assumed): boolean {
  if ("ParamRef" in node) return assumed.isNullParameter(node.ParamRef.number ?? 0);
  if ("A_Const" in node) return node.A_Const.isnull === true;
  if ("ColumnRef" in node) return fixedValue(node, assumed) === null;
  if ("TypeCast" in node) return isNull(node.TypeCast.arg, assumed);
  if ("CollateClause" in node) return isNull(node.CollateClause.arg, assumed);
  if ("A_Indirection" in node) return isNull(node.A_Indirection.arg, assumed);
  if ("CoalesceExpr" in node) return areAllNull(node.CoalesceExpr.args, assumed);
  if ("MinMaxExpr" in node) return areAllNull(node.MinMaxExpr.args, assumed);
  if ("BoolExpr" in node) return assumed.truthOf(node) === NULL;
  if ("FuncCall" in node) return isNullCall(node.FuncCall, assumed);
  return "A_Expr" in node && isNullOperation(node.A_Expr, assumed);
}

function areAllNull(nodes: readonly Node[] = [], assumed: Assumed): boolean {
  return nodes.length > 0 && nodes.every((each) => isNull(each, assumed));
}

function isNullCall(
  { funcname, args = [], ...call }: Fields<"FuncCall">,
  assumed: Assumed,
): boolean {
  if (call.over !== undefined || !args.some((each) => isNull(each, assumed))) return false;
  const called = assumed.catalog.functions(namesIn(funcname));
  return called.length > 0 && called.every(({ kind, strict }) => kind === "function" && strict);
}

const OPERATIONS: ReadonlySet<string> = new Set([
  "AEXPR_OP",
  "AEXPR_LIKE",
  "AEXPR_ILIKE",
  "AEXPR_SIMILAR",
]);

function isNullOperation(expr: Fields<"A_Expr">, assumed: Assumed): boolean {
  const { catalog } = assumed;
  const { kind = "AEXPR_OP", lexpr, name, rexpr } = expr;
  const sides = [lexpr, rexpr];
  // NULLIF
  if (kind === "AEXPR_NULLIF")
    return isNull(lexpr, assumed) || assumed.truthOf(equality(lexpr, rexpr)) === TRUE;
  if (!OPERATIONS.has(kind) || !sides.some((each) => isNull(each, assumed))) return false;
  // Behind an array, an element that is NULL is one more element.
  if (namesIn(name).at(-1) === "||") return sides.some(isText);
  const called = catalog.operators(namesIn(name));
  return (
    called.length > 0 && called.every((each) => catalog.functionOf(each.function)?.strict === true)
  );
}

function equality(lexpr: Node | undefined, rexpr: Node | undefined): Node {
  const name = [{ String: { sval: "=" } }];
  return { A_Expr: { kind: "AEXPR_OP", name, ...(lexpr && { lexpr }), ...(rexpr && { rexpr }) } };
}

/** Text that is written out, or put together from such. */
function isText(node: Node | undefined): boolean {
  const expr = fieldsOf(node, "A_Expr");
  if (expr !== undefined && namesIn(expr.name).at(-1) === "||")
    return isText(expr.lexpr) || isText(expr.rexpr);
  return fieldsOf(node, "A_Const")?.sval !== undefined;
}

/** Whether an expression has a value for certain. */
export function isNeverNull(node: Node | undefined, assumed: Assumed): boolean {
  if (node === undefined) return false;
  if ("ParamRef" in node) return assumed.hasValue(node.ParamRef.number ?? 0);
  if ("A_Const" in node) return node.A_Const.isnull !== true;
  if ("TypeCast" in node) return isNeverNull(node.TypeCast.arg, assumed);
  if ("CoalesceExpr" in node)
    return (node.CoalesceExpr.args ?? []).some((each) => isNeverNull(each, assumed));
  if (typeof (fixedValue(node, assumed) ?? undefined) !== "undefined") return true;
  const name = columnName(node);
  const column = assumed.target?.relation.columns.find((each) => each.name === name);
  return isOwnColumn(node, assumed) && column?.notNull === true;
}

/** As `isNeverNull`; of rows that are chosen, those with values are looked at. */
export function isValued(node: Node | undefined, assumed: Assumed): boolean {
  return assumed.target !== undefined || isNeverNull(node, assumed);
}
