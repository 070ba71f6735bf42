/**
 * Finds conditions that can't be true because of NULL, given by a parameter or written literally.
 */
import type { Node, ParamRef } from "@pgsql/types";
import { getOwn } from "../../../core/json.js";
import { pgCatalogOf } from "../database/pg-catalog.js";
import type { Snapshot } from "../database/snapshot.js";
import {
  childrenOf,
  type Fields,
  fieldsOf,
  itemsOf,
  locationOf,
  namesIn,
  walk,
} from "../statement/tree.js";
import { type Assumed, NULL, TRUE } from "./assumed.js";
import { assumeNull, truthOf } from "./null-logic.js";

/**
 * Finds conditions that can't be true while some parameters are NULL, in WHERE, HAVING, ON, FILTER
 * and the WHENs of CASE. Returns the position of such a parameter for each, in UTF-8 bytes into the
 * statement. Conditions with an alternative are skipped: `:x IS NULL OR …`, `NOT`, `CASE`.
 */
export function neverTrueWithout(
  tree: Node,
  numbers: ReadonlySet<number>,
  snapshot: Snapshot,
): readonly number[] {
  const assumed = assumeNull(pgCatalogOf(snapshot), numbers);
  const found: number[] = [];
  walk(tree, (node) => {
    for (const condition of [...conditionsOf(node), ...deadArms(node, assumed)]) {
      if (truthOf(condition, assumed) & TRUE) continue;
      const part = culprit(condition, assumed);
      const parameter = isChoice(part) ? undefined : parameterIn(part, numbers);
      const location = parameter && locationOf(parameter);
      if (location !== undefined) found.push(location);
    }
    return !isWayOut(node, assumed);
  });
  return [...new Set(found)];
}

function conditionsOf(node: Node): readonly Node[] {
  const { havingClause, whereClause } = {
    ...fieldsOf(node, "SelectStmt"),
    ...fieldsOf(node, "UpdateStmt"),
    ...fieldsOf(node, "DeleteStmt"),
  };
  const on = fieldsOf(node, "JoinExpr")?.quals ?? fieldsOf(node, "MergeStmt")?.joinCondition;
  return [whereClause, havingClause, on].flatMap((each) => each ?? []);
}

/**
 * The conditions of FILTER and CASE that may be NULL. Such a condition chooses among alternatives.
 * If it is FALSE for a NULL parameter, `:x IS NOT NULL AND …`, the author meant that; if it is
 * NULL, probably not. WHENs after one that is certainly true are not reached.
 */
function deadArms(node: Node, assumed: Assumed): readonly Node[] {
  const filter = fieldsOf(node, "FuncCall")?.agg_filter;
  const { arg, args = [] } = fieldsOf(node, "CaseExpr") ?? {};
  const whens = arg === undefined ? args.map((each) => fieldsOf(each, "CaseWhen")?.expr) : [];
  const taken = whens.findIndex((each) => truthOf(each, assumed) === TRUE);
  const reached = taken < 0 ? whens : whens.slice(0, taken);
  return [filter, ...reached].flatMap((each) =>
    each !== undefined && (truthOf(each, assumed) & NULL) !== 0 ? [each] : [],
  );
}

/** CASE and COALESCE state explicitly what happens for NULL. */
function isChoice(node: Node): boolean {
  return "CaseExpr" in node || "CoalesceExpr" in node;
}

/** True if a condition below this node may be false on purpose. */
function isWayOut(node: Node, assumed: Assumed): boolean {
  if (isChoice(node)) return true;
  const bool = fieldsOf(node, "BoolExpr");
  if (bool?.boolop === "NOT_EXPR") return true;
  return bool?.boolop === "OR_EXPR" && (truthOf(node, assumed) & TRUE) !== 0;
}

/** The smallest part that keeps the condition from being true. */
function culprit(condition: Node, assumed: Assumed): Node {
  const bool = fieldsOf(condition, "BoolExpr");
  if (bool?.boolop !== "AND_EXPR") return condition;
  const part = bool.args?.find((each) => !(truthOf(each, assumed) & TRUE));
  return part === undefined ? condition : culprit(part, assumed);
}

function parameterIn(node: Node, numbers: ReadonlySet<number>): ParamRef | undefined {
  const waiting = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ("ParamRef" in next && numbers.has(next.ParamRef.number ?? 0)) return next.ParamRef;
    waiting.push(...childrenOf(next).toReversed());
  }
  return undefined;
}

/** A comparison with a literal NULL, which can't be true for any row. */
interface WrittenComparison {
  /** Test to write instead. */
  readonly instead?: "IS NULL" | "IS NOT NULL";
  /** Position of the NULL, in UTF-8 bytes into the statement. */
  readonly location: number | undefined;
}

/**
 * Finds comparisons with a literal NULL: `x = NULL`, `x <> NULL`, `x < NULL`, `x LIKE NULL`, `x IN
 * (NULL)`, `x NOT IN ('a', NULL)`, `CASE x WHEN NULL`.
 */
export function nullComparisons(tree: Node): readonly WrittenComparison[] {
  const found: WrittenComparison[] = [];
  walk(tree, (node) => {
    const expr = fieldsOf(node, "A_Expr");
    if (expr !== undefined) found.push(...inExpression(expr));
    found.push(...inCase(fieldsOf(node, "CaseExpr")));
  });
  return found;
}

const COMPARING: ReadonlySet<string> = new Set(["=", "<>", "<", ">", "<=", ">="]);

const INSTEAD: Readonly<Partial<Record<string, "IS NULL" | "IS NOT NULL">>> = {
  "=": "IS NULL",
  "<>": "IS NOT NULL",
};

function inExpression({
  kind,
  lexpr,
  name,
  rexpr,
}: Fields<"A_Expr">): readonly WrittenComparison[] {
  const operator = namesIn(name).at(-1) ?? "";
  if (kind === "AEXPR_OP" && COMPARING.has(operator))
    return [lexpr, rexpr]
      .flatMap(nullIn)
      .slice(0, 1)
      .map(comparison(getOwn(INSTEAD, operator)));
  if (kind === "AEXPR_LIKE" || kind === "AEXPR_ILIKE") return nullIn(rexpr).map(comparison());
  if (kind !== "AEXPR_IN") return [];
  const items = itemsOf(rexpr);
  const nulls = items.flatMap(nullIn);
  // IN is still true if another value matches. NOT IN needs all comparisons.
  if (operator === "=" && nulls.length < items.length) return [];
  return nulls
    .slice(0, 1)
    .map(comparison(items.length === 1 ? getOwn(INSTEAD, operator) : undefined));
}

function inCase(chosen: Fields<"CaseExpr"> | undefined): readonly WrittenComparison[] {
  if (chosen?.arg === undefined) return [];
  return (chosen.args ?? []).flatMap((each) =>
    nullIn(fieldsOf(each, "CaseWhen")?.expr).map(comparison("IS NULL")),
  );
}

function comparison(instead?: "IS NULL" | "IS NOT NULL") {
  return (location: number | undefined): WrittenComparison => ({
    ...(instead && { instead }),
    location,
  });
}

/** Positions of a literal NULL, with or without a cast: one or none. */
function nullIn(node: Node | undefined): readonly (number | undefined)[] {
  const cast = fieldsOf(node, "TypeCast");
  if (cast !== undefined) return nullIn(cast.arg);
  const constant = fieldsOf(node, "A_Const");
  return constant?.isnull === true ? [locationOf(constant)] : [];
}
