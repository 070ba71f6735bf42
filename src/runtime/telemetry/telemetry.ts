/**
 * What a runtime is given so that its calls are seen from outside. Made by `telemetry()` of
 * `@skillc/runtime/telemetry`. A call knows its runtime, so that this can't name a call's type.
 */
export interface Telemetry {
  /** Makes a call within a span of its own, and counts it. */
  around<Result>(call: never, make: (call: never) => Promise<Result>): Promise<Result>;
  /** Makes one step of a call within a span of its own. */
  step(
    name: string,
    run: (call: never) => undefined | Promise<void>,
    call: never,
  ): undefined | Promise<void>;
}
