import { commit, type Reply, type Session, type Statement } from "./session.js";

/** PostgreSQL's timeouts are int4. */
const longestMs = 2 ** 31 - 1;

/**
 * Runs the statement where nothing can be written, and rolls back: one round trip.
 *
 * @param timeoutMs when the server stops by itself, should it not be told to; undefined: its own settings hold
 */
export function readOnly(
  session: Session,
  statement: Statement,
  timeoutMs: number | undefined,
): Promise<Reply> {
  const before = ["BEGIN READ ONLY", ...limits(timeoutMs)];
  return session.exchange({ before, statement, after: ["ROLLBACK"] });
}

/** Runs a statement that gives no rows, and commits: one round trip. */
export function committed(
  session: Session,
  statement: Statement,
  timeoutMs: number | undefined,
): Promise<Reply> {
  const before = ["BEGIN", ...limits(timeoutMs)];
  return session.exchange({ before, statement, after: [commit] });
}

/** Runs a statement, reads what it gives, and only then commits: an answer that can't be read leaves nothing behind. */
export async function committedOnceRead<Result>(
  session: Session,
  statement: Statement,
  timeoutMs: number | undefined,
  read: (reply: Reply) => Result,
): Promise<Result> {
  const idle = session.isInProcess === true ? [] : idleLimit(timeoutMs);
  const before = ["BEGIN", ...limits(timeoutMs), ...idle];
  const result = read(await session.exchange({ before, statement, after: [] }));
  await session.exchange({ before: [], after: [commit] });
  return result;
}

/** A statement that waits for a lock gives up a little before its time is up, so that it can say so. */
function limits(timeoutMs: number | undefined): readonly string[] {
  if (timeoutMs === undefined) return [];
  const whole = wholeMs(timeoutMs);
  return [
    `SET LOCAL statement_timeout = ${whole}`,
    `SET LOCAL lock_timeout = ${Math.ceil(whole * 0.9)}`,
  ];
}

/** The server need not wait for a COMMIT that comes later than that, and holds its locks no longer: it may never come. */
function idleLimit(timeoutMs: number | undefined): readonly string[] {
  if (timeoutMs === undefined) return [];
  return [`SET LOCAL idle_in_transaction_session_timeout = ${wholeMs(timeoutMs)}`];
}

function wholeMs(timeoutMs: number): number {
  return Math.min(Math.max(Math.ceil(timeoutMs), 1), longestMs);
}
