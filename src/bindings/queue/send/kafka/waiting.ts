import type { KafkaReceipt } from "../../contract.js";
import { usableShare } from "../usable-share.js";
import { batchOverhead, recordSize } from "./record-size.js";
import type { KafkaMessage } from "./record-size.js";

/** A message, and the call that waits for its receipt. */
export interface Waiting {
  readonly message: KafkaMessage;
  /** The last moment to try (`performance.now()`). */
  readonly until: number;
  readonly resolve: (receipt: KafkaReceipt) => void;
  readonly reject: (error: Error) => void;
}

/** @param remainingMs of an attempt; undefined: it has no limit */
export function lastMoment(remainingMs = Infinity): number {
  return performance.now() + remainingMs * usableShare;
}

/** The last moment of them all. */
export function latest(all: Iterable<Waiting>): number {
  let last = 0;
  for (const { until } of all) last = Math.max(last, until);
  return last;
}

/** kafkajs copies a batch once for each of its messages. */
const mostMessages = 256;

/** As many as go into one batch, the first at least; they leave the queue. */
export function takeBatch(queue: Set<Waiting>, mostBytes: number): readonly Waiting[] {
  const batch: Waiting[] = [];
  let bytes = batchOverhead;
  const isAlone = queue.size === 1;
  for (const each of queue) {
    // Measuring a message costs a part of what sending it does.
    if (!isAlone) bytes += recordSize(each.message);
    if (batch.length > 0 && (bytes > mostBytes || batch.length === mostMessages)) break;
    batch.push(each);
    queue.delete(each);
  }
  return batch;
}

/** Bytes of the record batch that messages make. */
export function batchSize(messages: readonly Waiting[]): number {
  return messages.reduce((total, { message }) => total + recordSize(message), batchOverhead);
}
