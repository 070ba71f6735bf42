import type { Node } from "@pgsql/types";
import type { PgCatalog } from "../database/pg-catalog.js";
import { type Fields, fieldsOf, namesIn } from "../statement/tree.js";
import {
  ANY,
  type Assumed,
  conjoined,
  either,
  FALSE,
  type FixedColumn,
  negated,
  NULL,
  type Sources,
  type TargetRows,
  TRUE,
} from "./assumed.js";
import { calledOf, compared, equal } from "./comparisons.js";
import { askedOf } from "./subqueries.js";
import { fixedValue, isNeverNull, isNull } from "./values.js";

/**
 * Makes the assumptions for one evaluation.
 *
 * @param numbers the parameters that are NULL: `1` for `$1`
 */
export function assumeNull(
  pgCatalog: PgCatalog,
  numbers: ReadonlySet<number>,
  { empty = new Set(), fixed, sources, target, valued = new Set() }: AssumeOptions = {},
): Assumed {
  const assumed: Assumed = {
    pgCatalog,
    isNullParameter: (number) => numbers.has(number),
    hasValue: (number) => valued.has(number),
    isEmptyParameter: (number) => empty.has(number),
    target,
    fixed,
    sources,
    nulls: new Map(),
    isNull: (node) => isNull(node, assumed),
    truthOf: (node) => truthOf(node, assumed),
    truths: new Map(),
  };
  return assumed;
}

interface AssumeOptions {
  readonly target?: TargetRows | undefined;
  readonly fixed?: FixedColumn | undefined;
  readonly sources?: Sources | undefined;
  /** Parameters that are an empty list, object or text. */
  readonly empty?: ReadonlySet<number>;
  /** Parameters that are never NULL. */
  readonly valued?: ReadonlySet<number>;
}

/** Finds the truth values that a condition may have. */
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
  const fixed = fixedValue(node, assumed);
  if (typeof fixed === "boolean") return fixed ? TRUE : FALSE;
  if ("FuncCall" in node) return calledOf(node.FuncCall, assumed);
  if ("CoalesceExpr" in node) return firstOf(node.CoalesceExpr.args ?? [], assumed);
  if ("SubLink" in node) return askedOf(node.SubLink, assumed);
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

/** Truth values for which each test is true. */
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

/** Truth of a constant: `true`, `'t'::boolean`. */
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

/** Evaluates CASE: the truth values of all arms that can be reached. */
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

/** Evaluates COALESCE. */
function firstOf(args: readonly Node[], assumed: Assumed): number {
  let truth = 0;
  for (const each of args) {
    const own = truthOf(each, assumed);
    truth |= own & ~NULL;
    if (!(own & NULL)) return truth;
  }
  return truth | NULL;
}
