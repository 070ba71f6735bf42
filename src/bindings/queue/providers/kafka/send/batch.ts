import { type PendingMessage, recordSize } from "./message.js";

/**
 * The queue in which a message waits for its batch: a partition's number; `any` for messages
 * without a key; `unknown` while the partitions are unknown.
 */
export type PartitionGroup = number | "any" | "unknown";

/**
 * Messages that are sent together. All go to one partition, so the broker's answer covers the whole
 * batch.
 */
export interface Batch {
  /** The group in which the messages waited. */
  readonly group: PartitionGroup | "trial";
  /** Undefined until a partition is chosen. */
  partition: number | undefined;
  readonly messages: readonly PendingMessage[];
  /** The messages whose calls still wait. */
  readonly callers: Set<PendingMessage>;
  /** When it was sent (`performance.now()`). */
  readonly since: number;
}

/** kafkajs copies a batch once for each of its messages. */
const maxMessages = 256;

/** Removes the messages of the next batch from the queue: at least one, and as many as fit. */
export function takeMessages(
  queue: Set<PendingMessage>,
  maxBytes: number,
): readonly PendingMessage[] {
  const taken: PendingMessage[] = [];
  let bytes = batchOverhead;
  let most = maxMessages;
  const isAlone = queue.size === 1;
  for (const each of queue) {
    if (each.most !== undefined) most = Math.min(most, each.most);
    // Measuring a message takes time, and a single message needs no measuring.
    if (!isAlone) bytes += recordSize(each.message);
    if (taken.length > 0 && (bytes > maxBytes || taken.length >= most)) break;
    taken.push(each);
    queue.delete(each);
  }
  return taken;
}

/**
 * Bytes of a record batch before its first record. Brokers apply their size limit to the whole
 * batch.
 */
const batchOverhead = 61;

/** Size of a record batch with these messages, in bytes. */
export function batchSize(messages: readonly PendingMessage[]): number {
  return messages.reduce((total, { message }) => total + recordSize(message), batchOverhead);
}

/** Limits the messages of a rejected batch to batches with half as many messages. */
export function divide({ messages, callers }: Batch): void {
  const most = Math.ceil(messages.length / 2);
  for (const each of callers) each.most = most;
}

/** Half of the brokers' default limit, in bytes. */
const usualBytes = 512 * 1024;

/**
 * A topic's limit may be raised, so larger batches are tried again. If it was not raised, each
 * trial costs one rejected batch.
 */
const growMs = 60_000;

/** Limits the size of a topic's batches. */
export class BatchLimit {
  #bytes = usualBytes;
  #changedAt = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** Halves the batch size for a while, because a batch of this size was too large. */
  shrink(batchBytes: number): void {
    this.#set(Math.min(this.#bytes, Math.floor(batchBytes / 2)));
  }

  /** Doubles the batch size if a batch was written and the size has not changed for a while. */
  succeeded(): void {
    if (this.#bytes < usualBytes && performance.now() - this.#changedAt >= growMs)
      this.#set(Math.min(usualBytes, this.#bytes * 2));
  }

  #set(bytes: number): void {
    this.#bytes = bytes;
    this.#changedAt = performance.now();
  }
}
