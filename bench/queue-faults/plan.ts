/** The events of a run, drawn at random from a seed. Their timing depends on the machine. */
import fc from "fast-check";

/** Calls that one caller makes at once, and its pause after them. */
export interface Burst {
  /** The tool of each call, as an index into the subject's tools. */
  readonly tools: readonly number[];
  readonly pauseMs: number;
}

/**
 * `cut`: connections are reset and new ones refused. `drop`: connections are reset. `stall
 * everything`, `stall answers`: connections stay open, but nothing passes. `restart`: the broker's
 * process is killed and started again.
 */
export const faultKinds = ["cut", "drop", "stall everything", "stall answers", "restart"] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  readonly kind: FaultKind;
  /**
   * Minimum pause before the fault, in milliseconds. The fault then waits until calls are under
   * way, and for `delayMs`.
   */
  readonly quietMs: number;
  readonly delayMs: number;
  readonly lastsMs: number;
  /**
   * True if connections are reset at the end and lose their data; otherwise the data is passed on.
   */
  readonly endsInDrop: boolean;
}

const maxAtOnce = 16;
const longestPauseMs = 1000;
const longestQuietMs = 300;
const longestDelayMs = 8;
const longestFaultMs = 600;

/** @param tools number of tools to choose from */
export function planBursts(seed: number, count: number, tools: number): readonly Burst[] {
  const burst = fc.record({
    tools: fc.array(fc.nat(tools - 1), { minLength: 1, maxLength: maxAtOnce, size: "max" }),
    pauseMs: fc.nat(longestPauseMs),
  });
  let left = count;
  return draw(burst, seed, count).flatMap((each) => {
    const taken = each.tools.slice(0, left);
    left -= taken.length;
    return taken.length === 0 ? [] : [{ ...each, tools: taken }];
  });
}

export interface FaultPlan {
  readonly rounds: number;
  /** Number of rounds per restart, beginning with the first round. 0 means no restart. */
  readonly restartEvery: number;
  /**
   * Duration of one stall in eight, in milliseconds. It exceeds the time limit of an attempt. By
   * default all stalls are short.
   */
  readonly longMs?: number;
}

/** Plans rounds of faults. Each round has every kind once, in random order. */
export function planFaults(seed: number, plan: FaultPlan): readonly Fault[] {
  const { longMs = longestFaultMs, restartEvery, rounds } = plan;
  const lastsMs = fc.oneof(
    { weight: 7, arbitrary: fc.integer({ min: 30, max: longestFaultMs }) },
    { weight: 1, arbitrary: fc.constant(longMs) },
  );
  const fault = fc.record({
    kind: fc.constantFrom(...faultKinds),
    quietMs: fc.nat(longestQuietMs),
    delayMs: fc.nat(longestDelayMs),
    lastsMs,
    endsInDrop: fc.boolean(),
  });
  const round = fc.uniqueArray(fault, {
    minLength: faultKinds.length,
    maxLength: faultKinds.length,
    selector: ({ kind }) => kind,
  });
  return draw(round, seed, rounds).flatMap((faults, at) =>
    faults
      .filter(({ kind }) => kind !== "restart" || (restartEvery > 0 && at % restartEvery === 0))
      .map((each) => (each.kind.startsWith("stall") ? each : shortened(each))),
  );
}

function shortened(fault: Fault): Fault {
  return { ...fault, lastsMs: Math.min(fault.lastsMs, longestFaultMs) };
}

function draw<Value>(values: fc.Arbitrary<Value>, seed: number, count: number): readonly Value[] {
  return fc.sample(fc.noBias(values), { seed, numRuns: count });
}
