/**
 * Measures the time of each stage. The caller passes the clock, because no code below the command
 * line reads the time.
 */
export interface Stopwatch {
  /** Runs the work and adds its time to the stage. */
  time<T>(stage: string, work: () => T): T;
  /** Returns milliseconds by stage, in the order in which stages first began. */
  stages(): readonly StageTime[];
}

export interface StageTime {
  readonly stage: string;
  readonly ms: number;
}

/** @param now returns milliseconds since a fixed moment */
export function createStopwatch(now: () => number): Stopwatch {
  const spent = new Map<string, number>();
  const add = (stage: string, since: number): void => {
    spent.set(stage, (spent.get(stage) ?? 0) + now() - since);
  };
  return {
    time(stage, work) {
      const since = now();
      const result = work();
      if (result instanceof Promise) void result.finally(() => add(stage, since)).catch(() => {});
      else add(stage, since);
      return result;
    },
    stages: () => [...spent].map(([stage, ms]) => ({ stage, ms })),
  };
}
