import type { KeptRun, RunEvent, RunState } from "./store.js";

/** State of a run after an event. */
export interface RunStateAt {
  readonly state: RunState;
  /** Status of the answer, if the run has ended. */
  readonly status?: string | undefined;
}

const states: readonly unknown[] = ["unfinished", "suspended", "ended"] satisfies RunState[];

export function isRunState(value: unknown): value is RunState {
  return states.includes(value);
}

/** Part of an event that decides the state. */
interface StateEvent {
  readonly type: RunEvent["type"];
  readonly status?: string | undefined;
}

/**
 * Returns the state after an event. A run that suspends stays suspended until it is resumed,
 * because other steps may still be answered. A run that has ended stays ended.
 */
export function stateAfter(before: RunStateAt, { status, type }: StateEvent): RunStateAt {
  if (before.state === "ended") return before;
  if (type === "ended") return { state: "ended", status };
  if (type === "suspended") return { state: "suspended" };
  return type === "resumed" ? { state: "unfinished" } : before;
}

/** Returns the state of a run, and the status of its answer if it has ended. */
export function stateOfRun({ events }: KeptRun): RunStateAt {
  return events.reduce<RunStateAt>(stateAfter, { state: "unfinished" });
}
