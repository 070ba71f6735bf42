import { type PendingMessage, recordSize } from "./message.js";

/**
 * Where messages wait for their batch: a partition's number; `any` for those without a key;
 * `unknown` while no partitions are known.
 */
export type PartitionGroup = number | "any" | "unknown";

/**
 * Messages that are sent together: to one partition, so that the broker's answer is of them all.
 */
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
const maxMessages = 256;

/** As many as go into one batch, the first at least; they leave the queue. */
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
    // Measuring a message costs a part of what sending it does.
    if (!isAlone) bytes += recordSize(each.message);
    if (taken.length > 0 && (bytes > maxBytes || taken.length >= most)) break;
    taken.push(each);
    queue.delete(each);
  }
  return taken;
}

/**
 * Bytes of a record batch before its first record: what brokers hold against their limit is the
 * batch.
 */
const batchOverhead = 61;

/** Bytes of the record batch that messages make. */
export function batchSize(messages: readonly PendingMessage[]): number {
  return messages.reduce((total, { message }) => total + recordSize(message), batchOverhead);
}

/** The messages of a batch that was refused go with half as many from now on. */
export function divide({ messages, callers }: Batch): void {
  const most = Math.ceil(messages.length / 2);
  for (const each of callers) each.most = most;
}

/** Bytes. Half of what brokers take by default. */
const usualBytes = 512 * 1024;

/** A topic's limit may be raised; one that isn't costs a batch that is refused each time. */
const growMs = 60_000;

/** How large a topic's batches may be. */
export class BatchLimit {
  #bytes = usualBytes;
  #changedAt = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** A batch of so many bytes was too large: others are half as large for a while. */
  shrink(batchBytes: number): void {
    this.#set(Math.min(this.#bytes, Math.floor(batchBytes / 2)));
  }

  /** A batch was written. */
  succeeded(): void {
    if (this.#bytes < usualBytes && performance.now() - this.#changedAt >= growMs)
      this.#set(Math.min(usualBytes, this.#bytes * 2));
  }

  #set(bytes: number): void {
    this.#bytes = bytes;
    this.#changedAt = performance.now();
  }
}
