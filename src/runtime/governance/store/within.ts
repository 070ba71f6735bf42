import { withinTime } from "../../within-time.js";
import { StoreUnavailable } from "./store-unavailable.js";

/** How long an operation of a shared store may take unless its options say otherwise. */
export const usualTimeoutMs = 5000;

/** @throws RangeError */
export function requireTimeout(ms: number): number {
  // Turns are renewed every 2.5 s, and are over after 10.
  if (Number.isSafeInteger(ms) && ms >= 1 && ms <= 60_000) return ms;
  throw new RangeError(`\`timeoutMs\` is no whole number from 1 to 60000: ${ms}`);
}

/**
 * What the work gives, or an error when that takes longer.
 *
 * @param whose `Redis`
 * @param stop called when the time is up: nobody waits for the work any more
 * @throws StoreUnavailable
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
