import { setMaxListeners } from "node:events";
import { whenIdle, lastCallNumber } from "./call/calls-in-flight.js";
import { longestTimerMs } from "./within-time.js";

/**
 * Closes something at shutdown.
 *
 * @param late aborts at the deadline. The function must then cut connections, so that their calls
 * end.
 */
type Close = (late: AbortSignal) => Promise<void>;

/** Close what calls use to send requests. */
const closers: Close[] = [];
/** Close what must outlive calls: the ledger and the governance stores. */
const lastClosers: Close[] = [];

/**
 * Registers a function that `shutdown` calls, for example to close a pool. The function must wait
 * for requests in progress. It may be called again, because a call between two attempts opens new
 * connections. Register it once, when the module is loaded.
 */
export function onShutdown(close: Close): void {
  closers.push(close);
}

/** Registers a function that `shutdown` calls after all calls have ended. */
export function onShutdownLast(close: Close): void {
  lastClosers.push(close);
}

/** Options of `shutdown` and `Runtime.close`. */
export interface ShutdownOptions {
  /** Maximum time to wait for calls and connections, in milliseconds; 20,000 by default. */
  readonly deadlineMs?: number;
}

const defaultDeadlineMs = 20_000;
/** Minimum time for the ledger and the stores, in milliseconds, even after the deadline. */
const lastMs = 1_000;
/** Time for calls to end after their connections were cut, in milliseconds. */
const cutMs = 100;

/** Number of the last call that the last `shutdown` stopped waiting for. */
let leftBehind = 0;

/**
 * Returns whether `shutdown` stopped waiting for the call. The call then makes no other attempt,
 * which would only connect again.
 */
export function isLeftBehind({ number }: { readonly number: number }): boolean {
  return number <= leftBehind;
}

/**
 * Waits for calls in progress and closes connections. Then it writes what the ledger still buffers,
 * and closes the Redis and PostgreSQL stores of governance that are still open. At the deadline it
 * cuts connections where that is possible, and their calls fail. It stops waiting for calls that
 * are still in progress; writes among them have an unknown outcome in the ledger. A process that
 * doesn't call `shutdown` loses no data.
 *
 * @throws the first error of closing a part, after it tried to close every part
 */
export async function shutdown({
  deadlineMs = defaultDeadlineMs,
}: ShutdownOptions = {}): Promise<void> {
  const endsAt = performance.now() + deadlineMs;
  const failures: unknown[] = [];
  const late = new AbortController();
  // Each connection adds a listener, so disable Node's leak warning.
  setMaxListeners(0, late.signal);
  const ended = endCalls(failures, late.signal);
  if (!(await inTime(ended, deadlineMs))) {
    tellLate("calls or connections", deadlineMs);
    leftBehind = lastCallNumber();
    late.abort();
    // Also cut the connections that calls opened in the meantime.
    await inTime(Promise.all([ended, closeAll(closers, failures, late.signal)]), cutMs);
  }
  const restMs = Math.max(endsAt - performance.now(), lastMs);
  if (!(await inTime(closeAll(lastClosers, failures, late.signal), restMs)))
    tellLate("the ledger or a store of governance", deadlineMs);
  if (failures.length > 0) throw failures[0];
}

/** Waits until the calls have ended or the deadline has passed. */
export async function waitForCalls(
  idle: Promise<void>,
  { deadlineMs = defaultDeadlineMs }: ShutdownOptions,
): Promise<void> {
  if (!(await inTime(idle, deadlineMs))) tellLate("calls", deadlineMs);
}

async function endCalls(failures: unknown[], late: AbortSignal): Promise<void> {
  await closeAll(closers, failures, late);
  const idle = whenIdle();
  if (idle === undefined) return;
  await idle;
  await closeAll(closers, failures, late);
}

/** Closes all, even if one fails. */
async function closeAll(
  those: readonly Close[],
  failures: unknown[],
  late: AbortSignal,
): Promise<void> {
  const closed = await Promise.allSettled(those.map((close) => close(late)));
  for (const each of closed) if (each.status === "rejected") failures.push(each.reason);
}

function tellLate(what: string, deadlineMs: number): void {
  process.emitWarning(`shutdown waited ${deadlineMs} ms, and then stopped waiting for ${what}`, {
    type: "SkillcShutdownWarning",
  });
}

/**
 * Waits for the work, but at most this many milliseconds. Resolves to whether the work ended in
 * time; rejects if the work rejects.
 */
async function inTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(ms, longestTimerMs));
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
