import type { Node } from "@pgsql/types";
import { type Fields, fieldsOf, itemsOf, locationOf, namesIn, walk } from "../statement/tree.js";

/** A comparison that NULL, written out, keeps from coming true, whatever the rows are. */
export interface WrittenComparison {
  /** What tests for NULL instead. */
  readonly instead?: "IS NULL" | "IS NOT NULL";
  /** Of the NULL: UTF-8 bytes into the statement. */
  readonly location: number | undefined;
}

/** `x = NULL`, `x <> NULL`, `x < NULL`, `x LIKE NULL`, `x IN (NULL)`, `x NOT IN ('a', NULL)`, `CASE x WHEN NULL`. */
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
    return [lexpr, rexpr].flatMap(nullIn).slice(0, 1).map(comparison(INSTEAD[operator]));
  if (kind === "AEXPR_LIKE" || kind === "AEXPR_ILIKE") return nullIn(rexpr).map(comparison());
  if (kind !== "AEXPR_IN") return [];
  const items = itemsOf(rexpr);
  const nulls = items.flatMap(nullIn);
  // Of other values one may be the right one; NOT IN asks for all.
  if (operator === "=" && nulls.length < items.length) return [];
  return nulls.slice(0, 1).map(comparison(items.length === 1 ? INSTEAD[operator] : undefined));
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

/** The place of a NULL, cast or not: one or none. */
function nullIn(node: Node | undefined): readonly (number | undefined)[] {
  const cast = fieldsOf(node, "TypeCast");
  if (cast !== undefined) return nullIn(cast.arg);
  const constant = fieldsOf(node, "A_Const");
  return constant?.isnull === true ? [locationOf(constant)] : [];
}
