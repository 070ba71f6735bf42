/** Times of retries, and the end of retries. */
import { expect, test, vi } from "vitest";
import {
  createDeadlines,
  persist,
} from "../../../../src/bindings/queue/providers/kafka/send/tries.js";
import { LostBroker } from "../../../../src/bindings/queue/send/failures.js";
import { stopClock } from "../../../support/stopped-clock.js";
import { rejection } from "../support/attempt.js";

/**
 * Something that fails each time, and the moments at which it was tried, in milliseconds from now.
 */
function failing() {
  const began = performance.now();
  const tries: number[] = [];
  const work = () => {
    tries.push(performance.now() - began);
    return Promise.reject(new Error(`failure ${tries.length}`));
  };
  const within = (ms: number, signal = new AbortController().signal) =>
    rejection(persist(work, { until: began + ms, signal }, () => true));
  return { tries, within };
}

test("an operation that is stopped between two tries fails with the last error", async () => {
  stopClock();
  const { tries, within } = failing();
  const closing = new AbortController();
  const over = within(2000, closing.signal);
  await vi.advanceTimersByTimeAsync(30);
  closing.abort();
  expect(await over).toEqual(new Error("failure 1"));
  await vi.advanceTimersByTimeAsync(5000);
  expect(tries).toEqual([0]);
});

test("an operation is retried at growing intervals of at most a second", async () => {
  stopClock();
  const { tries, within } = failing();
  void within(60_000);
  await vi.advanceTimersByTimeAsync(5000);
  expect(tries).toEqual([0, 100, 300, 700, 1500, 2500, 3500, 4500]);
});

test("no try starts after the deadline, and no wait exceeds the deadline", async () => {
  stopClock();
  const { tries, within } = failing();
  const over = within(150);
  await vi.advanceTimersByTimeAsync(150);
  expect(await over).toEqual(new Error("failure 3"));
  expect(tries).toEqual([0, 100, 150]);
});

test("work under way fails when the deadlines end, and no work starts after that", async () => {
  const deadlines = createDeadlines(() => {});
  const underWay = rejection(deadlines.within(() => new Promise(() => {})));
  deadlines.end("closed");
  expect(await underWay).toEqual(new LostBroker("closed"));
  let hasBegun = false;
  const late = deadlines.within(async () => {
    hasBegun = true;
  });
  expect(await rejection(late)).toEqual(new LostBroker("closed"));
  expect(hasBegun).toBe(false);
});
