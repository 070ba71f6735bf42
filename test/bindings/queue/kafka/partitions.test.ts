/** Which partition a message goes to. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Batch } from "../../../../src/bindings/queue/providers/kafka/send/batch.js";
import {
  Leaders,
  Partitions,
} from "../../../../src/bindings/queue/providers/kafka/send/partitions.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

const nothing = { busy: new Set<never>(), late: new Set<never>() };

/** Of a topic whose partitions have these leaders. */
function partitionsOf(leaders: readonly number[], known = new Leaders()): Partitions {
  const partitions = new Partitions(known);
  partitions.learn(metadataOf(leaders));
  return partitions;
}

function metadataOf(leaders: readonly number[]) {
  return leaders.map((leader, partitionId) => ({
    partitionId,
    leader,
    partitionErrorCode: 0,
    replicas: [],
    isr: [],
  }));
}

function batchTo(partition: number): Batch {
  return { group: "any", partition, messages: [], callers: new Set(), since: 0 };
}

/** Where so many batches without keys go. */
function places(partitions: Partitions, traffic = nothing, count = 12) {
  const all = Array.from({ length: count }, () => partitions.any(traffic)?.partition);
  return [...new Set(all)].toSorted();
}

test("a key goes where Kafka's Java client sends it", () => {
  const partitions = partitionsOf([1, 1, 1, 1, 1, 1, 1]);
  // The hashes are from Kafka's UtilsTest.
  const hashes = { "21": -973932308, foobar: -790332482, "a-little-bit-long-string": -985981536 };
  for (const [key, hash] of Object.entries(hashes))
    expect(partitions.groupOf(Buffer.from(key))).toBe((hash & 0x7fff_ffff) % 7);
});

test("messages without keys go to all partitions, those without leaders left out", () => {
  expect(places(partitionsOf([1, 2, 3, -1]))).toEqual([0, 1, 2]);
  expect(places(partitionsOf([-1, -1]))).toEqual([0, 1]);
});

test("messages without keys pass over the partitions of a leader that is late", () => {
  const partitions = partitionsOf([1, 2, 1, 3]);
  expect(places(partitions, { ...nothing, late: new Set([0]) as never })).toEqual([1, 3]);
});

test("messages without keys wait for partitions that answer rather than go to one that does not", () => {
  const partitions = partitionsOf([1, 2]);
  partitions.lost(batchTo(0));
  expect(partitions.any({ ...nothing, busy: new Set([1]) as never })).toBeUndefined();
});

test("messages without keys go to any partition when no leader answers", () => {
  const partitions = partitionsOf([1, 2]);
  const late = new Set([0, 1]) as never;
  expect(places(partitions, { ...nothing, late })).toEqual([0, 1]);
});

test("a leader that lost a batch is passed over until one message a while later is written", () => {
  const partitions = partitionsOf([1, 2, 1, 3]);
  partitions.lost(batchTo(0));
  expect(places(partitions)).toEqual([1, 3]);
  vi.advanceTimersByTime(10_000);
  expect(partitions.any(nothing)).toEqual({ partition: 0, isTrial: true });
  expect(places(partitions)).toEqual([1, 3]);
  partitions.answered(batchTo(0));
  expect(places(partitions)).toEqual([0, 1, 2, 3]);
});

test("what one topic lost is known to the others", () => {
  const leaders = new Leaders();
  partitionsOf([1, 2], leaders).lost(batchTo(0));
  expect(places(partitionsOf([2, 1], leaders))).toEqual([0]);
});

test("a topic's only leader stays trusted after it lost a batch", () => {
  const leaders = new Leaders();
  partitionsOf([1, 1], leaders).lost(batchTo(0));
  expect(leaders.areAllTrusted).toBe(true);
});
