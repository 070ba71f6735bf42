import { type AnyResult, UnreadableAnswer } from "../../../runtime/sink.js";
import type { ManyRows, Refusal, SqlFault, SqlRows } from "../contract.js";
import type { ServerFault } from "./faults.js";
import { type ColumnReaders, readRows, type Row } from "./rows.js";
import type { Reply } from "./session.js";

/** What the rows of an answer mean. */
export interface AnswerPlan {
  readonly rows: SqlRows;
  readonly columns: ColumnReaders;
}

/**
 * Rows to ask for: one more than may come, so that it shows when there are more. PostgreSQL runs a SELECT no further than that, so a write is asked for all:
 * the functions that it calls are to act on every row.
 */
export function mostRows({ rows }: AnswerPlan, effect: "read" | "write"): number {
  // More than one is rolled back.
  if (rows.rows === "one" || rows.rows === "optional") return 2;
  return rows.rows === "many" && effect === "read" ? rows.maxRows + 1 : 0;
}

/**
 * What an answer means to the caller.
 *
 * @throws UnreadableAnswer
 */
export function readAnswer({ rows, columns }: AnswerPlan, reply: Reply): AnyResult {
  if (rows.rows === "none") return success({ affected_rows: affectedBy(reply.tag) });
  const found = readRows(reply, columns);
  if (rows.rows === "many") {
    const truncated = found.length > rows.maxRows;
    const data = truncated ? found.slice(0, rows.maxRows) : found;
    const many: ManyRows<readonly Row[]> = { status: "success", data, truncated };
    return many;
  }
  if (found.length > 1)
    throw new UnreadableAnswer("more than one row came back where there may be only one");
  const row = found[0];
  if (row !== undefined) return success(row);
  return rows.rows === "optional" ? success(null) : failed("not_found", { error: {} });
}

function success<Data>(data: Data): AnyResult & { readonly data: Data } {
  return { status: "success", data };
}

function failed(status: string, fault: SqlFault): AnyResult {
  return { status, ...fault };
}

/** `INSERT 0 5`, `UPDATE 3`: the last number is the count; commands that count nothing have none. */
function affectedBy(tag: string): number {
  return Number(/ (\d+)$/.exec(tag)?.[1] ?? 0);
}

/** Classes of violation by SQLSTATE. 23P01 is an exclusion constraint, of which uniqueness is one; 23001 is ON DELETE RESTRICT. */
const refusals: ReadonlyMap<string, Refusal> = new Map([
  ["23505", "conflict"],
  ["23P01", "conflict"],
  ["23503", "invalid_reference"],
  ["23001", "invalid_reference"],
  ["23514", "check_failed"],
  ["23502", "missing_value"],
]);

/** The answer that a violated constraint is; undefined for any other fault. */
export function refusalOf({ code, report }: ServerFault): AnyResult | undefined {
  const status = refusals.get(code);
  if (status === undefined) return undefined;
  const { constraint, table, column, dataType: domain } = report;
  return failed(status, {
    error: {
      ...(constraint === undefined ? {} : { constraint }),
      ...(table === undefined ? {} : { table }),
      ...(column === undefined ? {} : { column }),
      ...(domain === undefined ? {} : { domain }),
    },
  });
}
