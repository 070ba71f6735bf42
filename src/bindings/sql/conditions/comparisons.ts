import type { Node } from "@pgsql/types";
import { type Fields, fieldsOf, itemsOf, namesIn } from "../statement/tree.js";
import type { Assumed } from "./assumed.js";
import { isEmptyList, isEmptyText, isWholeRange } from "./empty-values.js";
import { fixedDifference } from "./linear.js";
import { isNeverNull, isNull, isValued } from "./nulls.js";
import { matchesAll } from "./patterns.js";
import { type RowPairs, rowPairs } from "./row-pairs.js";
import { isEveryValue } from "./subqueries.js";
import { ANY, conjoined, either, FALSE, negated, NULL, TRUE } from "./truth.js";
import { boolIn, fixedValue, isSameValue, literalIn, numberIn, textIn, uncast } from "./values.js";

/** What is not NULL as a whole may still be unable to come true. */
export function compared(expr: Fields<"A_Expr">, assumed: Assumed): number {
  const { kind = "AEXPR_OP", lexpr, name, rexpr } = expr;
  const rows = rowPairs(expr);
  if (rows !== undefined) return comparedRows(rows, assumed);
  const operator = namesIn(name).at(-1) ?? "";
  const items = itemsOf(rexpr);
  switch (kind) {
    case "AEXPR_OP":
    case "AEXPR_LIKE":
    case "AEXPR_ILIKE":
    case "AEXPR_SIMILAR":
      return comparison(operator, lexpr, rexpr, assumed);
    case "AEXPR_DISTINCT":
      return negated(notDistinct(lexpr, rexpr, assumed));
    case "AEXPR_NOT_DISTINCT":
      return notDistinct(lexpr, rexpr, assumed);
    case "AEXPR_IN": {
      if (items.length === 0) return ANY;
      const found = items.map((each) => equal(lexpr, each, assumed)).reduce(either);
      return operator === "<>" ? negated(found) : found;
    }
    case "AEXPR_BETWEEN":
      return between(lexpr, items, assumed);
    case "AEXPR_NOT_BETWEEN":
      return negated(between(lexpr, items, assumed));
    case "AEXPR_BETWEEN_SYM":
      return symmetric(lexpr, items, assumed);
    case "AEXPR_NOT_BETWEEN_SYM":
      return negated(symmetric(lexpr, items, assumed));
    case "AEXPR_OP_ANY":
      return comparedWithAny(expr, operator, assumed);
    case "AEXPR_OP_ALL":
      return comparedWithAll(expr, operator, assumed);
    default:
      return ANY;
  }
}

function comparedWithAny(
  { lexpr, rexpr }: Fields<"A_Expr">,
  operator: string,
  assumed: Assumed,
): number {
  if (isNull(rexpr, assumed)) return NULL;
  if (isEmptyList(rexpr, assumed)) return FALSE;
  if (isNull(lexpr, assumed)) return FALSE | NULL;
  const elements = fieldsOf(uncast(rexpr), "A_ArrayExpr")?.elements;
  if (elements !== undefined)
    return elements.map((each) => comparison(operator, lexpr, each, assumed)).reduce(either);
  const query = fieldsOf(rexpr, "SubLink");
  const isEvery = operator === "=" && query?.subLinkType === "ARRAY_SUBLINK";
  return isEvery && isEveryValue(lexpr, query.subselect, assumed) ? TRUE : ANY;
}

function comparedWithAll(
  { lexpr, rexpr }: Fields<"A_Expr">,
  operator: string,
  assumed: Assumed,
): number {
  if (isNull(rexpr, assumed)) return NULL;
  if (isEmptyList(rexpr, assumed)) return TRUE;
  const elements = fieldsOf(uncast(rexpr), "A_ArrayExpr")?.elements ?? [];
  return elements
    .map((each) => comparison(operator, lexpr, each, assumed))
    .reduce(conjoined, elements.length === 0 ? ANY : TRUE);
}

/** Functions that are conditions: `starts_with(name, '')`. */
export function calledOf({ args = [], funcname }: Fields<"FuncCall">, assumed: Assumed): number {
  const operator = { regexp_like: "~", starts_with: "^@" }[namesIn(funcname).at(-1) ?? ""];
  return operator !== undefined && args.length === 2
    ? comparison(operator, args[0], args[1], assumed)
    : ANY;
}

function between(value: Node | undefined, [low, high]: readonly Node[], assumed: Assumed): number {
  return conjoined(comparison(">=", value, low, assumed), comparison("<=", value, high, assumed));
}

function symmetric(
  value: Node | undefined,
  [one, other]: readonly Node[],
  assumed: Assumed,
): number {
  if (one === undefined || other === undefined) return ANY;
  return either(between(value, [one, other], assumed), between(value, [other, one], assumed));
}

/** `left = right`. */
export function equal(left: Node | undefined, right: Node | undefined, assumed: Assumed): number {
  return comparison("=", left, right, assumed);
}

/** IS NOT DISTINCT FROM. */
function notDistinct(left: Node | undefined, right: Node | undefined, assumed: Assumed): number {
  const nulls = [left, right].filter((each) => isNull(each, assumed)).length;
  if (nulls === 2 || isSameValue(left, right, assumed)) return TRUE;
  if (nulls === 1) {
    const other = isNull(left, assumed) ? right : left;
    return isNeverNull(other, assumed) ? FALSE : TRUE | FALSE;
  }
  const found = equal(left, right, assumed);
  return found & NULL ? TRUE | FALSE : found;
}

