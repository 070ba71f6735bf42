import { usableShare } from "../../../send/deadline.js";
import type { KafkaReceipt } from "../contract.js";

/** A message in the form of kafkajs. */
export interface KafkaMessage {
  readonly key: Buffer | null;
  readonly value: Buffer;
  /** A header name may have several values. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** A message, and the call that waits for its receipt. */
export interface PendingMessage {
  readonly message: KafkaMessage;
  /** Time of the last try (`performance.now()`). */
  readonly until: number;
  readonly resolve: (receipt: KafkaReceipt) => void;
  readonly reject: (error: Error) => void;
  /** Maximum number of messages in a batch with this one; undefined for the usual maximum. */
  most?: number;
}

/** @param remainingMs time left in an attempt; undefined if it has no limit */
export function lastMoment(remainingMs = Infinity): number {
  return performance.now() + remainingMs * usableShare;
}

/** The latest `until` of all messages. */
export function latest(all: Iterable<PendingMessage>): number {
  let last = 0;
  for (const { until } of all) last = Math.max(last, until);
  return last;
}

const attributesAndDeltas = 1 + 1 + 3;

/**
 * Maximum size of a message in a record batch, in bytes. Its position in the batch counts with the
 * largest encoding.
 */
export function recordSize({ key, value, headers }: KafkaMessage): number {
  let bytes = attributesAndDeltas + (key === null ? 1 : sized(key.length)) + sized(value.length);
  let pairs = 0;
  for (const name of Object.keys(headers)) {
    const values = headers[name] ?? [];
    if (typeof values === "string") {
      bytes += pairSize(name, values);
      pairs += 1;
    } else {
      for (const each of values) bytes += pairSize(name, each);
      pairs += values.length;
    }
  }
  return sized(varint(pairs) + bytes);
}

function pairSize(name: string, value: string): number {
  return sized(Buffer.byteLength(name)) + sized(Buffer.byteLength(value));
}

function sized(bytes: number): number {
  return varint(bytes) + bytes;
}

/** Size of a count in bytes: zigzag-encoded, with seven bits in each byte. */
function varint(count: number): number {
  let size = 1;
  for (let most = 63; count > most; most = most * 128 + 127) size += 1;
  return size;
}
