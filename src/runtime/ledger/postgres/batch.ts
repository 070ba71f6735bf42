/**
 * Builds the statement that inserts a batch: the next lines of a writer's chain, attachments and
 * events.
 */
import { type ChainHead, linkedLine, mayFollowBegin } from "../chain/line.js";
import type { CallRecord } from "../record.js";
import type { Item } from "./item.js";
import { clampedMs, columnText, sqlTime, type Tables } from "./tables.js";

/** A row of `records`. */
export interface RecordRow extends RecordColumns {
  /** Time in ISO 8601: that of the record, or of the row before it if the clock was set back. */
  readonly at: string;
  readonly seq: number;
  readonly line: string;
}

/** Columns by which queries find records. */
export interface RecordColumns {
  readonly type: string;
  readonly id: string | null;
  readonly skill: string | null;
  readonly tool: string | null;
  readonly mode: string | null;
  readonly status: string | null;
  /** Set if the call was governed. */
  readonly tenant: string | null;
  readonly subject: string | null;
  /** Set if the call belongs to a trace or to another call. */
  readonly trace: string | null;
  readonly parent: string | null;
}

/** Head and time of a writer's chain. */
export interface WriterPosition {
  readonly head: ChainHead;
  /** Latest time of the writer's rows, in milliseconds since 1970. */
  readonly atMs: number;
}

/** Items linked into the chain. */
export interface Batch {
  readonly items: readonly Item[];
  readonly rows: readonly RecordRow[];
  readonly before: WriterPosition;
  readonly after: WriterPosition;
  /** Maximum difference between a row's time and its record's time, in milliseconds. */
  readonly aheadMs: number;
  /** Calls that begin in this batch, with the numbers of their last begin records. */
  readonly begun: ReadonlyMap<string, number>;
}

/**
 * Links items into the chain after the position `before`.
 *
 * @param opening the writer's first record, if it has written none yet
 * @param begun calls that began before
 */
export function linkItems(
  items: readonly Item[],
  before: WriterPosition,
  opening: string | undefined,
  begun: ReadonlyMap<string, number | undefined>,
): Batch {
  const rows: RecordRow[] = [];
  const begunHere = new Map<string, number>();
  let { atMs, head } = before;
  let aheadMs = 0;
  const add = (json: string, timeMs: number, columns: RecordColumns, begin?: number): void => {
    const line = linkedLine(head, begin, json);
    atMs = Math.max(atMs, clampedMs(timeMs));
    if (Number.isFinite(timeMs)) aheadMs = Math.max(aheadMs, atMs - timeMs);
    rows.push({ ...columns, at: sqlTime(atMs), seq: head.seq, line: line.text.trimEnd() });
    head = line.head;
  };
  const records = items.flatMap((item) => (item.type === "event" ? [] : [readItem(item)]));
  const [first] = records;
  // The opening record gets the time of the first record, because the order of a writer's rows by
  // time must be that of their numbers.
  if (opening !== undefined) {
    const own = foundBy(opening)?.time ?? "";
    add(opening, first?.timeMs ?? Date.parse(own), columnsOf({ type: "open" }));
  }
  for (const { columns, id, json, timeMs, type } of records) {
    const begin = mayFollowBegin(type) ? (begunHere.get(id) ?? begun.get(id)) : undefined;
    if (type === "begin") begunHere.set(id, head.seq);
    add(json, timeMs, columns, begin);
  }
  return { items, rows, before, after: { head, atMs }, aheadMs, begun: begunHere };
}

interface ReadItem extends Pick<Item, "id" | "type"> {
  readonly json: string;
  readonly timeMs: number;
  readonly columns: RecordColumns;
}

function readItem(item: Item): ReadItem {
  const json = item.json();
  const record = foundBy(json) ?? { type: item.type };
  const { id, type } = item;
  const timeMs = Date.parse(record.time ?? "");
  // A record without a time gets the time of the record before it. Verification reports it.
  const knownMs = Number.isNaN(timeMs) ? Number.NEGATIVE_INFINITY : timeMs;
  return { id, type, json, timeMs: knownMs, columns: columnsOf(record) };
}

function foundBy(json: string): FoundBy | undefined {
  try {
    // The ledger's own code wrote it.
    return JSON.parse(json) as FoundBy;
  } catch {
    return undefined;
  }
}

