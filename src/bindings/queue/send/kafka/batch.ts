import { batchOverhead, recordSize } from "./record-size.js";
import type { Waiting } from "./waiting.js";

/** Where messages wait for their batch: a partition's number; `any` for those without a key; `unknown` while no partitions are known. */
export type Slot = number | "any" | "unknown";

/** Of messages without a key, which have no order to keep; a `trial` is one of them, and shows if a broker is back. */
const unordered: ReadonlySet<Batch["slot"]> = new Set(["any", "trial"] as const);

/** Messages that are sent together: to one partition, so that the broker's answer is of them all. */
export interface Batch {
  /** Where its messages waited. */
  readonly slot: Slot | "trial";
  /** Undefined: it is not chosen yet. */
  partition: number | undefined;
  readonly messages: readonly Waiting[];
  /** Those of its messages whose calls still wait. */
  readonly callers: Set<Waiting>;
  /** When it was sent (`performance.now()`). */
  readonly since: number;
}

/** kafkajs copies a batch once for each of its messages. */
const mostMessages = 256;

/** As many as go into one batch, the first at least; they leave the queue. */
export function takeMessages(queue: Set<Waiting>, mostBytes: number): readonly Waiting[] {
  const taken: Waiting[] = [];
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
export function batchSize(messages: readonly Waiting[]): number {
  return messages.reduce((total, { message }) => total + recordSize(message), batchOverhead);
}

/** Whether later messages must not overtake it. */
export function isOrdered({ slot }: Batch): boolean {
  return !unordered.has(slot);
}

/** The messages of a batch that was refused go with half as many from now on. */
export function divide({ messages, callers }: Batch): void {
  const most = Math.ceil(messages.length / 2);
  for (const each of callers) each.most = most;
}
