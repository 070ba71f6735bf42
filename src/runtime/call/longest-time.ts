import type { AnyTool } from "./call.js";

/** An attempt without a limit is given that long, in milliseconds. */
const unlimitedMs = 10 * 60 * 1000;

/** Milliseconds that all attempts of a call may take, pauses and polls included. */
export function longestTimeOf({ binding, retry, timeoutMs }: AnyTool): number {
  const { backoffMs, backoffMultiplier, maxAttempts } = retry;
  let pauses = 0;
  for (let attempt = 1; attempt < maxAttempts; attempt += 1)
    pauses += Math.min(backoffMs * backoffMultiplier ** (attempt - 1), 60_000);
  const attemptMs = timeoutMs ?? unlimitedMs;
  const polls = binding.polling?.timeoutMs ?? 0;
  return Math.ceil(attemptMs * maxAttempts + pauses + polls);
}
