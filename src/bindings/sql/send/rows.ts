import { type JsonValue, UnreadableAnswer } from "../../../runtime/sink.js";
import type { Format } from "../contract.js";
import { UnreadableValue } from "./faults.js";
import { type Travel, travelOf } from "./formats.js";
import type { Reply, ReplyColumn } from "./session.js";

export type Row = { readonly [column: string]: JsonValue };

interface ColumnReader {
  readonly name: string;
  readonly read: Travel["read"];
}

/**
 * The rows as JSON.
 *
 * @throws UnreadableAnswer when the columns are not those that the tool was compiled for, or a value has no form in JSON
 */
export function readRows(
  reply: Reply,
  formats: { readonly [name: string]: Format },
): readonly Row[] {
  const readers = reply.columns.map((column) => readerOf(column, formats));
  if (readers.length !== Object.keys(formats).length) {
    const missing = Object.keys(formats).find((name) =>
      readers.every((each) => each.name !== name),
    );
    throw driftOf(
      missing === undefined ? "a column came twice" : `column \`${missing}\` is missing`,
    );
  }
  return reply.rows.map((values) => readRow(values, readers));
}

function readerOf(
  { name: label, type }: ReplyColumn,
  formats: { readonly [name: string]: Format },
): ColumnReader {
  const name = Object.hasOwn(formats, label) ? label : withoutMark(label);
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format === undefined) throw driftOf(`column \`${name}\` is unknown`);
  const { oid, read } = travelOf(format);
  if (oid !== undefined && oid !== type) throw driftOf(`column \`${name}\` is no longer ${format}`);
  return { name, read };
}

/** `AS "total!"` is the author's word that it is never NULL; callers know the column as `total`. */
function withoutMark(label: string): string {
  return label.replace(/[!?]$/, "");
}

function driftOf(what: string): UnreadableAnswer {
  return new UnreadableAnswer(
    `${what}: the database is not the one that the tool was generated for; generate again`,
  );
}

function readRow(values: readonly (string | null)[], readers: readonly ColumnReader[]): Row {
  const row: Record<string, JsonValue> = {};
  for (const [at, { name, read }] of readers.entries()) {
    const text = values[at] ?? null;
    const value = text === null ? null : readValue(text, read, name);
    if (name === "__proto__") Object.defineProperty(row, name, { ...own, value });
    else row[name] = value;
  }
  return row;
}

const own = { writable: true, enumerable: true, configurable: true };

function readValue(text: string, read: Travel["read"], column: string): JsonValue {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof UnreadableValue)
      throw new UnreadableAnswer(`column \`${column}\` ${error.message}`);
    throw error;
  }
}
