import type { Node } from "@pgsql/types";
import type { Catalog } from "../database/catalog.js";
import { type Fields, fieldsOf, itemsOf, namesIn } from "../analysis/node.js";
import type { Assumed, TargetRows } from "./assumed.js";
import { type RowPairs, rowPairs } from "./row-pairs.js";
import { ANY, conjoined, either, FALSE, negated, NULL, TRUE } from "./truth.js";
import { isNeverNull, isNull, isValued } from "./nulls.js";
import { columnName, isOwnColumn, isSameValue, numberIn, simplified, textIn } from "./values.js";

/** @param numbers the parameters that are NULL: `1` for `$1` */
export function assumeNull(
  catalog: Catalog,
  numbers: ReadonlySet<number>,
  { target, valued = new Set() }: AssumeOptions = {},
): Assumed {
  const assumed: Assumed = {
    catalog,
    isNullParameter: (number) => numbers.has(number),
    hasValue: (number) => valued.has(number),
    target,
    nulls: new Map(),
    isNull: (node) => isNull(node, assumed),
    truthOf: (node) => truthOf(node, assumed),
    truths: new Map(),
  };
  return assumed;
}

interface AssumeOptions {
  readonly target?: TargetRows | undefined;
  /** The parameters that are never NULL. */
  readonly valued?: ReadonlySet<number>;
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
  if ("NullTest" in node) return testedForNull(node.NullTest, assumed);
  if ("BooleanTest" in node) return tested(node.BooleanTest, assumed);
  const constant = constantTruth(node);
  if (constant !== undefined) return constant;
  if ("TypeCast" in node && isBool(node.TypeCast)) return truthOf(node.TypeCast.arg, assumed);
  if ("CaseExpr" in node) return chosen(node.CaseExpr, assumed);
  if (isNull(node, assumed)) return NULL;
  if ("CoalesceExpr" in node) return firstOf(node.CoalesceExpr.args ?? [], assumed);
  if ("SubLink" in node) return asked(node.SubLink, assumed);
  return "A_Expr" in node ? compared(node.A_Expr, assumed) : ANY;
}

function connected({ boolop, args = [] }: Fields<"BoolExpr">, assumed: Assumed): number {
  const [first = ANY, ...others] = args.map((each) => truthOf(each, assumed));
  if (boolop === "NOT_EXPR") return negated(first);
  const both = boolop === "OR_EXPR" ? either : conjoined;
  return others.reduce(both, first);
}

function testedForNull({ arg, nulltesttype }: Fields<"NullTest">, assumed: Assumed): number {
  const [yes, no] = nulltesttype === "IS_NULL" ? [TRUE, FALSE] : [FALSE, TRUE];
  if (isNull(arg, assumed)) return yes;
  return isNeverNull(arg, assumed) ? no : TRUE | FALSE;
}

/** What each test is true of. */
const TESTS: Readonly<Record<string, number>> = {
  IS_TRUE: TRUE,
  IS_NOT_TRUE: FALSE | NULL,
  IS_FALSE: FALSE,
  IS_NOT_FALSE: TRUE | NULL,
  IS_UNKNOWN: NULL,
  IS_NOT_UNKNOWN: TRUE | FALSE,
};

function tested({ arg, booltesttype }: Fields<"BooleanTest">, assumed: Assumed): number {
  const truth = truthOf(arg, assumed);
  const held = TESTS[booltesttype ?? ""] ?? ANY;
  return (truth & held ? TRUE : 0) | (truth & ~held ? FALSE : 0);
}

/** `true`, `'t'::boolean`. */
function constantTruth(node: Node): number | undefined {
  const constant = fieldsOf(node, "A_Const")?.boolval;
  if (constant !== undefined) return constant.boolval === true ? TRUE : FALSE;
  const cast = fieldsOf(node, "TypeCast");
  if (!isBool(cast)) return undefined;
  const written = fieldsOf(cast?.arg, "A_Const")?.sval?.sval?.trim().toLowerCase() ?? "";
  if (["t", "true", "y", "yes", "on", "1"].includes(written)) return TRUE;
  return ["f", "false", "n", "no", "off", "0"].includes(written) ? FALSE : undefined;
}

function isBool(cast: Fields<"TypeCast"> | undefined): boolean {
  const { arrayBounds, names } = cast?.typeName ?? {};
  return namesIn(names).at(-1) === "bool" && arrayBounds === undefined;
}

/** CASE: what the arms may come to that can be reached. */
function chosen({ arg, args = [], defresult }: Fields<"CaseExpr">, assumed: Assumed): number {
  let truth = 0;
  for (const each of args) {
    const { expr, result } = fieldsOf(each, "CaseWhen") ?? {};
    const when = arg === undefined ? truthOf(expr, assumed) : equal(arg, expr, assumed);
    if (when & TRUE) truth |= truthOf(result, assumed);
    if (when === TRUE) return truth;
  }
  return truth | (defresult === undefined ? NULL : truthOf(defresult, assumed));
}

/** COALESCE. */
function firstOf(args: readonly Node[], assumed: Assumed): number {
  let truth = 0;
  for (const each of args) {
    const own = truthOf(each, assumed);
    truth |= own & ~NULL;
    if (!(own & NULL)) return truth;
  }
  return truth | NULL;
}

