/** Choice of a message's partition. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Batch } from "../../../../src/bindings/queue/providers/kafka/send/batch.js";
import {
  Leaders,
  Partitions,
} from "../../../../src/bindings/queue/providers/kafka/send/partitions.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

const nothing = { busy: new Set<never>(), late: new Set<never>() };

/** The partitions of a topic with these leaders. */
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

/** The partitions that this number of batches without keys go to. */
function places(partitions: Partitions, traffic = nothing, count = 12) {
  const all = Array.from({ length: count }, () => partitions.any(traffic)?.partition);
  return [...new Set(all)].toSorted();
}

test("a key goes to the partition that Kafka's Java client chooses", () => {
  const partitions = partitionsOf([1, 1, 1, 1, 1, 1, 1]);
  // The hashes are from Kafka's UtilsTest.
  const hashes = { "21": -973932308, foobar: -790332482, "a-little-bit-long-string": -985981536 };
  for (const [key, hash] of Object.entries(hashes))
    expect(partitions.groupOf(Buffer.from(key))).toBe((hash & 0x7fff_ffff) % 7);
});

test("messages without keys go to all partitions with a leader", () => {
  expect(places(partitionsOf([1, 2, 3, -1]))).toEqual([0, 1, 2]);
  expect(places(partitionsOf([-1, -1]))).toEqual([0, 1]);
});

test("messages without keys skip the partitions of a late leader", () => {
  const partitions = partitionsOf([1, 2, 1, 3]);
  expect(places(partitions, { ...nothing, late: new Set([0]) as never })).toEqual([1, 3]);
});

test("messages without keys wait for partitions that answer, and do not go to a silent one", () => {
  const partitions = partitionsOf([1, 2]);
  partitions.lost(batchTo(0));
  expect(partitions.any({ ...nothing, busy: new Set([1]) as never })).toBeUndefined();
});

test("messages without keys go to any partition if no leader answers", () => {
  const partitions = partitionsOf([1, 2]);
  const late = new Set([0, 1]) as never;
  expect(places(partitions, { ...nothing, late })).toEqual([0, 1]);
});

test("a leader that lost a batch is skipped until one later message is written", () => {
  const partitions = partitionsOf([1, 2, 1, 3]);
  partitions.lost(batchTo(0));
  expect(places(partitions)).toEqual([1, 3]);
  vi.advanceTimersByTime(10_000);
  expect(partitions.any(nothing)).toEqual({ partition: 0, isTrial: true });
  expect(places(partitions)).toEqual([1, 3]);
  partitions.answered(batchTo(0));
  expect(places(partitions)).toEqual([0, 1, 2, 3]);
});

test("topics share what they know about a leader that lost a batch", () => {
  const leaders = new Leaders();
  partitionsOf([1, 2], leaders).lost(batchTo(0));
  expect(places(partitionsOf([2, 1], leaders))).toEqual([0]);
});

test("a topic's only leader stays trusted after it lost a batch", () => {
  const leaders = new Leaders();
  partitionsOf([1, 1], leaders).lost(batchTo(0));
  expect(leaders.areAllTrusted).toBe(true);
});
