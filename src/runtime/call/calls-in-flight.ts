interface CallCount {
  calls: number;
  readonly waiting: (() => void)[];
}

/** Calls of all runtimes. */
const all: CallCount = { calls: 0, waiting: [] };
const counts = new WeakMap<object, CallCount>();

let lastNumber = 0;

/**
 * Returns the number of a new call. Calls of all runtimes are numbered from 1, in the order in
 * which they begin.
 */
export function nextCallNumber(): number {
  return (lastNumber += 1);
}

/** Returns the number of the call that began last; 0 before the first. */
export function lastCallNumber(): number {
  return lastNumber;
}

/**
 * Counts a call of the runtime.
 *
 * @returns a function to call once, when the call has ended
 */
export function countCall(runtime: object): () => void {
  let own = counts.get(runtime);
  if (own === undefined) counts.set(runtime, (own = { calls: 0, waiting: [] }));
  own.calls += 1;
  all.calls += 1;
  return () => {
    uncount(own);
    uncount(all);
  };
}

function uncount(group: CallCount): void {
  group.calls -= 1;
  if (group.calls === 0) for (const resume of group.waiting.splice(0)) resume();
}

/**
 * Resolves when no call of the runtime, or of any runtime, is in progress; undefined if there is
 * none now.
 */
export function whenIdle(runtime?: object): Promise<void> | undefined {
  const group = runtime === undefined ? all : counts.get(runtime);
  if (group === undefined || group.calls === 0) return undefined;
  return new Promise((resolve) => group.waiting.push(resolve));
}
