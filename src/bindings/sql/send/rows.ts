/**
 * Converts PostgreSQL's reply to a tool's result: rows as JSON, counts, and violated constraints.
 */
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

/** Expected rows and columns of a reply. */
export interface AnswerOptions {
  readonly rows: SqlRows;
  readonly columns: ColumnReaders;
}

/**
 * Number of rows to request; 0 for all. A read requests one more than allowed, to find out whether
 * there are more. PostgreSQL stops a SELECT at that limit, so a write requests all: the functions
 * that it calls must run for every row.
 */
export function rowLimit({ rows }: AnswerOptions, effect: "read" | "write"): number {
  // If a second row arrives, the transaction is rolled back.
  if (rows.rows === "one" || rows.rows === "optional") return 2;
  return rows.rows === "many" && effect === "read" ? rows.maxRows + 1 : 0;
}

/**
 * Converts a reply to a tool's result.
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
    throw new UnreadableAnswer(
      "the statement returned more than one row, but the tool allows only one",
    );
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

/** Reads the count of a command tag: `INSERT 0 5`, `UPDATE 3`. Tags without a number count as 0. */
function affectedBy(tag: string): number {
  return Number(/ (\d+)$/.exec(tag)?.[1] ?? 0);
}

/**
 * Statuses by SQLSTATE. 23P01 violates an exclusion constraint, a general form of uniqueness; 23001
 * violates ON DELETE RESTRICT.
 */
const refusals: ReadonlyMap<string, Refusal> = new Map([
  ["23505", "conflict"],
  ["23P01", "conflict"],
  ["23503", "invalid_reference"],
  ["23001", "invalid_reference"],
  ["23514", "check_failed"],
  ["23502", "missing_value"],
]);

/** Result for a violated constraint; undefined for any other error. */
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

/** Reads one column and checks its values. */
interface ColumnReader {
  readonly name: string;
  readonly format: Format;
  readonly travel: Codec;
  readonly neverNull: boolean;
  /** Labels that the column may contain; absent if any text is allowed. */
  readonly labels: ReadonlySet<JsonValue> | undefined;
}

/** Readers by column name, without the author's mark. */
type ColumnReaders = ReadonlyMap<string, ColumnReader>;

/** Prepares the contract's columns once for all calls. */
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
  // The part before the mark is a format.
  return written.endsWith("!") ? (written.slice(0, -1) as Format) : (written as Format);
}

/**
 * Converts the rows to JSON.
 *
 * @throws UnreadableAnswer if columns or values are not those for which the tool was compiled, or
 * if a value has no JSON form
 */
function readRows(reply: Reply, readers: ColumnReaders): readonly Row[] {
  const columns = reply.columns.map((column) => columnOf(column, readers));
  if (columns.length !== readers.size) {
    const missing = [...readers.keys()].find((name) =>
      columns.every(({ reader }) => reader.name !== name),
    );
    throw driftOf(
      missing === undefined ? "a column was returned twice" : `column \`${missing}\` is missing`,
    );
  }
  return reply.rows.map((values) => readRow(values, columns));
}

/** A column of a reply. */
interface Column {
  readonly reader: ColumnReader;
  /**
   * Name as PostgreSQL reports it. In `AS "total!"` the author states that the column is never
   * NULL; callers see it as `total`.
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
    throw driftOf(`column \`${name}\` contains a label that its type did not have`);
  return value;
}

/** If the author's mark is wrong, generating again would not help. */
function unexpectedNull({ label, reader: { name } }: Column): UnreadableAnswer {
  return label === name
    ? driftOf(`column \`${name}\` is NULL, which it could not be`)
    : new UnreadableAnswer(
        `column \`${name}\` is NULL, but \`AS "${label}"\` says that it is never NULL`,
      );
}

/** Elements of an array may be NULL even if the column is NOT NULL. */
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
