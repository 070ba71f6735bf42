/** When something is tried again, and when not any more. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { LostBroker } from "../../../../src/bindings/queue/send/faults.js";
import { createPatience } from "../../../../src/bindings/queue/send/kafka/patience.js";
import { persist } from "../../../../src/bindings/queue/send/kafka/tries.js";
import { rejection } from "../support/attempt.js";

/** Something that fails each time, by its count. */
function failing() {
  let count = 0;
  const work = () => {
    count += 1;
    return Promise.reject(new Error(`failure ${count}`));
  };
  return { work, count: () => count };
}

const until = () => performance.now() + 2000;

test("what is stopped between two tries fails with what the last one met", async () => {
  const { work, count } = failing();
  const closing = new AbortController();
  const over = rejection(persist(work, { until: until(), signal: closing.signal }, () => true));
  await pause(30);
  closing.abort();
  expect(await over).toEqual(new Error("failure 1"));
  await pause(150);
  expect(count()).toBe(1);
});

test("nothing is tried after its moment", async () => {
  const { work, count } = failing();
  const signal = new AbortController().signal;
  const began = performance.now();
  const error = await rejection(persist(work, { until: began + 150, signal }, () => true));
  expect(performance.now() - began).toBeLessThan(500);
  expect(error).toEqual(new Error(`failure ${count()}`));
});

test("work fails when patience ends, and none begins after that", async () => {
  const patience = createPatience(() => {});
  const underWay = rejection(patience.within(() => new Promise(() => {})));
  patience.end("closed");
  expect(await underWay).toEqual(new LostBroker("closed"));
  let hasBegun = false;
  const late = patience.within(async () => {
    hasBegun = true;
  });
  expect(await rejection(late)).toEqual(new LostBroker("closed"));
  expect(hasBegun).toBe(false);
});
