/**
 * What a database is to a call: a session, exchanges in one round trip, and the transactions that
 * they make.
 */
import type { Attempt, WriteOutcome } from "../../../runtime/executor.js";

/** What is sent at once: our own commands around the author's statement. */
export interface Exchange {
  readonly before: readonly Command[];
  readonly statement?: Statement;
  readonly after: readonly string[];
}

/** A command of ours; one with values beside it where these are not. */
export type Command = string | { readonly sql: string; readonly values: readonly string[] };

/** A setting of PostgreSQL, and its value. */
export type Setting = readonly [name: string, value: string];

/** What an exchange ends with that keeps what it wrote. */
export const commit = "COMMIT";

/** The author's statement, every value beside it. */
export interface Statement {
  readonly sql: string;
  /** As PostgreSQL reads them. */
  readonly parameters: readonly (string | null)[];
  /** Rows that the server is asked for; 0: all there are. */
  readonly rowLimit: number;
  /** Whether it calls functions that may leave something in the session: a setting, a lock. */
  readonly marksSession: boolean;
  /** What its transaction is set to, and nothing after it. */
  readonly settings: readonly Setting[];
  /** What names without a schema mean in it. A server's sessions are set to that already. */
  readonly searchPath: readonly string[];
}

/** What the author's statement gave. */
export interface Reply {
  /** None when it gives no rows. */
  readonly columns: readonly ReplyColumn[];
  /** Values as PostgreSQL prints them. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** Its command tag: `UPDATE 3`. Empty when it had more rows than were asked for. */
  readonly tag: string;
}

export interface ReplyColumn {
  readonly name: string;
  /** OID. */
  readonly type: number;
}

/** A PostgreSQL session that one call has to itself. */
export interface Session {
  /**
   * One round trip. What follows a command that fails is not run.
   *
   * @throws ServerError | LostConnection
   */
  exchange(exchange: Exchange): Promise<Reply>;
  /** What is known of a write if nothing more is heard: `unknown` once a COMMIT has left. */
  readonly outcome: WriteOutcome;
  /** Set where PostgreSQL runs in this process: it must not end the session, there is no other. */
  readonly isInProcess?: true;
}

/** What is behind a connection's URL. */
export interface Database {
  /**
   * Gives the work a session. A transaction that it leaves open is rolled back; nothing is
   * committed once the attempt is over.
   */
  run<Result>(attempt: Attempt, work: (session: Session) => Promise<Result>): Promise<Result>;
  /** Waits for calls under way. */
  close(): Promise<void>;
}

/** PostgreSQL's timeouts are int4. */
const longestMs = 2 ** 31 - 1;

/**
 * Runs the statement where nothing can be written, and rolls back: one round trip.
 *
 * @param timeoutMs when the server stops by itself, should it not be told to; undefined: its own
 *   settings hold
 */
export function readOnly(
  session: Session,
  statement: Statement,
  timeoutMs: number | undefined,
): Promise<Reply> {
  const before = ["BEGIN READ ONLY", ...limits(timeoutMs), ...settingsOf(statement)];
  return session.exchange({ before, statement, after: ["ROLLBACK"] });
}

/** Runs a statement that gives no rows, and commits: one round trip. */
export function committed(
  session: Session,
  statement: Statement,
  timeoutMs: number | undefined,
): Promise<Reply> {
  const before = ["BEGIN", ...limits(timeoutMs), ...settingsOf(statement)];
  return session.exchange({ before, statement, after: [commit] });
}

/**
 * Runs a statement, reads what it gives, and only then commits: an answer that can't be read leaves
 * nothing behind.
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
 * Makes the settings, for the transaction alone: with its end, however it ends, they are gone. Names
 * and values stand beside the command, so that neither is ever read as a part of it.
 */
function settingsOf({ settings }: Statement): readonly Command[] {
  if (settings.length === 0) return [];
  const calls = settings.map(
    (_, at) => `pg_catalog.set_config($${2 * at + 1}, $${2 * at + 2}, true)`,
  );
  return [{ sql: `SELECT ${calls.join(", ")}`, values: settings.flat() }];
}

/**
 * A statement that waits for a lock gives up a little before its time is up, so that it can say so.
 */
function limits(timeoutMs: number | undefined): readonly string[] {
  if (timeoutMs === undefined) return [];
  const whole = roundedMs(timeoutMs);
  return [
    `SET LOCAL statement_timeout = ${whole}`,
    `SET LOCAL lock_timeout = ${Math.ceil(whole * 0.9)}`,
  ];
}

/**
 * The server need not wait for a COMMIT that comes later than that, and holds its locks no longer:
 * it may never come.
 */
function idleLimit(timeoutMs: number | undefined): readonly string[] {
  if (timeoutMs === undefined) return [];
  return [`SET LOCAL idle_in_transaction_session_timeout = ${roundedMs(timeoutMs)}`];
}

function roundedMs(timeoutMs: number): number {
  return Math.min(Math.max(Math.ceil(timeoutMs), 1), longestMs);
}
