import type { Node, SelectStmt } from "@pgsql/types";
import { walk } from "../../statement/tree.js";
import { fieldsOf, namesIn } from "../node.js";
import { isAggregate } from "./aggregate.js";
import type { Analysis, Columns, OutputColumn } from "./model.js";

export function hasGroupingSets({ groupClause = [] }: SelectStmt): boolean {
  return groupClause.some((each) => fieldsOf(each, "GroupingSet") !== undefined);
}

/** The expressions that a GROUP BY names, those in grouping sets too. */
export function membersOf(node: Node): readonly Node[] {
  const set = fieldsOf(node, "GroupingSet");
  if (set !== undefined) return (set.content ?? []).flatMap((each) => membersOf(each));
  // ROLLUP ((a, b), c) has a row for a member.
  return fieldsOf(node, "RowExpr")?.args ?? [node];
}

/**
 * Rows of a grouping set hold NULL for what they are not grouped by: a column, or a whole expression. A target without columns outside of aggregates is
 * none of these, unless something without columns is grouped by.
 */
export function maskGroups(select: SelectStmt, columns: Columns, a: Analysis): Columns {
  const { groupClause = [], targetList = [] } = select;
  const constant = groupClause
    .flatMap((each) => membersOf(each))
    .some((each) => meantBy(each, targetList).some((meant) => !hasColumns(meant, a)));
  return columns?.map((column, place): OutputColumn => {
    const target = columns.length === targetList.length ? targetList[place] : undefined;
    const stays = target !== undefined && !constant && !hasColumns(target, a);
    if (stays || column.value.null !== "never") return column;
    return { ...column, value: { ...column.value, null: "maybe" } };
  });
}

/** What is grouped by: a number is the place of a target, a name may be that of one. */
function meantBy(member: Node, targets: readonly Node[]): readonly Node[] {
  const place = fieldsOf(member, "A_Const")?.ival?.ival;
  const target = place === undefined ? undefined : targets[place - 1];
  if (target !== undefined) return [target];
  const [name, ...others] = namesIn(fieldsOf(member, "ColumnRef")?.fields);
  if (name === undefined || others.length > 0) return [member];
  return [member, ...targets.filter((each) => fieldsOf(each, "ResTarget")?.name === name)];
}

/** Whether an expression has columns outside of aggregates, or might: a subquery may name any. */
function hasColumns(node: Node, a: Analysis): boolean {
  let found = false;
  walk(node, (each) => {
    found ||= "ColumnRef" in each || "SubLink" in each;
    const call = fieldsOf(each, "FuncCall");
    return !("GroupingFunc" in each) && (call === undefined || !isAggregate(call, a));
  });
  return found;
}
