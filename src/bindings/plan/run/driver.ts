/**
 * The door for an engine that runs plans in place of a call of the plan's function, such as DBOS. The
 * engine passes a `PlanDriver` in the call's options, by a symbol.
 */
import type { CallOptions } from "../../../runtime/call/call-options.js";
import type { RunDriver } from "../../../runtime/runs/store.js";
import type { End } from "./ends.js";

/** Runs the steps of a kept plan. The steps of a plan inside it belong to the step that it is. */
export interface PlanDriver {
  /** Name of the driver in the run. */
  readonly run: RunDriver;
  /**
   * Makes the call of a step, or takes its stored end.
   *
   * @param key the step; in a loop `STEP:INDEX`
   * @returns the end of the call; undefined if the plan was over before
   */
  step(key: string, call: DrivenCall): Promise<End | undefined>;
}

/** The call of a step. */
export interface DrivenCall {
  /** Returns whether the run has stored the end of the call, so that `make` sends nothing. */
  isKept(): boolean;
  /** Returns whether the call may have been made, and must not be repeated. */
  isOpen(): boolean;
  /** @param signal aborts the call; absent if only the plan's own signal does */
  make(signal?: AbortSignal): Promise<End | undefined>;
}

/** Key of a driver in options; the same for every copy of this package. */
const key = Symbol.for("skillc.plan-driver");

/** Returns options of a call whose steps a driver runs. */
export function withDriver(options: CallOptions, driver: PlanDriver): CallOptions {
  return { ...options, [key]: driver } as CallOptions;
}

/** Returns the driver of a call; undefined for every other call. */
export function driverOf(options: CallOptions): PlanDriver | undefined {
  // Only `withDriver` sets this key.
  return (options as { readonly [key]?: PlanDriver })[key];
}
