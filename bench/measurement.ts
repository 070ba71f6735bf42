import { Bench } from "tinybench";

/** One line of a benchmark's result. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  /** `×` for a ratio to the baseline. */
  readonly unit: "×" | "ms" | "µs" | "MB" | "count";
  /** Measurement of the same run that the value is divided by or compared with. */
  readonly baseline: string;
}

export interface RoundOptions {
  readonly rounds: number;
  /** Duration of each task in a round, in milliseconds. */
  readonly roundMs: number;
}

/**
 * Compares tasks over several rounds in which they take turns, because a task that runs later finds
 * a warmer machine. Returns medians of each task's p50, in milliseconds, and of its ratio to the
 * first task.
 */
export async function compareTasks(
  tasks: Readonly<Record<string, () => unknown>>,
  { rounds, roundMs }: RoundOptions,
): Promise<ReadonlyMap<string, { readonly ms: number; readonly ratio: number }>> {
  const names = Object.keys(tasks);
  const [baseline = ""] = names;
  const measured = await inTurns(names, rounds, (order) => oneRound(order, tasks, roundMs));
  const timesOf = (name: string) => measured.map((round) => round.get(name) ?? Number.NaN);
  const ratiosOf = (name: string) =>
    measured.map((round) => (round.get(name) ?? Number.NaN) / (round.get(baseline) ?? Number.NaN));
  return new Map(
    names.map((name) => [name, { ms: median(timesOf(name)), ratio: median(ratiosOf(name)) }]),
  );
}

/**
 * Runs rounds in which the tasks take turns, and returns the result of each. Each round starts with
 * another task. The first round compiles and connects, so its result is dropped.
 */
export async function inTurns<Round>(
  names: readonly string[],
  rounds: number,
  oneRound: (order: readonly string[]) => Promise<Round>,
): Promise<readonly Round[]> {
  const measured: Round[] = [];
  for (let at = 0; at <= rounds; at += 1) {
    const order = names.map((_, index) => names[(index + at) % names.length] ?? "");
    const round = await oneRound(order);
    if (at > 0) measured.push(round);
  }
  return measured;
}

async function oneRound(
  order: readonly string[],
  tasks: Readonly<Record<string, () => unknown>>,
  roundMs: number,
): Promise<ReadonlyMap<string, number>> {
  const bench = new Bench({ time: roundMs, warmupTime: roundMs / 5 });
  // Without the option, tinybench calls a task once and does not wait, to see if it is asynchronous.
  for (const name of order) bench.add(name, async () => tasks[name]?.(), { async: true });
  await bench.run();
  return new Map(
    bench.tasks.map(({ name, result }) => {
      if (!("latency" in result))
        throw new Error(`${name} failed`, { cause: "error" in result ? result.error : undefined });
      return [name, result.latency.p50];
    }),
  );
}

/**
 * Measures the CPU time of one run of each task, in microseconds, over several rounds in which the
 * tasks take turns. Use it only for tasks that never wait. The time includes all threads, and so
 * garbage collection. Other programs don't count, although they affect shared caches.
 *
 * @param options the first round runs each task for `warmUpMs` and doesn't count: V8 recompiles
 * functions after thousands of runs
 */
export function processorTimes<Name extends string>(
  tasks: { readonly [Task in Name]: () => unknown },
  options: RoundOptions & { readonly warmUpMs: number },
): Promise<readonly { readonly [Task in Name]: number }[]> {
  // The keys of the object literal are the names of its type.
  const names = Object.keys(tasks) as Name[];
  let ms = options.warmUpMs;
  return inTurns(names, options.rounds, async (order) => {
    const times: Partial<Record<Name, number>> = {};
    // The order contains exactly the names.
    for (const name of order as readonly Name[]) times[name] = await processorTime(tasks[name], ms);
    ms = options.roundMs;
    // The loop has set each name.
    return times as Record<Name, number>;
  });
}

/** Number of runs between two readings of the clock. */
const runsAtOnce = 50;

async function processorTime(task: () => unknown, roundMs: number): Promise<number> {
  const began = process.cpuUsage();
  for (let runs = runsAtOnce; ; runs += runsAtOnce) {
    for (let run = 0; run < runsAtOnce; run += 1) await task();
    const { system, user } = process.cpuUsage(began);
    if (system + user >= roundMs * 1000) return (system + user) / runs;
  }
}

/** The middle half of the values: `91 to 108`. */
export function middleHalf(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(0);
  return `${at(0.25)} to ${at(0.75)}`;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
