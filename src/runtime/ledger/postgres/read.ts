import { parseRecord } from "../chain/chain-record.js";
import { readLinkOfText } from "../chain/line.js";
import { wasUnknown } from "../ledger-call.js";
import { parseCursor } from "../position.js";
import { namesOf, prepareFilter, type RecordFilter } from "../query-filter.js";
import type { LedgerRecord } from "../record.js";
import type { StoredRecord } from "../store.js";
import { column } from "./batch.js";
import { type LedgerConnections, type Row, unavailable } from "./pool.js";
import { Snapshot } from "./snapshot.js";
import { clampedMs, sqlMs, sqlTime, type Tables, textOf } from "./tables.js";

/**
 * Yields every settlement, and then the records of calls that may match the filter, from all
 * writers, newest first, in one snapshot. It leaves out begin records if the call has a newer
 * record, and rows that hold no record; verification reports those.
 *
 * @throws LedgerUnavailable if the tables can't be read
 */
export async function* readRecords(
  connections: LedgerConnections,
  tables: Tables,
  filter: RecordFilter,
): AsyncGenerator<StoredRecord> {
  let snapshot: Snapshot | undefined;
  try {
    snapshot = await Snapshot.open(connections, tables);
    // Most queries need only the first rows, so make PostgreSQL plan for that.
    await snapshot.ask("SET LOCAL cursor_tuple_fraction = 0.001");
    yield* storedRecords(snapshot.stream(settlementsQuery(tables)));
    const { text, values } = recordsQuery(tables, filter, await mostAhead(snapshot, tables));
    yield* storedRecords(snapshot.stream(text, values));
  } catch (error) {
    throw unavailable("the ledger can't be read", error);
  } finally {
    await snapshot?.close();
  }
}

async function* storedRecords(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<StoredRecord> {
  for await (const rows of pages)
    for (const row of rows) {
      const stored = storedRecord(row);
      if (stored !== undefined) yield stored;
    }
}

function storedRecord(row: Row): StoredRecord | undefined {
  const line = textOf(row, "line");
  const record = readLinkOfText(line) && parseRecord(line);
  if (record === undefined || !isOfCall(record)) return undefined;
  const position = {
    timeMs: Number(textOf(row, "ms")),
    writer: textOf(row, "writer"),
    seq: Number(textOf(row, "seq")),
  };
  return { record, position, isLast: true };
}

function isOfCall<R extends { readonly type: string }>(record: R): record is R & LedgerRecord {
  return record.type === "begin" || record.type === "end" || record.type === "settle";
}

/**
 * Returns the maximum difference between a row's time and its record's time, in milliseconds. It is
 * more than 0 if a clock was set back.
 */
async function mostAhead(snapshot: Snapshot, { writers }: Tables): Promise<number> {
  const [row] = await snapshot.ask(
    `SELECT coalesce(max(ahead_ms), 0)::text AS ahead FROM ${writers}`,
  );
  return Number(row?.["ahead"] ?? 0);
}

const columns = `r.writer, r.seq::text, ${sqlMs("r.at")} AS ms, r.line`;
const newestFirst = "ORDER BY r.at DESC, r.writer DESC, r.seq DESC";

function settlementsQuery({ records }: Tables): string {
  return `SELECT ${columns} FROM ${records} r WHERE r.type = 'settle' ${newestFirst}`;
}

function recordsQuery(
  { records }: Tables,
  filter: RecordFilter,
  aheadMs: number,
): { readonly text: string; readonly values: unknown[] } {
  const values: unknown[] = [];
  const put = (value: unknown, type = "text"): string => `$${values.push(value)}::${type}`;
  const { skill, tool } = namesOf(filter);
  const { sinceMs, untilMs } = prepareFilter(filter);
  const { cursor, id, mode, parent, status, subject, tenant, trace } = filter;
  const conditions = [
    `(r.type = 'end' OR r.type = 'begin' AND NOT EXISTS (
      SELECT FROM ${records} e WHERE e.id = r.id AND e.at >= r.at AND (e.type = 'end'
        OR e.type = 'begin' AND (e.at, e.writer, e.seq) > (r.at, r.writer, r.seq))))`,
  ];
  if (skill !== undefined) conditions.push(`r.skill = ${put(column(skill))}`);
  if (tool !== undefined) conditions.push(`r.tool = ${put(column(tool))}`);
  if (mode !== undefined) conditions.push(`r.mode = ${put(mode)}`);
  if (tenant !== undefined) conditions.push(`r.tenant = ${put(column(tenant))}`);
  if (subject !== undefined) conditions.push(`r.subject = ${put(column(subject))}`);
  if (trace !== undefined) conditions.push(`r.trace = ${put(column(trace))}`);
  if (parent !== undefined) conditions.push(`r.parent = ${put(column(parent))}`);
  if (id !== undefined) conditions.push(`r.id LIKE ${put(`${escapeLike(column(id) ?? "")}%`)}`);
  if (status !== undefined)
    conditions.push(
      wasUnknown(status)
        ? `(r.type = 'begin' OR r.status IN (${put(column(status))}, 'unknown'))`
        : `r.status = ${put(column(status))}`,
    );
  if (Number.isFinite(sinceMs)) conditions.push(`r.at >= ${put(sqlTime(sinceMs), "timestamptz")}`);
  if (Number.isFinite(untilMs) && untilMs + aheadMs === clampedMs(untilMs + aheadMs))
    conditions.push(`r.at < ${put(sqlTime(untilMs + aheadMs), "timestamptz")}`);
  if (cursor !== undefined) {
    const { seq, timeMs, writer } = parseCursor(cursor);
    const place = [put(sqlTime(timeMs), "timestamptz"), put(writer), put(seq, "bigint")];
    conditions.push(`(r.at, r.writer, r.seq) < (${place.join(", ")})`);
  }
  const text = `SELECT ${columns} FROM ${records} r WHERE ${conditions.join(" AND ")} ${newestFirst}`;
  return { text, values };
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}