/** Fields by which any record is found. */
type FoundBy = { readonly type: string; readonly time?: string } & Partial<
  Pick<CallRecord, "caller" | "id" | "skill" | "tool" | "mode" | "trace" | "parent"> & {
    readonly status: string;
  }
>;

export function columnsOf(record: FoundBy): RecordColumns {
  const { caller, id, mode, parent, skill, status, tool, trace, type } = record;
  return {
    type,
    id: column(id),
    skill: column(skill),
    tool: column(tool),
    mode: column(mode),
    status: column(status),
    tenant: column(caller?.tenant),
    subject: column(caller?.subject),
    trace: column(trace),
    parent: column(parent),
  };
}

/**
 * Maximum length of an indexed text, in characters. Longer values are found by their beginning, and
 * compared as a whole later.
 */
const longestColumn = 200;

export function column(text: string | undefined): string | null {
  return text === undefined ? null : columnText(text.slice(0, longestColumn));
}

/** An SQL statement and its values. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Builds a statement that inserts a batch if the writer's head is still at the batch's beginning.
 * The statement returns a row if so. The writer's row serves as a lock: of two statements of the
 * same writer, only one finds the head that it expects.
 */
export function appendStatement(
  tables: Tables,
  writer: { readonly id: string; readonly pid: number; readonly host: string },
  { after, aheadMs, before, items, rows }: Batch,
): Statement {
  const values: unknown[] = [];
  const put = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const list = <Each>(all: readonly Each[], of: (each: Each) => unknown, type = "text") =>
    put(all.map(of), `${type}[]`);
  const id = put(writer.id, "text");
  const head = [put(after.head.seq - 1, "bigint"), put(after.head.hash, "text")];
  const ahead = put(Math.ceil(aheadMs), "bigint");
  const moved =
    before.head.hash === null
      ? `INSERT INTO ${tables.writers} (writer, pid, host, seq, hash, ahead_ms)
         VALUES (${id}, ${put(writer.pid, "bigint")}, ${put(writer.host, "text")}, ${head.join(", ")}, ${ahead})
         ON CONFLICT DO NOTHING RETURNING writer`
      : `UPDATE ${tables.writers} SET (seq, hash) = (${head.join(", ")}), ahead_ms = greatest(ahead_ms, ${ahead})
         WHERE writer = ${id} AND seq = ${put(before.head.seq - 1, "bigint")} AND hash = ${put(before.head.hash, "text")}
         RETURNING writer`;
  const parts = [`head AS (${moved})`];
  if (rows.length > 0) {
    const columns = [
      "type",
      "id",
      "skill",
      "tool",
      "mode",
      "status",
      "tenant",
      "subject",
      "trace",
      "parent",
      "line",
    ] as const;
    const lists = columns.map((name) => list(rows, (row) => row[name]));
    const times = list(rows, ({ at }) => at, "timestamptz");
    const numbers = list(rows, ({ seq }) => seq, "bigint");
    parts.push(`put AS (
      INSERT INTO ${tables.records} (writer, at, seq, ${columns.join(", ")})
      SELECT head.writer, row.* FROM head, unnest(${times}, ${numbers}, ${lists.join(", ")}) row)`);
  }
  const attached = items.flatMap(({ attachments = [] }) => attachments);
  if (attached.length > 0)
    parts.push(`kept AS (
      INSERT INTO ${tables.attachments} (folder, sha256, json, bytes)
      SELECT row.folder, row.sha256, row.json, decode(row.base64, 'base64')
      FROM head, unnest(${list(attached, ({ folder }) => folder)}, ${list(attached, ({ sha256 }) => sha256)}, ${list(attached, ({ json }) => json)}, ${list(attached, ({ base64 }) => base64)}) row(folder, sha256, json, base64)
      ON CONFLICT DO NOTHING)`);
  const events = items.filter(({ type }) => type === "event");
  if (events.length > 0)
    parts.push(`told AS (
      INSERT INTO ${tables.events} (writer, event)
      SELECT head.writer, row.event FROM head, unnest(${list(events, (each) => each.json())}) WITH ORDINALITY row(event, number)
      ORDER BY row.number)`);
  return { text: `WITH ${parts.join(", ")} SELECT writer FROM head`, values };
}
