import type { Node } from "@pgsql/types";
import { fieldsOf } from "../node.js";
import { queryInsert } from "./insert.js";
import type { Analysis, Output, Scope } from "./model.js";
import { queryDelete, queryMerge, queryUpdate } from "./modify.js";
import { querySetOperation, queryValues } from "./rows.js";
import { querySelect } from "./select.js";
import { targetOf } from "./target-table.js";
import { withQueries } from "./with.js";

export const NO_OUTPUT: Output = { columns: undefined, oneRow: false };

/** The columns of any statement, seen from what is around it; undefined for one that is not understood. */
export function queryStatement(node: Node | undefined, around: Scope, a: Analysis): Output {
  const select = fieldsOf(node, "SelectStmt");
  if (select !== undefined) {
    const scope = withQueries(select.withClause, around, a);
    const isUnion = select.op !== undefined && select.op !== "SETOP_NONE";
    if (!isUnion && select.valuesLists === undefined) return querySelect(select, scope, a);
    for (const each of [select.limitCount, select.limitOffset]) a.infer(each, scope);
    return isUnion ? querySetOperation(select, scope, a) : queryValues(select, scope, a);
  }
  const insert = fieldsOf(node, "InsertStmt");
  if (insert !== undefined)
    return queryInsert(insert, withQueries(insert.withClause, around, a), a);
  const update = fieldsOf(node, "UpdateStmt");
  if (update !== undefined)
    return queryUpdate(update, withQueries(update.withClause, around, a), a);
  const remove = fieldsOf(node, "DeleteStmt");
  if (remove !== undefined)
    return queryDelete(remove, withQueries(remove.withClause, around, a), a);
  // Every column goes; none is named.
  for (const each of fieldsOf(node, "TruncateStmt")?.relations ?? [])
    targetOf(fieldsOf(each, "RangeVar"), a);
  const merge = fieldsOf(node, "MergeStmt");
  return merge === undefined
    ? NO_OUTPUT
    : queryMerge(merge, withQueries(merge.withClause, around, a), a);
}
