import type { KeptEvent, KeptRun } from "@skillc/runtime/runs";

/** A call of a run: the last that is known about it. */
export interface RunStep {
  /** The step's id; in a loop `STEP:INDEX`, inside a plan `STEP.STEP`. */
  readonly key: string;
  /**
   * `begun`: sent, or about to be sent, and not answered. `accepted`: the target works on it.
   * `passed`: failed, and the plan went on.
   */
  readonly state: "begun" | "accepted" | "answered" | "not-done" | "passed" | "suspended";
  /** Id of the call. */
  readonly call?: string;
  readonly at?: string;
  /** Code of the error, if the call failed and the plan went on. */
  readonly error?: string;
  /** How a person knows the outcome, if a person settled the call. */
  readonly settled?: string;
  /** The answer, if there is one. */
  readonly result?: unknown;
}

/** Returns the calls of a run, in the order in which they began. */
export function stepsOf({ events }: KeptRun): readonly RunStep[] {
  const steps = new Map<string, RunStep>();
  for (const event of events) {
    const step = stepOf(event);
    if (step !== undefined) steps.set(step.key, step);
  }
  return [...steps.values()];
}

function stepOf(event: KeptEvent): RunStep | undefined {
  if (!("key" in event) || event.type === "inferred") return undefined;
  const { at, key, type } = event;
  return {
    key,
    state: type,
    ...("call" in event && { call: event.call }),
    ...(at !== undefined && { at }),
    ...(type === "passed" && { error: event.error.failure.code }),
    ...((type === "answered" || type === "not-done") &&
      event.settled !== undefined && { settled: event.settled }),
    ...(type === "answered" && { result: event.result }),
  };
}

/** Changes of tools with which a person let a run go on. */
export interface AcceptedChange {
  readonly at?: string;
  /** What was accepted, and why. */
  readonly text: string;
}

/** Returns the changes that were accepted, in the order of their acceptance. */
export function acceptedChanges({ events }: KeptRun): readonly AcceptedChange[] {
  return events.flatMap((event) => {
    if (event.type !== "resumed" || event.forced === undefined) return [];
    const { at, forced: text } = event;
    return [{ ...(at !== undefined && { at }), text }];
  });
}
