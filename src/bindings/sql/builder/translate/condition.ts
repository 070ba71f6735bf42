/** Translates conditions: AND and OR, comparisons in three parts, IN with a query. */
import type { A_Expr, BooleanTest, BoolExpr, Node, NullTest, SubLink } from "@pgsql/types";
import { getOwn } from "../../../../core/json.js";
import {
  apply,
  booleanType,
  call,
  type Chain,
  type ChainType,
  isSame,
  list,
  literal,
  mentions,
  orNull,
  template,
  typedCall,
  words,
} from "../chain.js";
import { columnRef, operatorOf } from "../nodes.js";
import { builder, type TranslationContext, startInside, withBuilder } from "../place.js";
import { inParentheses, subqueryChain } from "./fragment.js";
import { parameterAs, resolveText } from "./reference.js";
import { coercedWithoutNull } from "./value.js";

/** Translates to a Kysely expression that is true or false. */
export function conditionOf(node: Node, place: TranslationContext): Chain {
  const comparison = comparisonOf(node, place);
  const compared = comparison && comparisonValue(comparison, place);
  if (compared !== undefined) return compared;
  if ("BoolExpr" in node) return combined(node.BoolExpr, place);
  if ("SubLink" in node && node.SubLink.subLinkType === "EXISTS_SUBLINK")
    return call(builder(place), "exists", subqueryChain(node.SubLink, place));
  const between = "A_Expr" in node ? betweenOf(node.A_Expr, place) : undefined;
  if (between !== undefined) return between;
  if ("FuncCall" in node || "CaseExpr" in node || "A_Const" in node)
    return place.say.coerced(node, place, booleanType);
  return template(place.say.words(node, place), booleanType);
}

function combined({ boolop, args = [] }: BoolExpr, place: TranslationContext): Chain {
  const parts = args.map((each) => place.say.condition(each, place));
  const [first] = parts;
  if (boolop !== "NOT_EXPR" || first === undefined)
    return call(builder(place), boolop === "OR_EXPR" ? "or" : "and", list(parts));
  const loose = first.kind === "template" && args.some(needsParentheses);
  return call(builder(place), "not", loose ? template(words`(${first})`, booleanType) : first);
}

const BETWEEN: Readonly<Record<string, string>> = {
  AEXPR_BETWEEN: "between",
  AEXPR_BETWEEN_SYM: "betweenSymmetric",
};

function betweenOf({ kind, lexpr, rexpr }: A_Expr, place: TranslationContext): Chain | undefined {
  const method = BETWEEN[kind ?? ""];
  const ref = lexpr !== undefined && "ColumnRef" in lexpr ? lexpr.ColumnRef : undefined;
  const text = ref === undefined ? undefined : resolveText(ref, place);
  if (method === undefined || text?.type === undefined) return undefined;
  if (rexpr === undefined || !("List" in rexpr)) return undefined;
  const { type } = text;
  const bounds = (rexpr.List.items ?? []).map((each) => {
    const chain = coercedWithoutNull(each, place, type);
    return chain.kind === "template" && needsParentheses(each)
      ? template(words`(${chain})`, type)
      : chain;
  });
  return call(builder(place), method, literal(text.text, text.sees), ...bounds);
}

/** Emits one `.where(…)` for each part of an AND, so that each gets its own line. */
export function conditionCalls(
  on: Chain,
  method: string,
  node: Node | undefined,
  place: TranslationContext,
): Chain {
  if (node === undefined) return on;
  const parts =
    "BoolExpr" in node && node.BoolExpr.boolop === "AND_EXPR" ? (node.BoolExpr.args ?? []) : [node];
  return parts.reduce((chain, each) => conditionCall(chain, method, each, place), on);
}

function conditionCall(on: Chain, method: string, node: Node, place: TranslationContext): Chain {
  const comparison = comparisonOf(node, place);
  const inParts = comparison && callInParts(on, method, comparison, place);
  if (inParts !== undefined) return inParts;
  const compared = comparison && comparisonValue(comparison, place);
  if (compared !== undefined) return call(on, method, withBuilder(compared, place));
  return call(on, method, withBuilder(place.say.condition(node, place), place));
}

/** Emits `.where(left, operator, right)`; undefined if the whole needs the expression builder. */
function callInParts(
  on: Chain,
  method: string,
  { left, operator, right, references }: Comparison,
  place: TranslationContext,
): Chain | undefined {
  const { eb } = place.frame;
  if (mentions(left, eb) && mentions(right, eb) && !references) return undefined;
  if (right.kind === "list" && mentions(right, eb)) return undefined;
  const parts = [withBuilder(left, place), literal(operator), withBuilder(right, place)];
  return call(on, references ? `${method}Ref` : method, ...parts);
}

/** Reads a comparison; undefined if Kysely can't express it. */
function comparisonOf(node: Node, place: TranslationContext): Comparison | undefined {
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
  if (kind === "AEXPR_LIKE" || kind === "AEXPR_ILIKE") return getOwn(LIKENESS, operator);
  if (kind === "AEXPR_DISTINCT") return "is distinct from";
  if (kind === "AEXPR_NOT_DISTINCT") return "is not distinct from";
  return kind === "AEXPR_IN" ? getOwn(MEMBERSHIP, operator) : undefined;
}

