import type { Broker, Outgoing } from "../../../../src/bindings/queue/send/broker.js";
import type { Attempt } from "../../../../src/runtime/sink.js";

/** An attempt, and the means to end it. */
export interface TestAttempt {
  readonly attempt: Attempt;
  end(reason: unknown): void;
}

/** An attempt as the call path makes it; its end is the test's to say. */
export function startAttempt(timeoutMs?: number): TestAttempt {
  const listeners: ((reason: unknown) => void)[] = [];
  const controller = new AbortController();
  const attempt: Attempt = {
    tool: "test-skill/test-tool",
    number: 1,
    ...(timeoutMs !== undefined && { timeoutMs }),
    directory: ".",
    signal: controller.signal,
    onAbort(listener) {
      if (controller.signal.aborted) listener(controller.signal.reason);
      else listeners.push(listener);
    },
    open: () => {
      throw new Error("a broker opens no credentials");
    },
  };
  const end = (reason: unknown) => {
    controller.abort(reason);
    for (const listener of listeners.splice(0)) listener(reason);
  };
  return { attempt, end };
}

/** What a call that its own limit ended rejects with. */
export class TimedOut extends Error {
  override readonly name = "TimedOut";
}

/** Publishes as the call path does: over with the broker's answer or when its time is up, whichever comes first. */
export function publishWithin<Place extends object, Receipt extends object>(
  timeoutMs: number,
  broker: Broker<Place, Receipt>,
  outgoing: Outgoing & Place,
): Promise<Receipt> {
  return new Promise((resolve, reject) => {
    const { attempt, end } = startAttempt(timeoutMs);
    const timer = setTimeout(() => {
      reject(new TimedOut(`${timeoutMs} ms`));
      end(new Error("time is up"));
    }, timeoutMs);
    broker
      .publish(outgoing, attempt)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** What a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const thrown: unknown = await promise.then(
    (value) => new Error(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (thrown instanceof Error) return thrown;
  throw new TypeError("rejected with something that is no error");
}
