/**
 * Telemetry of a runtime. Made by `telemetry()` of `@skillc/runtime/telemetry`. This interface
 * can't use the type of calls, because a call refers to its runtime.
 */
export interface Telemetry {
  /**
   * Runs a function in the trace that a request carries, so that spans of its calls belong to it.
   *
   * @param carrier headers of W3C Trace Context: `traceparent`, `tracestate`, `baggage`
   */
  within<Returned>(carrier: object, run: () => Returned): Returned;
  /** Makes a call inside its own span, and counts the call. */
  around<Result>(call: never, make: (call: never) => Promise<Result>): Promise<Result>;
  /** Makes one step of a call inside its own span. */
  step(
    name: string,
    run: (call: never) => undefined | Promise<void>,
    call: never,
  ): undefined | Promise<void>;
}
