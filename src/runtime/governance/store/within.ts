import { withinTime } from "../../within-time.js";
import { StoreUnavailable } from "./store-unavailable.js";

/** Default time limit of one operation of a shared store, in milliseconds. */
export const usualTimeoutMs = 5000;

/**
 * Checks a time limit.
 *
 * @throws RangeError if it is not an integer from 1 to 60,000
 */
export function requireTimeout(ms: number): number {
  // For comparison, leases are renewed every 2.5 s and expire after 10 s.
  if (Number.isSafeInteger(ms) && ms >= 1 && ms <= 60_000) return ms;
  throw new RangeError(`\`timeoutMs\` must be a whole number from 1 to 60000, not ${ms}`);
}

/**
 * Waits for the work, but only for a limited time.
 *
 * @param ms time limit, in milliseconds
 * @param whose name of the server, such as `Redis`
 * @param stop called at the time limit
 * @throws StoreUnavailable at the time limit
 */
export function within<Value>(
  ms: number,
  whose: string,
  work: Promise<Value>,
  stop: () => void = () => {},
): Promise<Value> {
  return withinTime(ms, work, () => {
    stop();
    return new StoreUnavailable(`${whose} did not answer within ${ms} ms`);
  });
}
