import { onAborted } from "../on-aborted.js";
import type { RetryPolicy } from "../tool.js";

/** Maximum delay before another attempt. If a target asks for more, its answer is returned. */
const longestWaitMs = 60_000;

/**
 * Returns the delay before the next attempt, in milliseconds: exponential backoff with full jitter,
 * or the delay that the target asks for. Undefined if there is no next attempt. Source:
 * "Exponential Backoff And Jitter", AWS Architecture Blog.
 *
 * @param attempt number of the attempt that just ended, from 1
 */
export function waitBeforeNext(
  policy: RetryPolicy,
  attempt: number,
  wishMs: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  if (attempt >= policy.maxAttempts) return undefined;
  if (wishMs !== undefined) return wishMs <= longestWaitMs ? wishMs : undefined;
  // The limit keeps the product finite, so that a backoff of 0 stays 0.
  const growth = Math.min(policy.backoffMultiplier ** (attempt - 1), Number.MAX_VALUE);
  return random() * Math.min(policy.backoffMs * growth, longestWaitMs);
}

/**
 * Resolves after `ms` milliseconds; rejects with the signal's reason if the signal aborts first.
 */
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
