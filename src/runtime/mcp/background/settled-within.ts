import { onAborted } from "../../on-aborted.js";
import { longestTimerMs } from "../../within-time.js";

/**
 * Resolves once the work has succeeded or failed, the time has passed, or the signal has aborted.
 *
 * @param ms time limit, in milliseconds
 */
export function settledWithin(
  work: Promise<unknown>,
  ms: number,
  signal?: AbortSignal,
): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      unlink?.();
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, longestTimerMs));
    const unlink = signal && onAborted(signal, end);
    work.then(end, end);
  });
}
