import type { Node, SelectStmt } from "@pgsql/types";
import { fieldsOf, itemsOf, locationOf, namesIn, walk } from "../statement/tree.js";

/** A placeholder by its number, and its position in UTF-8 bytes into the statement. */
export interface NumberedPlace {
  /** Number of the parameter: `1` for `$1`. */
  readonly number: number;
  readonly location: number | undefined;
}

/**
 * Finds placeholders in ORDER BY, with or without a cast. Such a value is the same for each row.
 */
export function sortedPlaceholders(tree: Node): readonly NumberedPlace[] {
  const found: NumberedPlace[] = [];
  walk(tree, (node) => {
    found.push(...placeholderIn(fieldsOf(node, "SortBy")?.node));
  });
  return found;
}

/** Finds placeholders in LIMIT, FETCH and OFFSET, alone or as `coalesce(:most, 20)`. */
export function limitingPlaceholders(tree: Node): readonly NumberedPlace[] {
  const found: NumberedPlace[] = [];
  walk(tree, (node) => {
    const { limitCount, limitOffset } = fieldsOf(node, "SelectStmt") ?? {};
    for (const limit of [limitCount, limitOffset])
      for (const each of fieldsOf(limit, "CoalesceExpr")?.args ?? [limit])
        found.push(...placeholderIn(each));
  });
  return found;
}

/** Finds placeholders in comparisons: `= :id`, `IN (:id)`, `NOT IN (:id)`. */
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

/**
 * Finds placeholders that are result columns by themselves: `SELECT :name`, `RETURNING :name`. An
 * INSERT's query is skipped because its values go to columns. Parts of a UNION are skipped because
 * they determine each other's types.
 */
export function shownPlaceholders(tree: Node): readonly NumberedPlace[] {
  const found: NumberedPlace[] = [];
  const typed = new Set<unknown>();
  walk(tree, (node) => {
    typed.add(fieldsOf(fieldsOf(node, "InsertStmt")?.selectStmt, "SelectStmt"));
    const select = fieldsOf(node, "SelectStmt");
    for (const arm of [select?.larg, select?.rarg]) typed.add(arm);
    const returned = fieldsOf(node, "ReturningClause")?.exprs ?? [];
    const shown = select === undefined || typed.has(select) ? [] : selected(select);
    found.push(...[...returned.map(targetValue), ...shown].flatMap(bare));
  });
  return found;
}

function targetValue(target: Node): Node | undefined {
  return fieldsOf(target, "ResTarget")?.val;
}

function selected({
  targetList = [],
  valuesLists = [],
}: SelectStmt): readonly (Node | undefined)[] {
  const row = valuesLists.length === 1 ? itemsOf(valuesLists[0]) : [];
  return [...targetList.map(targetValue), ...row];
}

function placeholderIn(node: Node | undefined): readonly NumberedPlace[] {
  const inner = fieldsOf(node, "TypeCast")?.arg ?? fieldsOf(node, "CollateClause")?.arg;
  return inner === undefined ? bare(node) : placeholderIn(inner);
}

function bare(node: Node | undefined): readonly NumberedPlace[] {
  const parameter = fieldsOf(node, "ParamRef");
  if (parameter?.number === undefined) return [];
  return [{ number: parameter.number, location: locationOf(parameter) }];
}
