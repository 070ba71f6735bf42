import type { Node } from "@pgsql/types";
import { constantOf } from "../nodes.js";

/**
 * Whether an expression right inside another is put in parentheses: where operators meet, the deparser leaves out some that matter. `parent` is the
 * nearest node around it, lists aside.
 */
export function isGrouped(node: Node, parent: Node, field: string): boolean {
  // (ARRAY[1, 2])[n]
  if ("A_Indirection" in parent && field === "arg") return "A_ArrayExpr" in node;
  if (!isOperator(parent)) return false;
  if (isNegative(node)) return true;
  return isOperator(node) && !("TypeCast" in node) && !continues(node, parent, field);
}

const OPERATORS: ReadonlySet<string> = new Set([
  "A_Expr",
  "BoolExpr",
  "BooleanTest",
  "CollateClause",
  "JsonIsPredicate",
  "NullTest",
  "TypeCast",
]);

function isOperator(node: Node): boolean {
  return OPERATORS.has(Object.keys(node)[0] ?? "");
}

function isNegative(node: Node): boolean {
  if (!("A_Const" in node)) return false;
  const constant = constantOf(node.A_Const);
  if (constant.kind === "digits") return constant.text.startsWith("-");
  return constant.kind === "value" && typeof constant.value === "number" && constant.value < 0;
}

/** `a || b || c`: the left side of the same operator. */
function continues(node: Node, parent: Node, field: string): boolean {
  if (!("A_Expr" in node) || !("A_Expr" in parent) || field !== "lexpr") return false;
  const [inner, outer] = [node.A_Expr, parent.A_Expr];
  const plain = inner.kind === "AEXPR_OP" && outer.kind === "AEXPR_OP" && inner.lexpr !== undefined;
  return plain && JSON.stringify(inner.name) === JSON.stringify(outer.name);
}
