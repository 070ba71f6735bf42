/**
 * Evaluates comparisons of values, rows and patterns, and of sums with the same column on both
 * sides.
 */
import type { Node } from "@pgsql/types";
import { getOwn } from "../../../core/json.js";
import { type Fields, fieldsOf, itemsOf, namesIn } from "../statement/tree.js";
import { ANY, type Assumed, conjoined, either, FALSE, negated, NULL, TRUE } from "./assumed.js";
import { isEveryValue } from "./subqueries.js";
import {
  boolIn,
  columnName,
  fixedValue,
  isNeverNull,
  isNull,
  isNumberColumn,
  isSameValue,
  isValued,
  literalIn,
  numberIn,
  simplified,
  textIn,
  uncast,
} from "./values.js";

/**
 * Finds the truth values of a comparison. Even if no operand is NULL as a whole, fields of a row
 * may make it never true.
 */
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

const CONDITIONS: { readonly [name: string]: string } = { regexp_like: "~", starts_with: "^@" };

/** Evaluates functions that are conditions: `starts_with(name, '')`. */
export function calledOf({ args = [], funcname }: Fields<"FuncCall">, assumed: Assumed): number {
  const operator = getOwn(CONDITIONS, namesIn(funcname).at(-1) ?? "");
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

/** Evaluates `left = right`. */
export function equal(left: Node | undefined, right: Node | undefined, assumed: Assumed): number {
  return comparison("=", left, right, assumed);
}

/** Evaluates IS NOT DISTINCT FROM. */
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

/** Result of each operator for values that are less, equal or greater. */
const ORDERED: Readonly<Record<string, readonly [less: boolean, equal: boolean, more: boolean]>> = {
  "=": [false, true, false],
  "<>": [true, false, true],
  "<": [true, false, false],
  ">": [false, false, true],
  "<=": [true, true, false],
  ">=": [false, true, true],
};

/**
 * Evaluates `left operator right` for the operators of every type, of patterns, and of lists and
 * ranges.
 */
function comparison(
  operator: string,
  left: Node | undefined,
  right: Node | undefined,
  assumed: Assumed,
): number {
  if (isNull(left, assumed) || isNull(right, assumed)) return NULL;
  const unlessNull = isValued(left, assumed) ? 0 : NULL;
  const rule = getOwn(ORDERED, operator);
  if (rule === undefined) {
    const isAll = matchesAll(operator, right, assumed) || holdsAll(operator, left, right, assumed);
    return isAll ? TRUE | unlessNull : ANY;
  }
  if (isSameValue(left, right, assumed)) return (rule[1] ? TRUE : FALSE) | unlessNull;
  if (operator === "=" && isMetByAll(left, right, assumed)) return TRUE | unlessNull;
  if (isBeyond(operator, right, assumed) || isBeyond(getOwn(MIRRORED, operator), left, assumed))
    return TRUE | unlessNull;
  if (operator === ">" && numberIn(right, assumed) === 0 && findsAll(left, assumed))
    return TRUE | unlessNull;
  const order = orderOf(left, right, assumed);
  if (order !== undefined) return rule[order + 1] === true ? TRUE : FALSE;
  const same = isSameText(left, right, assumed);
  if (same === undefined || (operator !== "=" && operator !== "<>")) return ANY;
  return rule[same ? 1 : 0] === true ? TRUE : FALSE;
}

/**
 * True for limits that every value meets: `day >= '-infinity'`, `day <= 'infinity'`, `name >= ''`.
 */
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

/** True for a search that always succeeds: `position('' IN name)`, `strpos(name, '')`. */
function findsAll(node: Node | undefined, assumed: Assumed): boolean {
  const { args = [], funcname } = fieldsOf(node, "FuncCall") ?? {};
  const isSearch = ["position", "strpos"].includes(namesIn(funcname).at(-1) ?? "");
  return isSearch && textIn(args[1], assumed) === "";
}

/**
 * True if one side contains any value: `tags @> '{}'`, `day <@ daterange(NULL, NULL)`, in either
 * order.
 */
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

/** True for a join with a source that contains every value of the column. */
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

/** Compares two texts; undefined if the result is unknown. */
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
  // Texts that differ may be the same value of another type, such as a date. A column with an
  // assumed value has no such type.
  return texts[0] === texts[1] || (fixed.some((each) => each !== undefined) ? false : undefined);
}

