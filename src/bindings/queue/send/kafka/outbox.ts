import type { PartitionMetadata } from "kafkajs";
import { choosePartition } from "./session.js";
import { batchSize, takeBatch } from "./waiting.js";
import type { Waiting } from "./waiting.js";

/** Half of what brokers take unless they are told otherwise. */
const usualBytes = 512 * 1024;

/** A partition's number; `any` for messages without a key; `first` for the one that is sent to learn of the partitions. */
export type Slot = number | "any" | "first";

/** Messages that are sent together: to one partition, so that the broker's answer is of them all. */
export interface Batch {
  readonly slot: Slot;
  /** Undefined: not known yet. */
  readonly partition: number | undefined;
  readonly messages: readonly Waiting[];
  /** Those of its messages whose calls still wait. */
  readonly callers: Set<Waiting>;
}

/** The messages of one topic that wait to be sent. Those of one key keep their order. */
export class Outbox {
  readonly #topic: string;
  readonly #slots = new Map<Slot, Set<Waiting>>();
  /** Where each is, in the order of arrival. */
  readonly #queues = new Map<Waiting, Set<Waiting>>();
  #partitions: PartitionMetadata[] | undefined;
  #mostBytes = usualBytes;
  #turn = 0;

  constructor(topic: string) {
    this.#topic = topic;
  }

  get size(): number {
    return this.#queues.size;
  }

  /** The longest that one of them may wait; Infinity when one has no limit. */
  get longestMs(): number {
    const limits = [...this.#queues.keys()].map(({ timeoutMs }) => timeoutMs ?? Infinity);
    return limits.reduce((longest, each) => Math.max(longest, each), 0);
  }

  add(waiting: Waiting): void {
    const slot = this.#slotOf(waiting);
    const queue = this.#slots.get(slot) ?? new Set();
    this.#slots.set(slot, queue.add(waiting));
    this.#queues.set(waiting, queue);
  }

  /** Whether it was there. */
  remove(waiting: Waiting): boolean {
    this.#queues.get(waiting)?.delete(waiting);
    return this.#queues.delete(waiting);
  }

  /** Gives and removes all. */
  drain(): readonly Waiting[] {
    const all = [...this.#queues.keys()];
    this.#slots.clear();
    this.#queues.clear();
    return all;
  }

  /** Puts those of a failed batch before all others; batches are half as large from now on. */
  putBack({ messages, callers }: Batch): void {
    this.#mostBytes = Math.min(this.#mostBytes, Math.floor(batchSize(messages) / 2));
    this.#place(callers);
  }

  /** What can be sent beside what is under way; undefined: nothing. */
  take(underWay: ReadonlySet<Batch>): Batch | undefined {
    if (this.#partitions === undefined)
      return this.size > 0 && underWay.size === 0 ? this.#batch("first", undefined, 0) : undefined;
    const busy = new Set<Slot | undefined>();
    for (const { slot, partition } of underWay) busy.add(slot).add(partition);
    for (const [slot, queue] of this.#slots) {
      if (queue.size === 0 || busy.has(slot)) continue;
      const partition = typeof slot === "number" ? slot : this.#freePartition(busy);
      if (partition !== undefined) return this.#batch(slot, partition, this.#mostBytes);
    }
    return undefined;
  }

  /** Takes note of the topic's partitions. */
  learn(partitions: PartitionMetadata[]): void {
    const isFirst = this.#partitions === undefined;
    this.#partitions = partitions;
    if (isFirst) this.#place();
  }

  /** Partitions are not to be relied on any more. */
  forget(): void {
    if (this.#partitions === undefined) return;
    this.#partitions = undefined;
    this.#place();
  }

  /** Queues all anew. */
  #place(first: Iterable<Waiting> = []): void {
    for (const each of [...first, ...this.drain()]) this.add(each);
  }

  #slotOf({ message: { key, value } }: Waiting): Slot {
    const partitionMetadata = this.#partitions;
    if (partitionMetadata === undefined) return "first";
    if (key === null) return "any";
    return choosePartition({ topic: this.#topic, partitionMetadata, message: { key, value } });
  }

  /** Another one each time. */
  #freePartition(busy: ReadonlySet<Slot | undefined>): number | undefined {
    const free = this.#partitions?.filter(
      (each) => each.leader >= 0 && !busy.has(each.partitionId),
    );
    if (free === undefined || free.length === 0) return undefined;
    this.#turn += 1;
    return free[this.#turn % free.length]?.partitionId;
  }

  #batch(slot: Slot, partition: number | undefined, mostBytes: number): Batch {
    const messages = takeBatch(this.#slots.get(slot) ?? new Set(), mostBytes);
    for (const each of messages) this.#queues.delete(each);
    return { slot, partition, messages, callers: new Set(messages) };
  }
}
