import { onAborted } from "../on-aborted.js";
import type { RetryPolicy } from "../tool.js";

/** A target that asks for a longer pause than this is not waited for: its answer is returned. */
const longestWaitMs = 60_000;

/**
 * How long to wait before the next attempt, in milliseconds: full jitter over an exponential
 * backoff, or the target's own wish. Undefined when there is to be no next attempt. Source:
 * "Exponential Backoff And Jitter", AWS Architecture Blog.
 *
 * @param attempt the number of the attempt that just ended, from 1
 */
export function waitBeforeNext(
  policy: RetryPolicy,
  attempt: number,
  wishMs: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  if (attempt >= policy.maxAttempts) return undefined;
  if (wishMs !== undefined) return wishMs <= longestWaitMs ? wishMs : undefined;
  // Finite, so that a backoff of 0 stays 0.
  const growth = Math.min(policy.backoffMultiplier ** (attempt - 1), Number.MAX_VALUE);
  return random() * Math.min(policy.backoffMs * growth, longestWaitMs);
}

/** Resolves after `ms`, or rejects with the signal's reason when it aborts first. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      stopListening?.();
      resolve();
    }, ms);
    const stopListening = signal && onAborted(signal, stop);
  });
}
