import type { DeleteStmt } from "@pgsql/types";
import { call } from "../chain.js";
import type { Query, QueryStart } from "../place.js";
import { extend } from "../scope.js";
import { conditionCalls } from "./condition.js";
import { readWritten, sourcesOf } from "./from.js";
import { writtenTables } from "./joins.js";
import { returningCalls } from "./returning.js";
import { writtenTable } from "./target-table.js";

/** DELETE. */
export function deleteQuery(statement: DeleteStmt, start: QueryStart): Query {
  const { place: base, chain: text } = writtenTable(statement.relation, start);
  const from = readWritten(statement.usingClause ?? [], base);
  const place = { ...base, frame: extend(base.frame, sourcesOf(from)) };
  const begun = call(start.names.start, "deleteFrom", text);
  const joined = writtenTables(begun, "using", from, base);
  const filtered = conditionCalls(joined, "where", statement.whereClause, place);
  return returningCalls(filtered, statement.returningClause, place);
}
