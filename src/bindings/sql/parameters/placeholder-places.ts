import type { Node } from "@pgsql/types";
import { fieldsOf, itemsOf, locationOf, namesIn } from "../analysis/node.js";
import { walk } from "../statement/tree.js";

/** A placeholder, by its number, and its place: UTF-8 bytes into the statement. */
export interface NumberedPlace {
  /** `1` for `$1`. */
  readonly number: number;
  readonly location: number | undefined;
}

/** Those by which rows are sorted, cast or not: the same value for each row. */
export function sortedPlaceholders(tree: Node): readonly NumberedPlace[] {
  const found: NumberedPlace[] = [];
  walk(tree, (node) => {
    found.push(...placeholderIn(fieldsOf(node, "SortBy")?.node));
  });
  return found;
}

/** Those that say how many rows there are, or how many are passed over: LIMIT, FETCH and OFFSET. */
export function limitingPlaceholders(tree: Node): readonly NumberedPlace[] {
  const found: NumberedPlace[] = [];
  walk(tree, (node) => {
    const { limitCount, limitOffset } = fieldsOf(node, "SelectStmt") ?? {};
    found.push(...placeholderIn(limitCount), ...placeholderIn(limitOffset));
  });
  return found;
}

/** Those that a value is compared with: `= :id`, `IN (:id)`, `NOT IN (:id)`. */
export function comparedPlaceholders(
  tree: Node,
): readonly (NumberedPlace & { readonly negated: boolean })[] {
  const found: (NumberedPlace & { readonly negated: boolean })[] = [];
  walk(tree, (node) => {
    const { kind, name, rexpr } = fieldsOf(node, "A_Expr") ?? {};
    const operator = namesIn(name).at(-1);
    if (operator !== "=" && operator !== "<>") return;
    const [only, another] = kind === "AEXPR_IN" ? itemsOf(rexpr) : [rexpr];
    if ((kind !== "AEXPR_IN" && kind !== "AEXPR_OP") || another !== undefined) return;
    for (const each of placeholderIn(only)) found.push({ ...each, negated: operator === "<>" });
  });
  return found;
}

function placeholderIn(node: Node | undefined): readonly NumberedPlace[] {
  const inner = fieldsOf(node, "TypeCast")?.arg ?? fieldsOf(node, "CollateClause")?.arg;
  if (inner !== undefined) return placeholderIn(inner);
  const parameter = fieldsOf(node, "ParamRef");
  if (parameter?.number === undefined) return [];
  return [{ number: parameter.number, location: locationOf(parameter) }];
}
