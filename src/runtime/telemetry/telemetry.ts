/**
 * Telemetry of a runtime. Made by `telemetry()` of `@skillc/runtime/telemetry`. This interface
 * can't use the type of calls, because a call refers to its runtime.
 */
export interface Telemetry {
  /** Makes a call inside its own span, and counts the call. */
  around<Result>(call: never, make: (call: never) => Promise<Result>): Promise<Result>;
  /** Makes one step of a call inside its own span. */
  step(
    name: string,
    run: (call: never) => undefined | Promise<void>,
    call: never,
  ): undefined | Promise<void>;
}
