/** Finds calls in kept runs of plans, to settle them there too. */
import {
  type KeptRun,
  type RunBeginning,
  type RunId,
  type RunStore,
  type StepOfCall,
  stepOfCall,
} from "@skillc/runtime/runs";
import type { LedgerCall } from "@skillc/runtime/internal/ledger";

/** A call that a kept run has begun. */
export interface StepInRun {
  readonly run: RunId;
  /** The driver of the run; absent if a call of the plan's function runs it. */
  readonly driver: RunBeginning["driver"];
  /** Id of the call. */
  readonly call: string;
  readonly step: StepOfCall;
}

/** Finds the call of a ledger in the runs that have not ended; undefined if no run has begun it. */
export async function stepOfLedgerCall(
  store: RunStore,
  { caller, id, trace }: LedgerCall,
): Promise<StepInRun | undefined> {
  const { tenant } = caller ?? {};
  for await (const each of store.list(tenant === undefined ? {} : { tenant })) {
    if (each.state === "ended" || each.trace !== trace) continue;
    const kept = await store.read(each.run);
    const step = kept && stepOfCall(kept, id);
    if (step !== undefined)
      return { run: each.run, driver: kept?.beginning.driver, call: id, step };
  }
  return undefined;
}

/**
 * Finds calls in the runs that have not ended, by the beginning of their ids. Calls whose outcome
 * the run knows are left out, unless a person settled them. One whole id excludes longer ones.
 *
 * @throws RunStoreError if no such call was found, and a run can't be read
 */
export async function stepsByCall(store: RunStore, id: string): Promise<readonly StepInRun[]> {
  const found: StepInRun[] = [];
  let failure: unknown;
  try {
    for await (const { run, state } of store.list()) {
      if (state === "ended") continue;
      try {
        const kept = await store.read(run);
        if (kept !== undefined) found.push(...openSteps(kept, id));
      } catch (error) {
        failure ??= error;
      }
    }
  } catch (error) {
    failure ??= error;
  }
  if (found.length === 0 && failure !== undefined) throw failure;
  const exact = found.filter(({ call }) => call === id);
  return exact.length > 0 ? exact : found;
}

function openSteps(kept: KeptRun, id: string): readonly StepInRun[] {
  const calls = kept.events.flatMap((each) =>
    each.type === "begun" && each.call.startsWith(id) ? [each.call] : [],
  );
  const { beginning, run } = kept;
  return calls.flatMap((call) => {
    const step = stepOfCall(kept, call);
    if (step === undefined || step.state === "closed") return [];
    return [{ run, driver: beginning.driver, call, step }];
  });
}
