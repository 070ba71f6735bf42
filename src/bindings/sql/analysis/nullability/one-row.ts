import type { Node, SelectStmt } from "@pgsql/types";
import { walk } from "../../statement/tree.js";
import { fieldsOf, namesIn } from "../node.js";
import { isAggregate } from "./aggregate.js";
import { belongsHere } from "./level.js";
import type { Analysis, Scope } from "./model.js";

/** Whether a query always has exactly one row: it has no FROM, or it only aggregates, and nothing takes the row away. `scope` is the query's own. */
export function hasOneRow(select: SelectStmt, scope: Scope, a: Analysis): boolean {
  const { limitCount, limitOffset, havingClause, groupClause, targetList = [] } = select;
  if ((limitCount ?? limitOffset ?? havingClause ?? groupClause) !== undefined) return false;
  if (targetList.some((each) => mayMultiply(each, a))) return false;
  if (select.fromClause === undefined && select.whereClause === undefined) return true;
  return targetList.some((each) => hasOwnAggregate(each, scope, a));
}

/** Whether functions that give several rows, or none, stand in an expression. */
function mayMultiply(node: Node, { catalog }: Analysis): boolean {
  let found = false;
  walk(node, (each) => {
    const call = fieldsOf(each, "FuncCall");
    if (call !== undefined)
      found ||= catalog.functions(namesIn(call.funcname)).some(({ returnsSet }) => returnsSet);
  });
  return found;
}

function hasOwnAggregate(node: Node, scope: Scope, a: Analysis): boolean {
  let found = false;
  walk(node, (each) => {
    const call = fieldsOf(each, "FuncCall");
    if (call !== undefined && isAggregate(call, a)) found ||= belongsHere(call, scope);
    // What stands in a subquery further in says nothing of this one.
    return fieldsOf(each, "SubLink") === undefined;
  });
  return found;
}
