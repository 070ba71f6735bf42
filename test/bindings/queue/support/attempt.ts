import type { Broker, Outgoing } from "../../../../src/bindings/queue/send/broker.js";
import type { AbortListener, Attempt, WriteOutcome } from "../../../../src/runtime/executor.js";

/** An attempt, and the means to end it. */
export interface TestAttempt {
  readonly attempt: Attempt;
  /** Ends the attempt, and returns the outcome that its listeners give. */
  end(reason: unknown): WriteOutcome;
}

/** Makes an attempt like the call path does, but the test ends it. */
export function startAttempt(timeoutMs?: number): TestAttempt {
  const listeners: AbortListener[] = [];
  const controller = new AbortController();
  const endsAt = performance.now() + (timeoutMs ?? Infinity);
  const attempt: Attempt = {
    tool: "test-skill/test-tool",
    number: 1,
    ...(timeoutMs !== undefined && { timeoutMs }),
    get remainingMs() {
      return timeoutMs === undefined ? undefined : Math.max(0, endsAt - performance.now());
    },
    directory: ".",
    hooks: {},
    signal: controller.signal,
    onAbort(listener) {
      if (controller.signal.aborted) listener(controller.signal.reason);
      else listeners.push(listener);
    },
    open: () => {
      throw new Error("a broker opens no credentials");
    },
  };
  const end = (reason: unknown): WriteOutcome => {
    controller.abort(reason);
    const outcomes = listeners.splice(0).map((listener) => listener(reason));
    return outcomes.length > 0 && outcomes.every((each) => each === "not-done")
      ? "not-done"
      : "unknown";
  };
  return { attempt, end };
}

/** Error of a call that ends at its own time limit. */
export class TimedOut extends Error {
  override readonly name = "TimedOut";
  readonly outcome: WriteOutcome;

  constructor(timeoutMs: number, outcome: WriteOutcome) {
    super(`${timeoutMs} ms`);
    this.outcome = outcome;
  }
}

/** Publishes like the call path does: until the broker answers, or until the time limit. */
export function publishWithin<Place extends object, Receipt extends object>(
  timeoutMs: number,
  broker: Broker<Place, Receipt>,
  outgoing: Outgoing & Place,
): Promise<Receipt> {
  return new Promise((resolve, reject) => {
    const { attempt, end } = startAttempt(timeoutMs);
    const timer = setTimeout(() => {
      reject(new TimedOut(timeoutMs, end(new Error("time is up"))));
    }, timeoutMs);
    broker
      .publish(outgoing, attempt)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/**
 * Returns the error that a promise rejects with.
 *
 * @throws if the promise resolves
 */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const [value, error] = await promise.then(
    (resolved): [unknown, unknown] => [resolved, undefined],
    (thrown: unknown): [unknown, unknown] => [undefined, thrown],
  );
  if (error instanceof Error) return error;
  if (error !== undefined) throw new TypeError("rejected with something that is no error");
  throw new Error(`resolved with ${JSON.stringify(value)}`);
}
