/**
 * What the work gives, or an error when that takes longer. What fails later than that tells nobody.
 *
 * @param ms at most that long
 * @param late called when the time is up: stops what can be stopped, and says what is thrown
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
