import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createRuntime, shutdown } from "@skillc/runtime";
import type { Count } from "./count.js";
import { injectFaults } from "./inject.js";
import { judge } from "./judge.js";
import { readLedgerEnds } from "./ledger-ends.js";
import { planBursts, planFaults } from "./plan.js";
import { publishAll, type Traffic } from "./publish.js";
import type { Subject } from "./subject.js";

export interface FaultRun {
  /** Number of calls. The run makes more if fewer than `leastFaults` faults are over. */
  readonly count: number;
  /** Minimum number of faults; no minimum by default. */
  readonly leastFaults?: number;
  readonly seed: number;
  /** Number of concurrent callers. */
  readonly callers: number;
  /** Duration of some stalls, in milliseconds. */
  readonly longMs?: number;
}

/** Yields all values, then starts again while more are wanted. */
function* again<Value>(values: readonly Value[], isWanted: () => boolean): Generator<Value> {
  yield* values;
  while (isWanted()) for (const value of values) if (isWanted()) yield value;
}

/** Enough rounds of faults for any run. */
const rounds = 1000;

/** Time in which messages on the last connections may still arrive, in milliseconds. */
const settleMs = 1000;

/**
 * Publishes through the generated tools, with a ledger in files, while faults are injected. Then
 * compares the calls with the broker and the ledger.
 */
export async function runFaults(subject: Subject, options: FaultRun): Promise<readonly Count[]> {
  const { callers, count, leastFaults = 0, seed, ...others } = options;
  const directory = mkdtempSync(join(tmpdir(), "skillc-faults-"));
  const { broker, credentials, tools } = subject;
  const runtime = createRuntime({ inherit: false, credentials, ledger: { directory } });
  const plan = { ...others, rounds, restartEvery: broker?.restartEvery ?? 0 };
  const calling = new AbortController();
  const bursts = planBursts(seed, count, tools.length);
  const traffic: Traffic = { calls: 0, isDown: false, faults: 0 };
  try {
    const [published, faults] = await Promise.all([
      publishAll(
        tools,
        again(bursts, () => traffic.faults < leastFaults),
        {
          callers,
          runtime,
          traffic,
        },
      ).finally(() => calling.abort()),
      injectFaults(subject, planFaults(seed, plan), traffic, calling.signal),
    ]);
    await runtime.close();
    await shutdown();
    await pause(settleMs);
    const stored = await subject.read();
    return judge({ published, ledger: await readLedgerEnds(directory), stored, faults });
  } finally {
    await subject.proxy.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