/** Compares rows. Rows are equal if all their fields are, and a NULL field is not equal. */
function comparedRows(rows: readonly RowPairs[], assumed: Assumed): number {
  const truths = rows.map((pairs) => {
    const fields = pairs?.map(([left, right]) => equal(left, right, assumed));
    return fields?.reduce(conjoined) ?? ANY;
  });
  return truths.length === 0 ? ANY : truths.reduce(either);
}

/** Pairs of fields of two rows; undefined if a side is not a row expression. */
type RowPairs = readonly (readonly [left: Node | undefined, right: Node | undefined])[] | undefined;

/**
 * The pairs of `(a, b) = (c, d)`, or of each row of `(a, b) IN (…)`; undefined for any other
 * comparison.
 */
function rowPairs({
  kind = "AEXPR_OP",
  lexpr,
  name,
  rexpr,
}: Fields<"A_Expr">): readonly RowPairs[] | undefined {
  const left = fieldsOf(lexpr, "RowExpr")?.args;
  if (left === undefined || namesIn(name).at(-1) !== "=") return undefined;
  if (kind !== "AEXPR_OP" && kind !== "AEXPR_IN") return undefined;
  const rows = kind === "AEXPR_IN" ? itemsOf(rexpr) : [rexpr];
  return rows.map((each) => {
    const right = fieldsOf(each, "RowExpr")?.args;
    return right && left.map((field, index) => [field, right[index]] as const);
  });
}

/** True if every text matches: `LIKE '%'`, `~ ''`, `SIMILAR TO '%'`, `starts_with(…, '')`. */
function matchesAll(operator: string, pattern: Node | undefined, assumed: Assumed): boolean {
  const similar = fieldsOf(pattern, "FuncCall");
  const isSimilar = namesIn(similar?.funcname).at(-1) === "similar_to_escape";
  const text = textIn(isSimilar ? similar?.args?.[0] : pattern, assumed);
  if (text === undefined) return false;
  if (isSimilar || LIKE.has(operator)) return /^%+$/.test(text);
  if (operator === "^@") return text === "";
  return (operator === "~" || operator === "~*") && isAnything(text);
}

const LIKE: ReadonlySet<string> = new Set(["~~", "~~*"]);

/** A sequence of parts each of which may match the empty text. */
const NULLABLE =
  /^(?:(?:\.|\\[sSwWdD]|[\p{L}\p{N} ]|\[\^?[^\][\\]+\])(?:\*|\?|\{0,\d{0,3}\})\??)*$/u;

/**
 * True if a PostgreSQL regular expression has a form that matches in every text, because it may
 * match nothing or everything. Other such expressions are not recognized.
 */
