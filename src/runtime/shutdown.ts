import { landing } from "./calls-in-flight.js";
import { inTime } from "./in-time.js";

type Close = () => Promise<void>;

/** What calls are made with. */
const closers: Close[] = [];
/** What calls are recorded in. */
const lastClosers: Close[] = [];

/**
 * Registers what `shutdown` closes: pools, clients. A closer waits for the requests that are under way, and may be called again: a call that was between
 * two attempts opens new ones. To be registered once, when the part that owns them is loaded.
 */
export function onShutdown(close: Close): void {
  closers.push(close);
}

/** The same for what must outlive every call. */
export function onShutdownLast(close: Close): void {
  lastClosers.push(close);
}

export interface ShutdownOptions {
  /** How long calls under way and connections are waited for, in milliseconds; 20,000 when not given. */
  readonly deadlineMs?: number;
}

const defaultDeadlineMs = 20_000;
/** The ledger has that long even when the rest has used all the time up. */
const lastMs = 1_000;

/**
 * Waits for calls under way and closes connections, then hands over what the ledger still buffers. A process that forgets it loses nothing but time.
 * A call that is still under way at the deadline is left behind: a write among them has an unknown outcome in the ledger.
 */
export async function shutdown({
  deadlineMs = defaultDeadlineMs,
}: ShutdownOptions = {}): Promise<void> {
  const endsAt = performance.now() + deadlineMs;
  const failures: unknown[] = [];
  if (!(await inTime(endCalls(failures), deadlineMs))) tellLate("calls or connections", deadlineMs);
  const restMs = Math.max(endsAt - performance.now(), lastMs);
  if (!(await inTime(closeAll(lastClosers, failures), restMs))) tellLate("the ledger", deadlineMs);
  if (failures.length > 0) throw failures[0];
}

/** Waits until the calls have landed, or for the time that there is. */
export async function waitForCalls(
  landed: Promise<void>,
  { deadlineMs = defaultDeadlineMs }: ShutdownOptions,
): Promise<void> {
  if (!(await inTime(landed, deadlineMs))) tellLate("calls", deadlineMs);
}

async function endCalls(failures: unknown[]): Promise<void> {
  await closeAll(closers, failures);
  const landed = landing();
  if (landed === undefined) return;
  await landed;
  await closeAll(closers, failures);
}

/** All of them, also when one fails. */
async function closeAll(those: readonly Close[], failures: unknown[]): Promise<void> {
  const closed = await Promise.allSettled(those.map((close) => close()));
  for (const each of closed) if (each.status === "rejected") failures.push(each.reason);
}

function tellLate(what: string, deadlineMs: number): void {
  process.emitWarning(`shutdown did not wait longer than ${deadlineMs} ms for ${what}`, {
    type: "SkillcShutdownWarning",
  });
}
