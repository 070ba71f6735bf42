import { inTurns, median, type RoundOptions } from "./measurement.js";

/** One call by one of several callers, which are numbered from 0. */
export type Call = (caller: number) => Promise<unknown>;

/** Times of a task in one round, in milliseconds. */
export interface Taken {
  /** The median of its calls. */
  readonly p50: number;
  /** The time that passed for each call that ended: the inverse of the throughput. */
  readonly each: number;
}

/** By the task's name. */
export type Round = ReadonlyMap<string, Taken>;

/** Duration of the warm-up, as a share of the measured time. */
const warmUpShare = 0.3;

/**
 * Runs tasks in turns, each with so many callers at a time, of whom each makes its next call when
 * its last one has ended.
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

/** Callers continue from the warm-up into the measured time, so that their number is constant. */
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

/** The median over all rounds, in milliseconds. */
export function msOf(rounds: readonly Round[], task: string, what: keyof Taken): number {
  return median(rounds.map((round) => round.get(task)?.[what] ?? Number.NaN));
}

/** The median of the rounds' own ratios. */
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