/** What each operator says of values that are equal, less, or greater. */
const ORDERED: Readonly<Record<string, readonly [less: boolean, equal: boolean, more: boolean]>> = {
  "=": [false, true, false],
  "<>": [true, false, true],
  "<": [true, false, false],
  ">": [false, false, true],
  "<=": [true, true, false],
  ">=": [false, true, true],
};

/** `left operator right`: the operators that every type has, those that look for a pattern, and those of lists and ranges. */
function comparison(
  operator: string,
  left: Node | undefined,
  right: Node | undefined,
  assumed: Assumed,
): number {
  if (isNull(left, assumed) || isNull(right, assumed)) return NULL;
  const unlessNull = isValued(left, assumed) ? 0 : NULL;
  const rule = ORDERED[operator];
  if (rule === undefined) {
    const isAll = matchesAll(operator, right, assumed) || holdsAll(operator, left, right, assumed);
    return isAll ? TRUE | unlessNull : ANY;
  }
  if (isSameValue(left, right, assumed)) return (rule[1] ? TRUE : FALSE) | unlessNull;
  if (operator === "=" && isMetByAll(left, right, assumed)) return TRUE | unlessNull;
  if (isBeyond(operator, right, assumed) || isBeyond(MIRRORED[operator], left, assumed))
    return TRUE | unlessNull;
  if (operator === ">" && numberIn(right, assumed) === 0 && findsAll(left, assumed))
    return TRUE | unlessNull;
  const order = orderOf(left, right, assumed);
  if (order !== undefined) return rule[order + 1] === true ? TRUE : FALSE;
  const same = isSameText(left, right, assumed);
  if (same === undefined || (operator !== "=" && operator !== "<>")) return ANY;
  return rule[same ? 1 : 0] === true ? TRUE : FALSE;
}

/** `day >= '-infinity'`, `day <= 'infinity'`, `name >= ''`. */
function isBeyond(
  operator: string | undefined,
  limit: Node | undefined,
  assumed: Assumed,
): boolean {
  const text = literalIn(limit, assumed);
  if (operator === ">") return text === "-infinity";
  if (operator === ">=") return text === "-infinity" || text === "";
  return (operator === "<" || operator === "<=") && text === "infinity";
}

const MIRRORED: Readonly<Record<string, string>> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" };

/** `position('' IN name)`, `strpos(name, '')`. */
function findsAll(node: Node | undefined, assumed: Assumed): boolean {
  const { args = [], funcname } = fieldsOf(node, "FuncCall") ?? {};
  const isSearch = ["position", "strpos"].includes(namesIn(funcname).at(-1) ?? "");
  return isSearch && textIn(args[1], assumed) === "";
}

/** `tags @> '{}'`, `day <@ daterange(NULL, NULL)`, and the same from the other side. */
function holdsAll(
  operator: string,
  left: Node | undefined,
  right: Node | undefined,
  assumed: Assumed,
): boolean {
  if (operator === "<@") return holdsAll("@>", right, left, assumed);
  if (operator === "&&") return isWholeRange(left, assumed) || isWholeRange(right, assumed);
  return operator === "@>" && (isEmptyList(right, assumed) || isWholeRange(left, assumed));
}

/** A join with what has every value of the column. */
function isMetByAll(left: Node | undefined, right: Node | undefined, assumed: Assumed): boolean {
  return isEveryValue(left, right, assumed) || isEveryValue(right, left, assumed);
}

function orderOf(
  left: Node | undefined,
  right: Node | undefined,
  assumed: Assumed,
): number | undefined {
  const [one, other] = [numberIn(left, assumed), numberIn(right, assumed)];
  if (one !== undefined && other !== undefined) return Math.sign(one - other);
  const difference = fixedDifference(left, right, assumed);
  return difference === undefined ? undefined : Math.sign(difference);
}

/** Whether two texts are one value; undefined where that isn't known. */
function isSameText(
  left: Node | undefined,
  right: Node | undefined,
  assumed: Assumed,
): boolean | undefined {
  const fixed = [left, right].map((each) => fixedValue(each, assumed));
  if (fixed.some((each) => typeof each === "boolean")) {
    const [one, other] = [boolIn(left, assumed), boolIn(right, assumed)];
    return one === undefined || other === undefined ? undefined : one === other;
  }
  const empty = [left, right].map((each) => isEmptyText(each, assumed));
  const texts = [left, right].map((each) => fixedValue(each, assumed) ?? textIn(each, assumed));
  if (empty[0] === true || empty[1] === true)
    return (empty[0] === true || texts[0] === "") && (empty[1] === true || texts[1] === "")
      ? true
      : undefined;
  if (texts.includes(undefined)) return undefined;
  // Two texts that are spelled differently may be one value of another type; a column of which one value is looked at is of no such type.
  return texts[0] === texts[1] || (fixed.some((each) => each !== undefined) ? false : undefined);
}

/** Rows are equal when all their fields are: one that is NULL is not. */
function comparedRows(rows: readonly RowPairs[], assumed: Assumed): number {
  const truths = rows.map((pairs) => {
    const fields = pairs?.map(([left, right]) => equal(left, right, assumed));
    return fields?.reduce(conjoined) ?? ANY;
  });
  return truths.length === 0 ? ANY : truths.reduce(either);
}
