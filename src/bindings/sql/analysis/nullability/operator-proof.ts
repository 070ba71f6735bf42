import type { Node } from "@pgsql/types";
import { type Fields, fieldsOf, itemsOf, namesIn } from "../node.js";
import { chooseOperators } from "./choose-operators.js";
import { allOf, NO_FACTS } from "./facts.js";
import type { Analysis, Facts, Scope } from "./model.js";
import { chooseForElements, comparedTo, fieldsOfRow, isRow } from "./operator.js";

type Expr = Fields<"A_Expr">;

/** What is proven of the sides of an operator by its outcome. */
export function proveOperator(
  expr: Expr,
  when: "true" | "false" | "known",
  scope: Scope,
  a: Analysis,
): Facts {
  const { lexpr, rexpr } = expr;
  const known = (...nodes: readonly (Node | undefined)[]) =>
    allOf(nodes.map((each) => a.prove(each, scope, "known")));
  const items = itemsOf(rexpr);
  switch (expr.kind) {
    case "AEXPR_OP":
      if (isRow(lexpr) || isRow(rexpr)) return proveRows(expr, when, scope, a);
      return strictly(expr, scope, a) ? known(lexpr, rexpr) : NO_FACTS;
    case "AEXPR_LIKE":
    case "AEXPR_ILIKE":
    case "AEXPR_SIMILAR":
      return strictly(expr, scope, a) ? known(lexpr, rexpr) : NO_FACTS;
    case "AEXPR_IN":
    case "AEXPR_BETWEEN":
    case "AEXPR_NOT_BETWEEN":
    case "AEXPR_BETWEEN_SYM":
    case "AEXPR_NOT_BETWEEN_SYM": {
      // A row may differ from another in one field while the next is NULL.
      if (isRow(lexpr) || !comparedTo(expr, items, scope, a).strict) return NO_FACTS;
      return when === BOUNDED[expr.kind] ? known(lexpr, ...items) : known(lexpr);
    }
    case "AEXPR_OP_ANY":
    case "AEXPR_OP_ALL":
      return proveArray(expr, when, scope, a);
    case "AEXPR_DISTINCT":
    case "AEXPR_NOT_DISTINCT":
      return proveDistinct(expr, when, scope, a);
    case "AEXPR_NULLIF":
      return known(lexpr);
    default:
      return NO_FACTS;
  }
}

/** The outcome for which both bounds were compared and neither was NULL. */
const BOUNDED: Readonly<Record<string, string>> = {
  AEXPR_BETWEEN: "true",
  AEXPR_BETWEEN_SYM: "true",
  AEXPR_NOT_BETWEEN: "false",
  AEXPR_NOT_BETWEEN_SYM: "false",
};

function strictly(expr: Expr, scope: Scope, a: Analysis): boolean {
  const left = expr.lexpr === undefined ? "none" : a.infer(expr.lexpr, scope).type;
  const right = a.infer(expr.rexpr, scope).type;
  return chooseOperators(a, { node: expr, path: namesIn(expr.name) }, left, right).strict;
}

/** `(a, b) = (c, d)` is true only when all are equal; it is false, and `<>`, `<` and the like are true, as soon as one field decides. */
function proveRows(expr: Expr, when: string, scope: Scope, a: Analysis): Facts {
  const { lexpr, rexpr } = expr;
  if (when !== "true" || namesIn(expr.name).at(-1) !== "=" || !isRow(lexpr) || !isRow(rexpr))
    return NO_FACTS;
  if (!comparedTo(expr, [rexpr], scope, a).strict) return NO_FACTS;
  const fields = [...fieldsOfRow(lexpr), ...fieldsOfRow(rexpr)];
  return allOf(fields.map((each) => a.prove(each, scope, "known")));
}

/** With no elements, `= ANY` is false and `= ALL` true, whatever stands on the left: the other outcome compared it with one. */
function proveArray(expr: Expr, when: string, scope: Scope, a: Analysis): Facts {
  const array = a.prove(expr.rexpr, scope, "known");
  const compared = when === (expr.kind === "AEXPR_OP_ANY" ? "true" : "false");
  if (!compared || isRow(expr.lexpr)) return array;
  const { strict } = chooseForElements(expr, scope, a);
  return strict ? allOf([array, a.prove(expr.lexpr, scope, "known")]) : array;
}

/** Distinct from NULL, or not distinct from a value, is a value. */
function proveDistinct(expr: Expr, when: string, scope: Scope, a: Analysis): Facts {
  const differs = when === (expr.kind === "AEXPR_DISTINCT" ? "true" : "false");
  const same = when === (expr.kind === "AEXPR_DISTINCT" ? "false" : "true");
  const side = (node: Node | undefined, other: Node | undefined): Facts => {
    const provesValue =
      (differs && fieldsOf(other, "A_Const")?.isnull === true) ||
      (same &&
        a.infer(other, scope).null === "never" &&
        comparedTo(expr, [expr.rexpr], scope, a).total);
    return provesValue && !isRow(node) ? a.prove(node, scope, "known") : NO_FACTS;
  };
  return allOf([side(expr.lexpr, expr.rexpr), side(expr.rexpr, expr.lexpr)]);
}
