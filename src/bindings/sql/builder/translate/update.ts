import type { UpdateStmt } from "@pgsql/types";
import { call } from "../chain.js";
import { NoWords } from "../nodes.js";
import type { Query, QueryStart } from "../place.js";
import { extend } from "../scope.js";
import { readAssignments, setCalls } from "./assignments.js";
import { conditionCalls } from "./condition.js";
import { readWritten, sourcesOf } from "./from.js";
import { writtenTables } from "./joins.js";
import { returningCalls } from "./returning.js";
import { writtenTable } from "./target-table.js";

/** UPDATE. */
export function updateQuery(update: UpdateStmt, start: QueryStart): Query {
  const { item, place: base, chain: text } = writtenTable(update.relation, start);
  const from = readWritten(update.fromClause ?? [], base);
  const place = { ...base, frame: extend(base.frame, sourcesOf(from)) };
  const begun = call(start.names.start, "updateTable", text);
  const joined = writtenTables(begun, "from", from, base);
  const assigned = readAssignments(update.targetList ?? [], item.source, place);
  if (assigned.length === 0) throw new NoWords("UPDATE of nothing");
  const set = setCalls(joined, assigned, "set", place);
  const filtered = conditionCalls(set, "where", update.whereClause, place);
  return returningCalls(filtered, update.returningClause, place);
}
