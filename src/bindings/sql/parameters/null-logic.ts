import type { Node } from "@pgsql/types";
import type { Catalog } from "../database/catalog.js";
import { type Fields, fieldsOf, itemsOf, namesIn } from "../analysis/node.js";
import { type RowPairs, rowPairs } from "./row-pairs.js";
import { ANY, conjoined, either, FALSE, negated, NULL, TRUE } from "./truth.js";

/** Some values are taken for NULL; of all others anything may be. */
export interface Assumed {
  readonly catalog: Catalog;
  /** `1` for `$1`. */
  isNullParameter(parameter: number): boolean;
  /** What was found of a node: each is looked at once, however many ask. */
  readonly nulls: Map<Node, boolean>;
  readonly truths: Map<Node, number>;
}

export function assumeNull(catalog: Catalog, numbers: ReadonlySet<number>): Assumed {
  const isNullParameter = (number: number) => numbers.has(number);
  return { catalog, isNullParameter, nulls: new Map(), truths: new Map() };
}

/** What a condition may come to. */
export function truthOf(node: Node | undefined, assumed: Assumed): number {
  if (node === undefined) return ANY;
  const truth = assumed.truths.get(node) ?? findTruth(node, assumed);
  assumed.truths.set(node, truth);
  return truth;
}

function findTruth(node: Node, assumed: Assumed): number {
  if ("BoolExpr" in node) return connected(node.BoolExpr, assumed);
  if ("NullTest" in node) {
    if (!isNull(node.NullTest.arg, assumed)) return TRUE | FALSE;
    return node.NullTest.nulltesttype === "IS_NULL" ? TRUE : FALSE;
  }
  const constant = fieldsOf(node, "A_Const")?.boolval;
  if (constant !== undefined) return constant.boolval === true ? TRUE : FALSE;
  if (isNull(node, assumed)) return NULL;
  return "A_Expr" in node ? compared(node.A_Expr, assumed) : ANY;
}

function connected({ boolop, args = [] }: Fields<"BoolExpr">, assumed: Assumed): number {
  const [first = ANY, ...others] = args.map((each) => truthOf(each, assumed));
  if (boolop === "NOT_EXPR") return negated(first);
  const both = boolop === "OR_EXPR" ? either : conjoined;
  return others.reduce(both, first);
}

/** What is not NULL as a whole may still be unable to come true. */
function compared(expr: Fields<"A_Expr">, assumed: Assumed): number {
  const { kind, lexpr, name, rexpr } = expr;
  const rows = rowPairs(expr);
  if (rows !== undefined) return comparedRows(rows, assumed);
  const items = itemsOf(rexpr);
  const isLeft = isNull(lexpr, assumed);
  const nulls = items.filter((each) => isNull(each, assumed)).length;
  switch (kind) {
    case "AEXPR_IN":
      if (isLeft || (items.length > 0 && nulls === items.length)) return NULL;
      return namesIn(name).at(-1) === "<>" && nulls > 0 ? FALSE | NULL : ANY;
    case "AEXPR_BETWEEN":
    case "AEXPR_BETWEEN_SYM":
      return isLeft || nulls > 0 ? FALSE | NULL : ANY;
    case "AEXPR_NOT_BETWEEN":
    case "AEXPR_NOT_BETWEEN_SYM":
      return isLeft ? NULL : ANY;
    case "AEXPR_OP_ANY":
      return isNull(rexpr, assumed) ? NULL : isLeft ? FALSE | NULL : ANY;
    case "AEXPR_OP_ALL":
      return isNull(rexpr, assumed) ? NULL : ANY;
    default:
      return ANY;
  }
}

/** Rows are equal when all their fields are: one that is NULL is not. */
function comparedRows(rows: readonly RowPairs[], assumed: Assumed): number {
  const truths = rows.map((pairs) => {
    const fields = pairs?.map((pair) => (pair.some((each) => isNull(each, assumed)) ? NULL : ANY));
    return fields?.reduce(conjoined) ?? ANY;
  });
  return truths.length === 0 ? ANY : truths.reduce(either);
}

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
  if ("TypeCast" in node) return isNull(node.TypeCast.arg, assumed);
  if ("CollateClause" in node) return isNull(node.CollateClause.arg, assumed);
  if ("A_Indirection" in node) return isNull(node.A_Indirection.arg, assumed);
  if ("CoalesceExpr" in node) return areAllNull(node.CoalesceExpr.args, assumed);
  if ("MinMaxExpr" in node) return areAllNull(node.MinMaxExpr.args, assumed);
  if ("BoolExpr" in node) return truthOf(node, assumed) === NULL;
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
  if (!OPERATIONS.has(kind) || !sides.some((each) => isNull(each, assumed))) return false;
  // Behind an array, an element that is NULL is one more element.
  if (namesIn(name).at(-1) === "||") return sides.some(isText);
  const called = catalog.operators(namesIn(name));
  return (
    called.length > 0 && called.every((each) => catalog.functionOf(each.function)?.strict === true)
  );
}

/** Text that is written out, or put together from such. */
function isText(node: Node | undefined): boolean {
  const expr = fieldsOf(node, "A_Expr");
  if (expr !== undefined && namesIn(expr.name).at(-1) === "||")
    return isText(expr.lexpr) || isText(expr.rexpr);
  return fieldsOf(node, "A_Const")?.sval !== undefined;
}
