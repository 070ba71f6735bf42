/**
 * Lets an engine such as DBOS run the steps of a plan. The engine calls the plan's function with a
 * `PlanDriver` in the options, under a symbol.
 */
import type { CallOptions } from "../../../runtime/call/call-options.js";
import type { RunDriver } from "../../../runtime/runs/store.js";
import type { End } from "./ends.js";

/** Runs the steps of a kept plan. A step that is a plan itself counts as one step. */
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
