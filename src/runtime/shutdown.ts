import { setMaxListeners } from "node:events";
import { whenIdle, lastCallNumber } from "./call/calls-in-flight.js";

/**
 * @param late aborts when nobody waits any more: whatever is under way is to be cut, so that its
 * calls end
 */
type Close = (late: AbortSignal) => Promise<void>;

/** What calls are made with. */
const closers: Close[] = [];
/** What calls are recorded in, and what they share. */
const lastClosers: Close[] = [];

/**
 * Registers what `shutdown` closes: pools, clients. A closer waits for the requests that are under
 * way, and may be called again: a call that was between two attempts opens new ones. To be
 * registered once, when the part that owns them is loaded.
 */
export function onShutdown(close: Close): void {
  closers.push(close);
}

/** The same for what must outlive every call. */
export function onShutdownLast(close: Close): void {
  lastClosers.push(close);
}

export interface ShutdownOptions {
  /**
   * How long calls under way and connections are waited for, in milliseconds; 20,000 when not
   * given.
   */
  readonly deadlineMs?: number;
}

const defaultDeadlineMs = 20_000;
/** These have that long even when the rest has used all the time up. */
const lastMs = 1_000;
/** What was cut has that long to tell its calls. */
const cutMs = 100;

/** The number of the last call that is left behind. */
let leftBehind = 0;

/**
 * Whether `shutdown` waited for the call in vain: it makes no other attempt, which would only
 * connect again.
 */
export function isLeftBehind({ number }: { readonly number: number }): boolean {
  return number <= leftBehind;
}

/**
 * Waits for calls under way and closes connections, then hands over what the ledger still buffers,
 * and closes the stores of governance in Redis and PostgreSQL that nobody has closed. A process that
 * forgets it loses nothing but time. At the deadline connections are cut where that
 * can be done, and their calls fail. A call that is still under way then is left behind: a write
 * among them has an unknown outcome in the ledger.
 */
export async function shutdown({
  deadlineMs = defaultDeadlineMs,
}: ShutdownOptions = {}): Promise<void> {
  const endsAt = performance.now() + deadlineMs;
  const failures: unknown[] = [];
  const late = new AbortController();
  // As many as there are connections.
  setMaxListeners(0, late.signal);
  const ended = endCalls(failures, late.signal);
  if (!(await inTime(ended, deadlineMs))) {
    tellLate("calls or connections", deadlineMs);
    leftBehind = lastCallNumber();
    late.abort();
    // What calls have opened since they were told is cut too.
    await inTime(Promise.all([ended, closeAll(closers, failures, late.signal)]), cutMs);
  }
  const restMs = Math.max(endsAt - performance.now(), lastMs);
  if (!(await inTime(closeAll(lastClosers, failures, late.signal), restMs)))
    tellLate("the ledger or a store of governance", deadlineMs);
  if (failures.length > 0) throw failures[0];
}

/** Waits until the calls have ended, or for the time that there is. */
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

/** All of them, also when one fails. */
async function closeAll(
  those: readonly Close[],
  failures: unknown[],
  late: AbortSignal,
): Promise<void> {
  const closed = await Promise.allSettled(those.map((close) => close(late)));
  for (const each of closed) if (each.status === "rejected") failures.push(each.reason);
}

function tellLate(what: string, deadlineMs: number): void {
  process.emitWarning(`shutdown did not wait longer than ${deadlineMs} ms for ${what}`, {
    type: "SkillcShutdownWarning",
  });
}

/** `setTimeout` takes no longer one. */
const longestMs = 2 ** 31 - 1;

/**
 * Waits for the work, but only so long, in milliseconds. Gives whether it ended in time; rejects as
 * the work does.
 */
async function inTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(ms, longestMs));
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
