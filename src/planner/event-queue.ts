/** Hands the events of a plan to whoever reads them, and lets the plan wait for the reader. */
import { ReadableStream, type ReadableStreamDefaultController } from "node:stream/web";
import type { PlanEvent, PlanEvents } from "./events.js";

/**
 * Adds an event. The promise resolves when the reader asks for the event after it, or reads no
 * longer, or the plan is aborted.
 */
export type Emit = <Name extends keyof PlanEvents>(
  event: Name,
  data: PlanEvents[Name],
) => Promise<void>;

/** The events of a plan. */
export interface EventQueue {
  readonly emit: Emit;
  readonly end: () => void;
  /** Ends the events with an error. */
  readonly fail: (error: unknown) => void;
  readonly events: AsyncIterable<PlanEvent>;
}

/**
 * Makes the events of a plan.
 *
 * @param stop is aborted if the reader stops reading
 * @param signal aborts with the plan
 */
export function queueOf(stop: AbortController, signal: AbortSignal): EventQueue {
  let sink: ReadableStreamDefaultController<PlanEvent> | undefined;
  let waiting: (() => void)[] = [];
  const goOn = (): void => {
    const all = waiting;
    waiting = [];
    for (const each of all) each();
  };
  signal.addEventListener("abort", goOn, { once: true });
  const source = {
    start(controller: ReadableStreamDefaultController<PlanEvent>) {
      sink = controller;
    },
    // The reader waits for an event, and has taken all others.
    pull: goOn,
    cancel() {
      sink = undefined;
      stop.abort();
    },
  };
  return {
    events: new ReadableStream<PlanEvent>(source, { highWaterMark: 0 }),
    emit(event, data) {
      // The type of `Emit` keeps the two together.
      sink?.enqueue({ event, data } as PlanEvent);
      if (sink === undefined || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => waiting.push(resolve));
    },
    end() {
      signal.removeEventListener("abort", goOn);
      sink?.close();
    },
    fail(error) {
      signal.removeEventListener("abort", goOn);
      sink?.error(error);
    },
  };
}