function expressionComparison(
  expression: A_Expr,
  place: TranslationContext,
): Comparison | undefined {
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
  place: TranslationContext,
): Comparison {
  const rightValue =
    left.type === undefined ? undefined : place.say.coerced(rexpr, place, left.type);
  return { left: left.chain, operator, right, references: true, rightValue };
}

function isEscape(node: Node): boolean {
  return "FuncCall" in node && (node.FuncCall.funcname?.length ?? 0) > 1;
}

function inList(
  lexpr: Node,
  operator: string,
  rexpr: Node,
  place: TranslationContext,
): Comparison | undefined {
  const left = leftSide(lexpr, place);
  if (left?.type === undefined || !("List" in rexpr)) return undefined;
  const { type } = left;
  const items = (rexpr.List.items ?? []).map((each) => rightSide(each, place, type));
  return { left: left.chain, operator, right: list(items), references: false };
}

function nullComparison(
  { arg, nulltesttype }: NullTest,
  place: TranslationContext,
): Comparison | undefined {
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

function booleanComparison(test: BooleanTest, place: TranslationContext): Comparison | undefined {
  const truth = TRUTHS[test.booltesttype ?? ""];
  const left = test.arg === undefined ? undefined : leftSide(test.arg, place);
  if (truth === undefined || left === undefined) return undefined;
  if (!isSame(left.type, { kind: "keyword", name: "boolean" })) return undefined;
  const [operator, value] = truth;
  return { left: left.chain, operator, right: literal(value), references: false };
}

/** A comparison as an expression: `eb("o.id", "=", 1)`. */
function comparisonValue(comparison: Comparison, place: TranslationContext): Chain | undefined {
  const { left, operator, right, references, rightValue } = comparison;
  const value = references ? rightValue : right;
  return value === undefined ? undefined : apply(builder(place), left, literal(operator), value);
}

/** Reads `IN (SELECT …)`. */
function inQuery(
  link: SubLink,
  operator: string,
  place: TranslationContext,
): Comparison | undefined {
  const { testexpr, subselect, subLinkType, operName } = link;
  if (subLinkType !== "ANY_SUBLINK" || operName !== undefined) return undefined;
  if (testexpr === undefined || subselect === undefined || !("SelectStmt" in subselect))
    return undefined;
  const left = leftSide(testexpr, place);
  if (left?.type === undefined) return undefined;
  const { chain, columns } = place.say.query(subselect.SelectStmt, startInside(place));
  const [column, ...others] = [...(columns ?? [])];
  if (column === undefined || others.length > 0) return undefined;
  const [named, given] = column;
  const row: ChainType = { kind: "columns", of: [[named, left.type]] };
  const query = inParentheses(chain);
  const right =
    query.kind === "template"
      ? { ...query, type: left.type }
      : isSame(given, left.type)
        ? query
        : typedCall(query, "$castTo", [row]);
  return { left: left.chain, operator, right, references: false };
}

/** A comparison in Kysely's three parts. */
interface Comparison {
  readonly left: Chain;
  readonly operator: string;
  /**
   * A column's name if `references` is true, which only the `…Ref` methods take; a value otherwise.
   */
  readonly right: Chain;
  readonly references: boolean;
  /**
   * The right side as an expression, for methods without `…Ref`; undefined if Kysely's types would
   * reject it.
   */
  readonly rightValue?: Chain | undefined;
}

interface Side {
  readonly chain: Chain;
  /** Type that Kysely expects on the other side; undefined if unknown. */
  readonly type?: ChainType | undefined;
}

/** Translates a left side that needs no parentheses: a column or a call. */
function leftSide(node: Node, place: TranslationContext): Side | undefined {
  const ref = columnRef(node);
  const text = ref === undefined ? undefined : resolveText(ref, place);
  if (text !== undefined) return { chain: literal(text.text, text.sees), type: text.type };
  if (ref === undefined && !("FuncCall" in node)) return undefined;
  const { chain, type } = place.say.value(node, place);
  return chain.kind === "template" ? undefined : { chain, type };
}

function rightSide(node: Node, place: TranslationContext, type: ChainType): Chain {
  if ("ParamRef" in node) return parameterAs(node.ParamRef, place, orNull(type));
  const chain = place.say.coerced(node, place, type);
  return chain.kind === "template" && needsParentheses(node)
    ? template(words`(${chain})`, type)
    : chain;
}

/** True for operators that may bind less tightly than a comparison. */
function needsParentheses(node: Node): boolean {
  return (
    "A_Expr" in node ||
    "BoolExpr" in node ||
    "NullTest" in node ||
    "BooleanTest" in node ||
    "CollateClause" in node ||
    "XmlExpr" in node ||
    "JsonIsPredicate" in node
  );
}
