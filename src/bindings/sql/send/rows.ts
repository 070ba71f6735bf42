/** What an answer means to the caller: rows as JSON, counts, and violated constraints. */
import { type AnyResult, type JsonValue, UnreadableAnswer } from "../../../runtime/executor.js";
import type {
  ColumnFormat,
  Format,
  ManyRows,
  Refusal,
  SqlFault,
  SqlRows,
  SqlStatement,
} from "../contract.js";
import type { ServerError } from "../../../runtime/postgres/errors.js";
import { otherDatabase, UnreadableValue } from "./failures.js";
import { type Codec, codecOf } from "./formats.js";
import type { Reply, ReplyColumn } from "./session.js";

/** What the rows of an answer mean. */
export interface AnswerOptions {
  readonly rows: SqlRows;
  readonly columns: ColumnReaders;
}

/**
 * Rows to ask for: one more than may come, so that it shows when there are more. PostgreSQL runs a
 * SELECT no further than that, so a write is asked for all: the functions that it calls are to act
 * on every row.
 */
export function rowLimit({ rows }: AnswerOptions, effect: "read" | "write"): number {
  // More than one is rolled back.
  if (rows.rows === "one" || rows.rows === "optional") return 2;
  return rows.rows === "many" && effect === "read" ? rows.maxRows + 1 : 0;
}

/**
 * What an answer means to the caller.
 *
 * @throws UnreadableAnswer
 */
export function readAnswer({ rows, columns }: AnswerOptions, reply: Reply): AnyResult {
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

function failed(status: string, problem: SqlFault): AnyResult {
  return { status, ...problem };
}

/**
 * `INSERT 0 5`, `UPDATE 3`: the last number is the count; commands that count nothing have none.
 */
function affectedBy(tag: string): number {
  return Number(/ (\d+)$/.exec(tag)?.[1] ?? 0);
}

/**
 * Classes of violation by SQLSTATE. 23P01 is an exclusion constraint, of which uniqueness is one;
 * 23001 is ON DELETE RESTRICT.
 */
const refusals: ReadonlyMap<string, Refusal> = new Map([
  ["23505", "conflict"],
  ["23P01", "conflict"],
  ["23503", "invalid_reference"],
  ["23001", "invalid_reference"],
  ["23514", "check_failed"],
  ["23502", "missing_value"],
]);

/** The answer that a violated constraint is; undefined for any other error. */
export function constraintAnswer({ code, report }: ServerError): AnyResult | undefined {
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

type Row = { readonly [column: string]: JsonValue };

/** How one column is read, and what it must not hold. */
interface ColumnReader {
  readonly name: string;
  readonly format: Format;
  readonly travel: Codec;
  readonly neverNull: boolean;
  /** Every label that it may hold; absent where any text may stand. */
  readonly labels: ReadonlySet<JsonValue> | undefined;
}

/** By name, without the author's mark. */
type ColumnReaders = ReadonlyMap<string, ColumnReader>;

/** The contract's columns, made ready once for all calls. */
export function columnReaders({
  columns,
  labels = {},
}: Pick<SqlStatement<unknown, unknown>, "columns" | "labels">): ColumnReaders {
  return new Map(
    Object.entries(columns).map(([name, written]) => {
      const format = withoutMark(written);
      const listed = Object.hasOwn(labels, name) ? labels[name] : undefined;
      const reader: ColumnReader = {
        name,
        format,
        travel: codecOf(format),
        neverNull: format !== written,
        labels: listed === undefined ? undefined : new Set(listed),
      };
      return [name, reader];
    }),
  );
}

function withoutMark(written: ColumnFormat): Format {
  // What stands before the mark is a format.
  return written.endsWith("!") ? (written.slice(0, -1) as Format) : (written as Format);
}

/**
 * The rows as JSON.
 *
 * @throws UnreadableAnswer when the columns, or what they hold, are not what the tool was compiled
 *   for, or a value has no form in JSON
 */
function readRows(reply: Reply, readers: ColumnReaders): readonly Row[] {
  const columns = reply.columns.map((column) => columnOf(column, readers));
  if (columns.length !== readers.size) {
    const missing = [...readers.keys()].find((name) =>
      columns.every(({ reader }) => reader.name !== name),
    );
    throw driftOf(
      missing === undefined ? "a column came twice" : `column \`${missing}\` is missing`,
    );
  }
  return reply.rows.map((values) => readRow(values, columns));
}

/** A column of an answer. */
interface Column {
  readonly reader: ColumnReader;
  /**
   * As PostgreSQL names it: `AS "total!"` is the author's word that it is never NULL; callers know
   * the column as `total`.
   */
  readonly label: string;
}

function columnOf({ name: label, type }: ReplyColumn, readers: ColumnReaders): Column {
  const name = label.replace(/[!?]$/, "");
  const reader = readers.get(label) ?? readers.get(name);
  if (reader === undefined) throw driftOf(`column \`${name}\` is unknown`);
  const { oid } = reader.travel;
  if (oid !== undefined && oid !== type)
    throw driftOf(`column \`${name}\` is no longer ${reader.format}`);
  return { reader, label };
}

function driftOf(what: string): UnreadableAnswer {
  return new UnreadableAnswer(`${what}: ${otherDatabase}`);
}

function readRow(values: readonly (string | null)[], columns: readonly Column[]): Row {
  const row: Record<string, JsonValue> = {};
  for (const [at, column] of columns.entries()) {
    const { name } = column.reader;
    const value = readValue(values[at] ?? null, column);
    if (name === "__proto__") Object.defineProperty(row, name, { ...own, value });
    else row[name] = value;
  }
  return row;
}

const own = { writable: true, enumerable: true, configurable: true };

function readValue(text: string | null, column: Column): JsonValue {
  const { labels, name, neverNull, travel } = column.reader;
  if (text === null) {
    if (neverNull) throw unexpectedNull(column);
    return null;
  }
  const value = readText(text, travel, name);
  if (labels !== undefined && !isAmong(value, labels))
    throw driftOf(`column \`${name}\` holds a label that its type did not have`);
  return value;
}

/** The author's word is not the database's: generating again would change nothing. */
function unexpectedNull({ label, reader: { name } }: Column): UnreadableAnswer {
  return label === name
    ? driftOf(`column \`${name}\` is NULL, which it could not be`)
    : new UnreadableAnswer(
        `column \`${name}\` is NULL, and \`AS "${label}"\` says that it never is`,
      );
}

/** The elements of an array may be NULL whatever its column says. */
function isAmong(value: JsonValue, labels: ReadonlySet<JsonValue>): boolean {
  if (Array.isArray(value)) return value.every((each) => isAmong(each, labels));
  return value === null || labels.has(value);
}

function readText(text: string, { read }: Codec, column: string): JsonValue {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof UnreadableValue)
      throw new UnreadableAnswer(`column \`${column}\` ${error.message}`);
    throw error;
  }
}
