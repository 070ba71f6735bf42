/** What a PostgreSQL that holds a schema is asked, and the errors that it answers with. */
import type { TextRange } from "../statement/statement.js";

/**
 * A PostgreSQL that holds the schema: the embedded one, or the server behind a connection. Nothing
 * it is asked changes anything.
 */
export interface Engine {
  /** What the server would send and expect for a statement with `$n` parameters. */
  describe(sql: string): Promise<Described>;
  /**
   * Plans a statement for any parameters; undefined when it can be planned, or when this engine or
   * this kind of statement has no such plan.
   */
  plan(sql: string): Promise<SqlError | undefined>;
  /** Rows of a catalog query; every value as text or null. */
  rows(sql: string): Promise<readonly Readonly<Record<string, string | null>>[]>;
  /**
   * Why it answers nothing any more: the connection was lost, or the server stalls. Absent, or
   * undefined, while it answers; from then on every problem is this one, and says nothing of what
   * was asked.
   */
  readonly connectionError?: () => SqlError | undefined;
  /**
   * Gives back its memory until the next question, which then takes about a second more. Absent
   * where there is nothing to give back.
   */
  readonly rest?: () => Promise<void>;
  close(): Promise<void>;
}

/** An engine in a thread of this process. */
export interface EmbeddedEngine extends Engine {
  readonly rest: () => Promise<void>;
  /**
   * All of it, compressed (about 5 MB), for `openEmbedded` in another process with the same files
   * and the same version of PGlite.
   */
  image(): Promise<Uint8Array<ArrayBuffer>>;
}

export type Described =
  | ({ readonly kind: "described" } & StatementTypes)
  | { readonly kind: "error"; readonly error: SqlError };

export interface StatementTypes {
  /** OIDs of their types. */
  readonly parameters: readonly number[];
  readonly columns: readonly DescribedColumn[];
}

export interface DescribedColumn {
  readonly name: string;
  /** OID of its type. */
  readonly type: number;
}

/** What PostgreSQL says of a statement that it refuses. */
export interface SqlError {
  /** SQLSTATE: `42703`; `08006` when there was no answer. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly detail?: string;
  /** 1-based, in characters (code points) of the statement sent. */
  readonly position?: number;
}

/** SQLSTATE of a statement that was ended because it took too long: `query_canceled`. */
export const TIMED_OUT = "57014";

const EXPLAIN = "EXPLAIN (GENERIC_PLAN) ";

/**
 * Plans a statement for any parameters. Only the simple protocol takes GENERIC_PLAN with
 * parameters, and it would run what stands behind a semicolon: so the statement is described
 * before, which refuses more than one.
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
  // The statement itself was described: it is of a kind that has no plan, such as TRUNCATE.
  if (error.code === "42601") return undefined;
  // It was planned. Who asks may be somebody else than who runs it, and versions that don't plan
  // look at no table's permissions either.
  if (error.code === "42501") return undefined;
  // A foreign table whose server has only a stand-in has nobody who would plan it.
  if (error.code === "55000") return undefined;
  if (error.position === undefined) return error;
  return { ...error, position: Math.max(1, error.position - EXPLAIN.length) };
}

/**
 * Runs jobs one after another, in the order in which they were handed in, whatever became of those
 * before.
 */
export function createTurns(): <Result>(job: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const result = last.then(job);
    last = result.catch(() => {});
    return result;
  };
}

/** Why a schema file can't be loaded, at its place in the file as its author wrote it. */
export interface SchemaError {
  /** Of the file, as it was given. */
  readonly path: string;
  /** The word that PostgreSQL points at; else the first line of the statement. */
  readonly at: TextRange;
  readonly message: string;
  readonly help?: string;
  /** SQLSTATE; absent where no server was asked. */
  readonly code?: string;
}

/**
 * What of a driver's error may be shown: the error of either driver has these fields, as text. Of
 * no answer at all: `08006`, connection failure.
 */
export function sqlErrorOf(error: unknown): SqlError {
  const { severity, code, message, hint, detail, position } = errorFields(error);
  return {
    code: severity === undefined || code === undefined ? "08006" : code,
    message: message ?? "PostgreSQL gave no answer",
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
