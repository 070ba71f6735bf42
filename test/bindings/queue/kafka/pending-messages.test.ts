/** Choice of the waiting messages that are sent next. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Batch } from "../../../../src/bindings/queue/providers/kafka/send/batch.js";
import { Leaders } from "../../../../src/bindings/queue/providers/kafka/send/partitions.js";
import { PendingMessages } from "../../../../src/bindings/queue/providers/kafka/send/pending-messages.js";
import { keyOf } from "./key-of.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

/** Pending messages of a topic with two partitions and a leader each; a taken batch counts as under way. */
function start() {
  const pending = new PendingMessages(new Leaders());
  const partition = { partitionErrorCode: 0, replicas: [], isr: [] };
  pending.learn([0, 1].map((partitionId) => ({ ...partition, partitionId, leader: partitionId })));
  const underWay = new Map<Batch, unknown>();
  const add = (count: number, key?: string) => {
    for (let index = 0; index < count; index += 1) {
      const message = {
        key: key === undefined ? null : Buffer.from(key),
        value: Buffer.alloc(9),
        headers: {},
      };
      pending.add({ message, until: 0, resolve: () => {}, reject: () => {} });
    }
  };
  const take = () => {
    const batch = pending.take(underWay, []);
    if (batch !== undefined) underWay.set(batch, undefined);
    return batch;
  };
  return { pending, underWay, add, take };
}

test("messages without keys wait for the batch under way, and go elsewhere if it is late", () => {
  const { add, take } = start();
  add(1);
  const first = take();
  add(3);
  expect(take()).toBeUndefined();
  vi.advanceTimersByTime(500);
  const second = take();
  expect(second?.messages).toHaveLength(3);
  expect(second?.partition).toBe(1 - (first?.partition ?? 0));
});

test("messages with a key wait for the batch before them, however late it is", () => {
  const { add, take } = start();
  add(1, keyOf(0, 2));
  take();
  add(3, keyOf(0, 2));
  vi.advanceTimersByTime(5000);
  expect(take()).toBeUndefined();
});

test("a leader that lost a batch gets one message as a test, and no message waits for it", () => {
  const { pending, underWay, add, take } = start();
  add(1);
  const lost = take();
  if (lost === undefined) throw new Error("nothing was taken");
  pending.lost(lost);
  underWay.delete(lost);
  vi.advanceTimersByTime(10_000);
  add(5);
  const [trial, others] = [take(), take()];
  expect(trial).toMatchObject({ group: "trial", partition: lost.partition });
  expect([trial, others].map((each) => each?.messages.length)).toEqual([1, 4]);
  expect(others?.partition).not.toBe(lost.partition);
});
