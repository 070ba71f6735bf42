/** The interface of a PostgreSQL that holds a schema, and its errors. */
import type { TextRange } from "../statement/statement.js";

/**
 * A PostgreSQL that holds the schema: the embedded one, or the server behind a connection. No
 * method changes the database.
 */
export interface Engine {
  /** Describes the parameters and columns of a statement with `$n` parameters. */
  describe(sql: string): Promise<Described>;
  /**
   * Plans a statement for any parameters and returns the error. Undefined if the statement can be
   * planned, or if the engine can't plan this kind of statement.
   */
  plan(sql: string): Promise<SqlError | undefined>;
  /** Rows of a catalog query; every value as text or null. */
  rows(sql: string): Promise<readonly Readonly<Record<string, string | null>>[]>;
  /**
   * Error that ended the engine: a lost connection or a server that stalls. Undefined while the
   * engine answers. Afterwards every question fails with this error, whatever was asked.
   */
  readonly connectionError?: () => SqlError | undefined;
  /**
   * Frees the memory until the next question, which then takes about a second longer. Absent if the
   * engine has no memory to free.
   */
  readonly rest?: () => Promise<void>;
  close(): Promise<void>;
}

/** An engine in a thread of this process. */
export interface EmbeddedEngine extends Engine {
  readonly rest: () => Promise<void>;
  /**
   * Makes a compressed image of the database (about 5 MB). `openEmbedded` accepts it in another
   * process with the same files and the same version of PGlite.
   */
  image(): Promise<Uint8Array<ArrayBuffer>>;
}

export type Described =
  | ({ readonly kind: "described" } & StatementTypes)
  | { readonly kind: "error"; readonly error: SqlError };

export interface StatementTypes {
  /** OIDs of the parameters' types. */
  readonly parameters: readonly number[];
  readonly columns: readonly DescribedColumn[];
}

export interface DescribedColumn {
  readonly name: string;
  /** OID of its type. */
  readonly type: number;
}

/** PostgreSQL's error for a statement that it rejects. */
export interface SqlError {
  /** SQLSTATE, such as `42703`; `08006` if there was no answer. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly detail?: string;
  /** Position in the statement sent: 1-based, in characters (code points). */
  readonly position?: number;
}

/** SQLSTATE of a statement that was canceled because it took too long: `query_canceled`. */
export const TIMED_OUT = "57014";

const EXPLAIN = "EXPLAIN (GENERIC_PLAN) ";

/**
 * Plans a statement for any parameters. GENERIC_PLAN accepts parameters only in the simple
 * protocol, which would also run a second statement after a semicolon. So the statement is
 * described first, which rejects more than one statement.
 */
export async function explain(
  sql: string,
  describe: (sql: string) => Promise<Described>,
  execute: (sql: string) => Promise<SqlError | undefined>,
): Promise<SqlError | undefined> {
  const described = await describe(sql);
  if (described.kind === "error") return described.error;
  const error = await execute(EXPLAIN + sql);
  return error && planError(error);
}

function planError(error: SqlError): SqlError | undefined {
  // The statement itself was described without error, so its kind has no plan, such as TRUNCATE.
  if (error.code === "42601") return undefined;
  // The plan exists, but this role may not read a table. Another role may run the tool, and
  // PostgreSQL before version 16 doesn't check these permissions here either.
  if (error.code === "42501") return undefined;
  // A foreign table whose server is only a stand-in can't be planned.
  if (error.code === "55000") return undefined;
  if (error.position === undefined) return error;
  return { ...error, position: Math.max(1, error.position - EXPLAIN.length) };
}

/** Runs jobs one after another, in the order of the calls. A failed job doesn't stop the next. */
export function createTurns(): <Result>(job: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const result = last.then(job);
    last = result.catch(() => {});
    return result;
  };
}

/** An error in a schema file, with its position in the author's file. */
export interface SchemaError {
  /** Path of the file, as it was given. */
  readonly path: string;
  /** The word that PostgreSQL points at, or else the first line of the statement. */
  readonly at: TextRange;
  readonly message: string;
  readonly help?: string;
  /** SQLSTATE; absent if PostgreSQL wasn't asked. */
  readonly code?: string;
}

/**
 * Picks the fields of a driver's error that may be shown. Both drivers use these names. The code is
 * `08006` (connection failure) if PostgreSQL did not answer.
 */
export function sqlErrorOf(error: unknown): SqlError {
  const { severity, code, message, hint, detail, position } = errorFields(error);
  return {
    code: severity === undefined || code === undefined ? "08006" : code,
    message: message ?? "PostgreSQL did not answer",
    ...(hint === undefined ? {} : { hint }),
    ...(detail === undefined ? {} : { detail }),
    ...(position === undefined ? {} : { position: Number(position) }),
  };
}

const FIELDS = ["severity", "code", "message", "hint", "detail", "position"];

function errorFields(error: unknown): Readonly<Record<string, string | undefined>> {
  if (typeof error !== "object" || error === null) return {};
  const read = (name: string): readonly [string, string | undefined] => {
    const value: unknown = Reflect.get(error, name);
    return [name, typeof value === "string" && value !== "" ? value : undefined];
  };
  return Object.fromEntries(FIELDS.map(read));
}
