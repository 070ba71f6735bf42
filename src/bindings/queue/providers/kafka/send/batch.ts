import { usableShare } from "../../../send/deadline.js";
import type { KafkaReceipt } from "../contract.js";

/** Where messages wait for their batch: a partition's number; `any` for those without a key; `unknown` while no partitions are known. */
export type PartitionGroup = number | "any" | "unknown";

/** Of messages without a key, which have no order to keep; a `trial` is one of them, and shows if a broker is back. */
const unordered: ReadonlySet<Batch["group"]> = new Set(["any", "trial"] as const);

/** Messages that are sent together: to one partition, so that the broker's answer is of them all. */
export interface Batch {
  /** Where its messages waited. */
  readonly group: PartitionGroup | "trial";
  /** Undefined: it is not chosen yet. */
  partition: number | undefined;
  readonly messages: readonly PendingMessage[];
  /** Those of its messages whose calls still wait. */
  readonly callers: Set<PendingMessage>;
  /** When it was sent (`performance.now()`). */
  readonly since: number;
}

/** kafkajs copies a batch once for each of its messages. */
const mostMessages = 256;

/** As many as go into one batch, the first at least; they leave the queue. */
export function takeMessages(
  queue: Set<PendingMessage>,
  mostBytes: number,
): readonly PendingMessage[] {
  const taken: PendingMessage[] = [];
  let bytes = batchOverhead;
  let most = mostMessages;
  const isAlone = queue.size === 1;
  for (const each of queue) {
    if (each.most !== undefined) most = Math.min(most, each.most);
    // Measuring a message costs a part of what sending it does.
    if (!isAlone) bytes += recordSize(each.message);
    if (taken.length > 0 && (bytes > mostBytes || taken.length >= most)) break;
    taken.push(each);
    queue.delete(each);
  }
  return taken;
}

/** Bytes of the record batch that messages make. */
export function batchSize(messages: readonly PendingMessage[]): number {
  return messages.reduce((total, { message }) => total + recordSize(message), batchOverhead);
}

/** Whether later messages must not overtake it. */
function isOrdered({ group }: Batch): boolean {
  return !unordered.has(group);
}

/** The messages of a batch that was refused go with half as many from now on. */
export function divide({ messages, callers }: Batch): void {
  const most = Math.ceil(messages.length / 2);
  for (const each of callers) each.most = most;
}

/** A message, and the call that waits for its receipt. */
export interface PendingMessage {
  readonly message: KafkaMessage;
  /** The last moment to try (`performance.now()`). */
  readonly until: number;
  readonly resolve: (receipt: KafkaReceipt) => void;
  readonly reject: (error: Error) => void;
  /** How many messages a batch with it may have; undefined: as many as any. */
  most?: number;
}

/** @param remainingMs of an attempt; undefined: it has no limit */
export function lastMoment(remainingMs = Infinity): number {
  return performance.now() + remainingMs * usableShare;
}

/** The last moment of them all. */
export function latest(all: Iterable<PendingMessage>): number {
  let last = 0;
  for (const { until } of all) last = Math.max(last, until);
  return last;
}

/** How long an answer may take before messages without keys go elsewhere. */
const lateMs = 500;

/** What is under way, as far as it says where other messages may go. */
export interface Traffic {
  /** The groups and partitions whose messages wait until it is over. */
  readonly busy: ReadonlySet<Batch["group"] | undefined>;
  /** The partitions that should have answered by now. */
  readonly late: ReadonlySet<number | undefined>;
}

/** Whether it should have its answer by now. */
export function isLate({ since }: Batch): boolean {
  return performance.now() - since >= lateMs;
}

/**
 * @param underWay in the present session
 * @param lingering in those before it
 */
export function trafficOf(underWay: Iterable<Batch>, lingering: Iterable<Batch>): Traffic {
  const busy = new Set<Batch["group"] | undefined>();
  const late = new Set<number | undefined>();
  for (const batch of lingering) {
    const { group, partition } = batch;
    if (isOrdered(batch)) busy.add(group).add(partition);
    if (isLate(batch)) late.add(partition);
  }
  for (const batch of underWay) {
    const { group, partition } = batch;
    const isOverdue = isLate(batch);
    if (isOverdue) late.add(partition);
    if (!isOverdue || isOrdered(batch)) busy.add(group);
    busy.add(partition);
  }
  return { busy, late };
}

/** A message as kafkajs takes it. */
export interface KafkaMessage {
  readonly key: Buffer | null;
  readonly value: Buffer;
  /** A name may have several values. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** Bytes of a record batch before its first record: what brokers hold against their limit is the batch. */
const batchOverhead = 61;

const attributesAndDeltas = 1 + 1 + 3;

/** Bytes that a message takes in a record batch, at most: its place in the batch is taken for the largest. */
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

/** Bytes of a count, zigzag-encoded: seven bits in each. */
function varint(count: number): number {
  let size = 1;
  for (let most = 63; count > most; most = most * 128 + 127) size += 1;
  return size;
}
