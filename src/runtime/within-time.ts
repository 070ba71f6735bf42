/** Maximum delay of a timer, in milliseconds. A timer with a longer one fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

/**
 * Waits for the work, but only for a limited time. If the work fails later, its error is ignored.
 *
 * @param ms time limit, in milliseconds
 * @param late called at the time limit: stops the work if possible, and returns the error to throw
 */
export function withinTime<Value>(
  ms: number,
  work: Promise<Value>,
  late: () => Error,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
