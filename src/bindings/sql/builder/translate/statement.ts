import type { Node, SelectStmt } from "@pgsql/types";
import { constructName } from "../construct-names.js";
import { NoWords } from "../nodes.js";
import type { Query, QueryStart } from "../place.js";
import { deleteQuery } from "./delete.js";
import { insertQuery } from "./insert.js";
import { mergeQuery } from "./merge.js";
import { simpleSelect } from "./select.js";
import { setOperation } from "./set-operation.js";
import { updateQuery } from "./update.js";
import { valuesQuery } from "./values.js";
import { withQueries } from "./with.js";

/** A statement, or a query inside one. */
export function statementQuery(node: Node, start: QueryStart): Query {
  if ("SelectStmt" in node) return selectQuery(node.SelectStmt, start);
  if ("InsertStmt" in node)
    return insertQuery(
      node.InsertStmt,
      withQueries(node.InsertStmt.withClause, start, statementQuery),
    );
  if ("UpdateStmt" in node)
    return updateQuery(
      node.UpdateStmt,
      withQueries(node.UpdateStmt.withClause, start, statementQuery),
    );
  if ("DeleteStmt" in node)
    return deleteQuery(
      node.DeleteStmt,
      withQueries(node.DeleteStmt.withClause, start, statementQuery),
    );
  if ("MergeStmt" in node)
    return mergeQuery(
      node.MergeStmt,
      withQueries(node.MergeStmt.withClause, start, statementQuery),
    );
  throw new NoWords(constructName(node));
}

export function selectQuery(select: SelectStmt, outside: QueryStart): Query {
  if (select.intoClause !== undefined) throw new NoWords("SELECT INTO");
  const start = withQueries(select.withClause, fromDatabase(select, outside), statementQuery);
  if (select.op !== undefined && select.op !== "SETOP_NONE") return setOperation(select, start);
  return select.valuesLists === undefined
    ? simpleSelect(select, start)
    : valuesQuery(select, start);
}

/** Expression builders begin neither WITH nor a SELECT without FROM: those begin at `db`. */
function fromDatabase(select: SelectStmt, start: QueryStart): QueryStart {
  const plain = select.op === undefined || select.op === "SETOP_NONE";
  const noFrom = plain && select.fromClause === undefined && select.valuesLists === undefined;
  const { names } = start;
  const begun = names.start.kind !== "name" || names.start.name === "db";
  if (begun || !(noFrom || select.withClause !== undefined)) return start;
  const atDatabase = {
    ...names,
    start: { kind: "name", name: "db" } as const,
    startKnows: names.dbKnows,
  };
  return { ...start, names: atDatabase, seesOuter: false };
}