/** `EXISTS (SELECT 1)`, and `id IN (SELECT id FROM stock)` where the rows of `stock` are chosen. */
function asked(
  { operName, subLinkType, subselect, testexpr }: Fields<"SubLink">,
  assumed: Assumed,
): number {
  const select = fieldsOf(subselect, "SelectStmt");
  if (select === undefined || select.larg !== undefined || select.withClause !== undefined)
    return ANY;
  const { fromClause = [], targetList = [], whereClause, valuesLists = [] } = select;
  const narrowed =
    select.limitCount ?? select.limitOffset ?? select.havingClause ?? select.groupClause;
  if (narrowed !== undefined) return ANY;
  const found = whereClause === undefined ? TRUE : truthOf(whereClause, assumed);
  if (subLinkType === "EXISTS_SUBLINK" && fromClause.length === 0) {
    if (valuesLists.length > 0) return TRUE;
    const isPlain = targetList.every(
      (each) => "A_Const" in (fieldsOf(each, "ResTarget")?.val ?? {}),
    );
    if (!isPlain) return ANY;
    return (found & TRUE ? TRUE : 0) | (found & (FALSE | NULL) ? FALSE : 0);
  }
  if (subLinkType !== "ANY_SUBLINK" || operName !== undefined || found !== TRUE) return ANY;
  const [only, ...others] = targetList.map((each) => fieldsOf(each, "ResTarget")?.val);
  const [table, ...tables] = fromClause;
  const isAlone = others.length === 0 && tables.length === 0;
  return isAlone && isOwnColumn(testexpr, assumed) && isSameColumn(testexpr, only, table, assumed)
    ? TRUE
    : ANY;
}

function isSameColumn(
  own: Node | undefined,
  other: Node | undefined,
  table: Node | undefined,
  { catalog, target }: Assumed,
): boolean {
  const { relname = "", schemaname } = fieldsOf(table, "RangeVar") ?? {};
  const relation = catalog.relation(schemaname === undefined ? [relname] : [schemaname, relname]);
  const name = columnName(own);
  return (
    relation !== undefined &&
    relation === target?.relation &&
    name !== undefined &&
    name === columnName(other)
  );
}

/** What is not NULL as a whole may still be unable to come true. */
function compared(expr: Fields<"A_Expr">, assumed: Assumed): number {
  const { kind = "AEXPR_OP", lexpr, name, rexpr } = expr;
  const rows = rowPairs(expr);
  if (rows !== undefined) return comparedRows(rows, assumed);
  const operator = namesIn(name).at(-1) ?? "";
  const items = itemsOf(rexpr);
  const isLeft = isNull(lexpr, assumed);
  switch (kind) {
    case "AEXPR_OP":
    case "AEXPR_LIKE":
    case "AEXPR_ILIKE":
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
      if (isNull(rexpr, assumed)) return NULL;
      return isEmptyArray(rexpr, assumed) ? FALSE : isLeft ? FALSE | NULL : ANY;
    case "AEXPR_OP_ALL":
      if (isNull(rexpr, assumed)) return NULL;
      return isEmptyArray(rexpr, assumed) ? TRUE : ANY;
    default:
      return ANY;
  }
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

function isEmptyArray(node: Node | undefined, assumed: Assumed): boolean {
  const value = simplified(node, assumed);
  const inner = fieldsOf(value, "TypeCast")?.arg ?? value;
  const array = fieldsOf(inner, "A_ArrayExpr");
  if (array !== undefined) return (array.elements ?? []).length === 0;
  return fieldsOf(inner, "A_Const")?.sval?.sval?.trim() === "{}";
}

function equal(left: Node | undefined, right: Node | undefined, assumed: Assumed): number {
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

/** `left operator right`, for the operators that every type has, and LIKE. */
function comparison(
  operator: string,
  left: Node | undefined,
  right: Node | undefined,
  assumed: Assumed,
): number {
  if (isNull(left, assumed) || isNull(right, assumed)) return NULL;
  const unlessNull = isValued(left, assumed) ? 0 : NULL;
  if (LIKE.has(operator)) {
    const isAnything = /^%+$/.test(textIn(right, assumed) ?? "");
    return isAnything ? TRUE | unlessNull : ANY;
  }
  const rule = ORDERED[operator];
  if (rule === undefined) return ANY;
  if (isSameValue(left, right, assumed)) return (rule[1] ? TRUE : FALSE) | unlessNull;
  const numbers = [numberIn(left, assumed), numberIn(right, assumed)] as const;
  const order = orderOf(...numbers);
  if (order !== undefined) return rule[order + 1] === true ? TRUE : FALSE;
  const texts = [textIn(left, assumed), textIn(right, assumed)];
  if (texts.includes(undefined) || (operator !== "=" && operator !== "<>")) return ANY;
  // Two texts that are spelled differently may be one value of another type.
  return texts[0] === texts[1] ? (rule[1] ? TRUE : FALSE) : ANY;
}

const LIKE: ReadonlySet<string> = new Set(["~~", "~~*"]);

function orderOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : Math.sign(one - other);
}

/** Rows are equal when all their fields are: one that is NULL is not. */
function comparedRows(rows: readonly RowPairs[], assumed: Assumed): number {
  const truths = rows.map((pairs) => {
    const fields = pairs?.map(([left, right]) => equal(left, right, assumed));
    return fields?.reduce(conjoined) ?? ANY;
  });
  return truths.length === 0 ? ANY : truths.reduce(either);
}
