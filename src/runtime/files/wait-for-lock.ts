import { setTimeout as wait } from "node:timers/promises";
import type { LockAttempt, LockHolder } from "./lock-file.js";

/** Options of waiting for a lock. */
export interface LockWait {
  /** Time limit of waiting for another holder, in milliseconds. */
  readonly timeoutMs: number;
  /** Pause between two attempts, in milliseconds. */
  readonly pauseMs: number;
  /** Stops the waiting. */
  readonly signal?: AbortSignal;
  /** Called once if another process holds the lock. The holder is undefined if it is unknown. */
  readonly onWait?: (holder: LockHolder | undefined) => void;
}

/**
 * Takes a lock, and waits while another holder has it.
 *
 * @param attempt takes the lock once, with `takeLock`
 * @returns the last attempt. `taken` if the time limit has passed, or if the file names no process:
 * no process will then remove it
 * @throws AbortError if the signal aborts
 */
export async function waitForLock(
  attempt: () => LockAttempt,
  { onWait, pauseMs, signal, timeoutMs }: LockWait,
): Promise<LockAttempt> {
  const deadline = performance.now() + timeoutMs;
  for (let isFirst = true; ; isFirst = false) {
    const found = attempt();
    if (found.kind === "held" || (found.isReadable && found.holder === undefined)) return found;
    if (isFirst) onWait?.(found.holder);
    if (performance.now() >= deadline) return found;
    await wait(pauseMs, undefined, { signal });
  }
}
