/** Number of messages in a batch. */
import { createRequire } from "node:module";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  BatchLimit,
  batchSize,
  divide,
  takeMessages,
} from "../../../../src/bindings/queue/providers/kafka/send/batch.js";
import {
  type PendingMessage,
  recordSize,
} from "../../../../src/bindings/queue/providers/kafka/send/message.js";
import { unicodeText } from "../../../support/unicode-text.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

function waiting(bytes = 10): PendingMessage {
  const message = { key: null, value: Buffer.alloc(bytes), headers: {} };
  return { message, until: 0, resolve: () => {}, reject: () => {} };
}

const several = (count: number, bytes?: number) =>
  Array.from({ length: count }, () => waiting(bytes));

/** The lengths of the batches that messages make. */
function lengths(messages: readonly PendingMessage[], maxBytes = 1e6): readonly number[] {
  const queue = new Set(messages);
  const all: number[] = [];
  while (queue.size > 0) all.push(takeMessages(queue, maxBytes).length);
  return all;
}

test("a batch has 256 messages at most, and as many as its bytes allow", () => {
  expect(lengths(several(600))).toEqual([256, 256, 88]);
  expect(lengths(several(5, 100), 61 + 2 * 120)).toEqual([2, 2, 1]);
  expect(lengths(several(3, 100), 50)).toEqual([1, 1, 1]);
});

test("only messages of a rejected batch go in smaller batches", () => {
  const refused = several(10);
  const batch = { group: 0, partition: 0, messages: refused, callers: new Set(refused), since: 0 };
  divide(batch);
  expect(lengths([...refused, ...several(20)])).toEqual([5, 5, 20]);
});

test("the byte limit is halved after a batch that is too large, and grows again later", () => {
  const limit = new BatchLimit();
  const usual = limit.bytes;
  limit.shrink(300_000);
  expect(limit.bytes).toBe(150_000);
  limit.shrink(400_000);
  expect(limit.bytes).toBe(150_000);
  limit.succeeded();
  expect(limit.bytes).toBe(150_000);
  const grown = [];
  for (let minute = 0; minute < 3; minute += 1) {
    vi.advanceTimersByTime(60_000);
    limit.succeeded();
    limit.succeeded();
    grown.push(limit.bytes);
  }
  expect(grown).toEqual([300_000, usual, usual]);
});

/** kafkajs' own encoder, which has no types. */
const Record = createRequire(import.meta.url)("kafkajs/src/protocol/recordBatch/record/v0") as (
  record: object,
) => { size(): number };

test("the computed size of a message is the size that kafkajs encodes at the last place of the largest batch", () => {
  const text = unicodeText({ maxLength: 200 });
  const headers = fc.dictionary(text, fc.oneof(text, fc.array(text)), { maxKeys: 70 });
  const bytes = fc.uint8Array({ maxLength: 20_000 }).map((each) => Buffer.from(each));
  fc.assert(
    fc.property(fc.record({ key: fc.option(bytes), value: bytes, headers }), (message) => {
      const theirs = Record(message).size();
      const ours = recordSize(message);
      expect(ours - theirs).toBeGreaterThanOrEqual(0);
      expect(ours - theirs).toBeLessThanOrEqual(3);
      const all = [{ ...waiting(), message }];
      expect(batchSize(all)).toBe(61 + ours);
    }),
    { numRuns: 50 },
  );
});
