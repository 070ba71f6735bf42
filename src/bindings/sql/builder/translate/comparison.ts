import type { A_Expr, BooleanTest, Node, NullTest } from "@pgsql/types";
import { apply, type Chain, list, literal } from "../chain.js";
import { columnRef, operatorOf } from "../nodes.js";
import { builder, type Place } from "../place.js";
import { isSame } from "../type-relations.js";
import { inQuery } from "./in-query.js";
import { resolveText } from "./reference.js";
import { type Comparison, leftSide, rightSide, type Side } from "./sides.js";

/** A comparison in Kysely's words; undefined for what it has none for. */
export function comparisonOf(node: Node, place: Place): Comparison | undefined {
  if ("A_Expr" in node) return expressionComparison(node.A_Expr, place);
  if ("NullTest" in node) return nullComparison(node.NullTest, place);
  if ("BooleanTest" in node) return booleanComparison(node.BooleanTest, place);
  if ("SubLink" in node) return inQuery(node.SubLink, "in", place);
  if (!("BoolExpr" in node) || node.BoolExpr.boolop !== "NOT_EXPR") return undefined;
  const [only] = node.BoolExpr.args ?? [];
  return only !== undefined && "SubLink" in only
    ? inQuery(only.SubLink, "not in", place)
    : undefined;
}

const COMPARED: ReadonlySet<string> = new Set(
  "= <> > >= < <= @> <@ && ? ?& ?| ~ ~* !~ !~* @@ <->".split(" "),
);
const LIKENESS: Readonly<Record<string, string>> = {
  "~~": "like",
  "!~~": "not like",
  "~~*": "ilike",
  "!~~*": "not ilike",
};
const MEMBERSHIP: Readonly<Record<string, string>> = { "=": "in", "<>": "not in" };

function comparisonOperator({ kind, name }: A_Expr): string | undefined {
  const operator = operatorOf(name) ?? "";
  if (kind === "AEXPR_OP") return COMPARED.has(operator) ? operator : undefined;
  if (kind === "AEXPR_LIKE" || kind === "AEXPR_ILIKE") return LIKENESS[operator];
  if (kind === "AEXPR_DISTINCT") return "is distinct from";
  if (kind === "AEXPR_NOT_DISTINCT") return "is not distinct from";
  return kind === "AEXPR_IN" ? MEMBERSHIP[operator] : undefined;
}

function expressionComparison(expression: A_Expr, place: Place): Comparison | undefined {
  const { lexpr, rexpr } = expression;
  const operator = comparisonOperator(expression);
  if (operator === undefined || lexpr === undefined || rexpr === undefined) return undefined;
  if (expression.kind === "AEXPR_IN") return inList(lexpr, operator, rexpr, place);
  const left = leftSide(lexpr, place);
  if (left === undefined || isEscape(rexpr) || "BoolExpr" in rexpr) return undefined;
  const ref = columnRef(rexpr);
  const text = ref === undefined ? undefined : resolveText(ref, place);
  if (text !== undefined)
    return references(left, operator, rexpr, literal(text.text, text.sees), place);
  if (left.type === undefined) return undefined;
  const right = rightSide(rexpr, place, left.type);
  return { left: left.chain, operator, right, references: false };
}

function references(
  left: Side,
  operator: string,
  rexpr: Node,
  right: Chain,
  place: Place,
): Comparison {
  const rightValue =
    left.type === undefined ? undefined : place.say.coerced(rexpr, place, left.type);
  return { left: left.chain, operator, right, references: true, rightValue };
}

function isEscape(node: Node): boolean {
  return "FuncCall" in node && (node.FuncCall.funcname?.length ?? 0) > 1;
}

function inList(lexpr: Node, operator: string, rexpr: Node, place: Place): Comparison | undefined {
  const left = leftSide(lexpr, place);
  if (left?.type === undefined || !("List" in rexpr)) return undefined;
  const { type } = left;
  const items = (rexpr.List.items ?? []).map((each) => rightSide(each, place, type));
  return { left: left.chain, operator, right: list(items), references: false };
}

function nullComparison({ arg, nulltesttype }: NullTest, place: Place): Comparison | undefined {
  const left = arg === undefined ? undefined : leftSide(arg, place);
  if (left === undefined) return undefined;
  const operator = nulltesttype === "IS_NULL" ? "is" : "is not";
  return { left: left.chain, operator, right: literal(null), references: false };
}

const TRUTHS: Readonly<Record<string, readonly [operator: string, value: boolean]>> = {
  IS_TRUE: ["is", true],
  IS_NOT_TRUE: ["is not", true],
  IS_FALSE: ["is", false],
  IS_NOT_FALSE: ["is not", false],
};

function booleanComparison(test: BooleanTest, place: Place): Comparison | undefined {
  const truth = TRUTHS[test.booltesttype ?? ""];
  const left = test.arg === undefined ? undefined : leftSide(test.arg, place);
  if (truth === undefined || left === undefined) return undefined;
  if (!isSame(left.type, { kind: "keyword", name: "boolean" })) return undefined;
  const [operator, value] = truth;
  return { left: left.chain, operator, right: literal(value), references: false };
}

/** A comparison as an expression: `eb("o.id", "=", 1)`. */
export function comparisonValue(comparison: Comparison, place: Place): Chain | undefined {
  const { left, operator, right, references, rightValue } = comparison;
  const value = references ? rightValue : right;
  return value === undefined ? undefined : apply(builder(place), left, literal(operator), value);
}
