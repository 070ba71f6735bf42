/**
 * The interface of a database for a call: sessions, exchanges in one round trip, and transactions.
 */
import type { Attempt, WriteOutcome } from "../../../runtime/executor.js";

/** Commands sent in one round trip: the runtime's own around the author's statement. */
export interface Exchange {
  readonly before: readonly Command[];
  readonly statement?: Statement;
  readonly after: readonly string[];
}

/** A command of the runtime, with values if it has parameters. */
export type Command = string | { readonly sql: string; readonly values: readonly string[] };

/** A setting of PostgreSQL, and its value. */
export type Setting = readonly [name: string, value: string];

/** Command that ends an exchange and keeps its writes. */
export const commit = "COMMIT";

/** The author's statement, with all values as parameters. */
export interface Statement {
  readonly sql: string;
  /** Values in PostgreSQL's text form. */
  readonly parameters: readonly (string | null)[];
  /** Maximal number of rows to request; 0 for all. */
  readonly rowLimit: number;
  /** True if the statement calls functions that may leave a setting or a lock in the session. */
  readonly marksSession: boolean;
  /** Settings of its transaction only. */
  readonly settings: readonly Setting[];
  /**
   * Schemas for unqualified names in the statement. A server's sessions have this setting already.
   */
  readonly searchPath: readonly string[];
}

/** Reply to the author's statement. */
export interface Reply {
  /** Columns; empty if the statement returns no rows. */
  readonly columns: readonly ReplyColumn[];
  /** Values as PostgreSQL prints them. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** Command tag, such as `UPDATE 3`; empty if there were more rows than requested. */
  readonly tag: string;
}

export interface ReplyColumn {
  readonly name: string;
  /** OID of the type. */
  readonly type: number;
}

/** A PostgreSQL session that one call has to itself. */
export interface Session {
  /**
   * Sends an exchange in one round trip. If a command fails, the rest is skipped.
   *
   * @throws ServerError | LostConnection
   */
  exchange(exchange: Exchange): Promise<Reply>;
  /** Outcome of a write if the connection is lost now: `unknown` after a COMMIT was sent. */
  readonly outcome: WriteOutcome;
  /**
   * Set if PostgreSQL runs in this process. Its only session must not be terminated by a timeout.
   */
  readonly isInProcess?: true;
}

/** The database behind a connection's URL. */
export interface Database {
  /**
   * Gives the work a session. Rolls back a transaction that the work leaves open, and commits
   * nothing after the attempt is over.
   */
  run<Result>(attempt: Attempt, work: (session: Session) => Promise<Result>): Promise<Result>;
  /** Waits for running calls, then closes. */
  close(): Promise<void>;
}

/** PostgreSQL's timeouts are int4. */
const longestMs = 2 ** 31 - 1;

/**
 * Runs a statement in a read-only transaction and rolls back, in one round trip.
 *
 * @param timeoutMs time after which the server stops the statement by itself; undefined for the
 * server's own settings
 */
export function readOnly(
  session: Session,
  statement: Statement,
  timeoutMs: number | undefined,
): Promise<Reply> {
  const before = ["BEGIN READ ONLY", ...limits(timeoutMs), ...settingsOf(statement)];
  return session.exchange({ before, statement, after: ["ROLLBACK"] });
}

/** Runs a statement that returns no rows and commits, in one round trip. */
export function committed(
  session: Session,
  statement: Statement,
  timeoutMs: number | undefined,
): Promise<Reply> {
  const before = ["BEGIN", ...limits(timeoutMs), ...settingsOf(statement)];
  return session.exchange({ before, statement, after: [commit] });
}

/**
 * Runs a statement, reads its reply, and only then commits. If the reply can't be read, nothing is
 * committed.
 */
export async function committedOnceRead<Result>(
  session: Session,
  statement: Statement,
  timeoutMs: number | undefined,
  read: (reply: Reply) => Result,
): Promise<Result> {
  const idle = session.isInProcess === true ? [] : idleLimit(timeoutMs);
  const before = ["BEGIN", ...limits(timeoutMs), ...idle, ...settingsOf(statement)];
  const result = read(await session.exchange({ before, statement, after: [] }));
  await session.exchange({ before: [], after: [commit] });
  return result;
}

/**
 * Applies the settings to the transaction only; they end with it. Names and values are sent as
 * parameters, so they are never parsed as SQL.
 */
function settingsOf({ settings }: Statement): readonly Command[] {
  if (settings.length === 0) return [];
  const calls = settings.map(
    (_, at) => `pg_catalog.set_config($${2 * at + 1}, $${2 * at + 2}, true)`,
  );
  return [{ sql: `SELECT ${calls.join(", ")}`, values: settings.flat() }];
}

/**
 * The lock timeout is a little shorter, so that a statement that waits for a lock fails with an
 * error that says so.
 */
function limits(timeoutMs: number | undefined): readonly string[] {
  if (timeoutMs === undefined) return [];
  const whole = roundedMs(timeoutMs);
  return [
    `SET LOCAL statement_timeout = ${whole}`,
    `SET LOCAL lock_timeout = ${Math.ceil(whole * 0.9)}`,
  ];
}

/** If no COMMIT arrives within this time, the server ends the session and releases its locks. */
function idleLimit(timeoutMs: number | undefined): readonly string[] {
  if (timeoutMs === undefined) return [];
  return [`SET LOCAL idle_in_transaction_session_timeout = ${roundedMs(timeoutMs)}`];
}

function roundedMs(timeoutMs: number): number {
  return Math.min(Math.max(Math.ceil(timeoutMs), 1), longestMs);
}
