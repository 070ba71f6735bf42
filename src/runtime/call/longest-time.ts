import type { AnyTool } from "./call.js";

/** Assumed time of an attempt without a limit, in milliseconds. */
const unlimitedMs = 10 * 60 * 1000;

/**
 * Returns the maximum time of all attempts of a call, pauses and polls included, in milliseconds.
 */
export function longestTimeOf({ binding, retry, timeoutMs }: AnyTool): number {
  const { backoffMs, backoffMultiplier, maxAttempts } = retry;
  let pauses = 0;
  for (let attempt = 1; attempt < maxAttempts; attempt += 1)
    pauses += Math.min(backoffMs * backoffMultiplier ** (attempt - 1), 60_000);
  const attemptMs = timeoutMs ?? unlimitedMs;
  const polls = binding.polling?.timeoutMs ?? 0;
  return Math.ceil(attemptMs * maxAttempts + pauses + polls);
}
