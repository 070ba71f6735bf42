import { inTurns, median, type RoundOptions } from "./measurement.js";

/** Makes one call for the caller with this number, from 0. */
export type Call = (caller: number) => Promise<unknown>;

/** Times of a task in one round, in milliseconds. */
export interface Taken {
  /** Median time of a call. */
  readonly p50: number;
  /** Elapsed time per finished call: the inverse of the throughput. */
  readonly each: number;
}

/** Times of each task, by its name. */
export type Round = ReadonlyMap<string, Taken>;

/** Duration of the warm-up, as a share of the measured time. */
const warmUpShare = 0.3;

/**
 * Runs the tasks in turns, each with this number of concurrent callers. A caller makes its next
 * call when the last one has ended.
 */
export function runCallers(
  tasks: Readonly<Record<string, Call>>,
  callers: number,
  { rounds, roundMs }: RoundOptions,
): Promise<readonly Round[]> {
  return inTurns(Object.keys(tasks), rounds, async (order) => {
    const round = new Map<string, Taken>();
    for (const name of order) {
      const call = tasks[name];
      if (call !== undefined) round.set(name, await oneTurn(call, callers, roundMs));
    }
    return round;
  });
}

/**
 * Measures one task. Callers start during the warm-up and continue, so that their number is
 * constant.
 */
async function oneTurn(call: Call, callers: number, ms: number): Promise<Taken> {
  const start = performance.now() + ms * warmUpShare;
  const end = start + ms;
  const latencies: number[] = [];
  const run = async (caller: number) => {
    for (let began = performance.now(); began < end;) {
      await call(caller);
      const now = performance.now();
      if (now >= start && now < end) latencies.push(now - began);
      began = now;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => run(caller)));
  return { p50: median(latencies), each: ms / latencies.length };
}

/** Median of a task over all rounds, in milliseconds. */
export function msOf(rounds: readonly Round[], task: string, what: keyof Taken): number {
  return median(rounds.map((round) => round.get(task)?.[what] ?? Number.NaN));
}

/** Median of the ratios of the single rounds. */
export function ratioOf(
  rounds: readonly Round[],
  task: string,
  baseline: string,
  what: keyof Taken,
): number {
  const ratios = rounds.map((round) => {
    const [taken, base] = [round.get(task), round.get(baseline)];
    return taken && base ? taken[what] / base[what] : Number.NaN;
  });
  return median(ratios);
}