function isAnything(pattern: string): boolean {
  const [, start = "", middle = "", end = ""] = /^(\^?)(.*?)(\$?)$/su.exec(pattern) ?? [];
  const plain = middle.replaceAll(/\(([^()?][^()]*)\)(?![*+?{])/gu, "$1");
  if (!NULLABLE.test(plain)) return false;
  return start === "" || end === "" || /(?<!\\)\.\*/u.test(plain);
}

/** A sum: the factor of each column and parameter, and a constant. */
interface Sum {
  readonly terms: ReadonlyMap<string, number>;
  readonly constant: number;
}

/**
 * Value of `left - right` for every row, such as 1 for `id + 1` and `id`; undefined if it depends
 * on the row.
 */
function fixedDifference(
  left: Node | undefined,
  right: Node | undefined,
  assumed: Assumed,
): number | undefined {
  const one = sumOf(left, assumed);
  const other = one && sumOf(right, assumed);
  if (one === undefined || other === undefined) return undefined;
  const { constant, terms } = added(one, times(other, -1));
  return [...terms.values()].every((count) => count === 0) ? constant : undefined;
}

function sumOf(node: Node | undefined, assumed: Assumed): Sum | undefined {
  const number = numberIn(node, { ...assumed, fixed: undefined });
  if (number !== undefined) return { terms: new Map(), constant: number };
  const parameter = fieldsOf(node, "ParamRef")?.number;
  if (parameter !== undefined) return { terms: new Map([[`$${parameter}`, 1]]), constant: 0 };
  if (isNumberColumn(node, assumed))
    return { terms: new Map([[columnName(node) ?? "", 1]]), constant: 0 };
  const { kind, lexpr, name, rexpr } = fieldsOf(node, "A_Expr") ?? {};
  return kind === "AEXPR_OP"
    ? operated(namesIn(name).at(-1), sumOf(lexpr, assumed), sumOf(rexpr, assumed))
    : undefined;
}

function operated(
  operator: string | undefined,
  one: Sum | undefined,
  other: Sum | undefined,
): Sum | undefined {
  if (one === undefined || other === undefined) return undefined;
  if (operator === "+") return added(one, other);
  if (operator === "-") return added(one, times(other, -1));
  if (operator !== "*") return undefined;
  if (one.terms.size === 0) return times(other, one.constant);
  return other.terms.size === 0 ? times(one, other.constant) : undefined;
}

function added(one: Sum, other: Sum): Sum {
  const terms = new Map(one.terms);
  for (const [name, count] of other.terms) terms.set(name, (terms.get(name) ?? 0) + count);
  return { terms, constant: one.constant + other.constant };
}

function times({ constant, terms }: Sum, factor: number): Sum {
  return {
    terms: new Map([...terms].map(([name, count]) => [name, count * factor])),
    constant: constant * factor,
  };
}

/** True for an empty list, or an empty JSON list or object. */
function isEmptyList(node: Node | undefined, assumed: Assumed): boolean {
  const value = uncast(simplified(uncast(node), assumed));
  const array = fieldsOf(value, "A_ArrayExpr");
  if (array !== undefined) return (array.elements ?? []).length === 0;
  if (isEmptyParameter(value, assumed)) return true;
  return ["{}", "[]"].includes(fieldsOf(value, "A_Const")?.sval?.sval?.replace(/\s/g, "") ?? "");
}

/** True for a parameter that is assumed to be an empty text. */
function isEmptyText(node: Node | undefined, assumed: Assumed): boolean {
  return isEmptyParameter(uncast(simplified(uncast(node), assumed)), assumed);
}

function isEmptyParameter(node: Node | undefined, assumed: Assumed): boolean {
  const number = fieldsOf(node, "ParamRef")?.number;
  return number !== undefined && assumed.isEmptyParameter(number);
}

const RANGES: ReadonlySet<string> = new Set(
  "int4range int8range numrange tsrange tstzrange daterange".split(" "),
);

/** True for a range without limits: `daterange(NULL, NULL)`, `'(,)'`. */
function isWholeRange(node: Node | undefined, assumed: Assumed): boolean {
  const value = simplified(uncast(node), assumed);
  const call = fieldsOf(value, "FuncCall");
  const [low, high] = call?.args ?? [];
  if (call !== undefined && RANGES.has(namesIn(call.funcname).at(-1) ?? ""))
    return isOpen(low, "-infinity", assumed) && isOpen(high, "infinity", assumed);
  return /^[[(],[\])]$/.test(literalIn(value, assumed)?.replace(/\s/g, "") ?? "");
}

function isOpen(limit: Node | undefined, infinity: string, assumed: Assumed): boolean {
  return assumed.isNull(limit) || literalIn(limit, assumed) === infinity;
}
