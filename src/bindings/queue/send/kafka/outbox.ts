import type { PartitionMetadata } from "kafkajs";
import { choosePartition } from "./session.js";
import { batchSize, latest, takeBatch } from "./waiting.js";
import type { Waiting } from "./waiting.js";

/** Half of what brokers take unless they are told otherwise. */
const usualBytes = 512 * 1024;

/** A partition's number; `any` for messages without a key; `unknown` while no partitions are known. */
export type Slot = number | "any" | "unknown";

/** Messages that are sent together: to one partition, so that the broker's answer is of them all. */
export interface Batch {
  readonly slot: Slot;
  /** Undefined: it is not chosen yet. */
  partition: number | undefined;
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
  /** Whether they are those that the present session was told of; those of the last one are a guess. */
  #isTold = false;
  #mostBytes = usualBytes;
  #turn = 0;

  constructor(topic: string) {
    this.#topic = topic;
  }

  get size(): number {
    return this.#queues.size;
  }

  /** The last moment of them all. */
  get until(): number {
    return latest(this.#queues.keys());
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

  /**
   * What can be sent now; undefined: nothing.
   *
   * @param underWay in the present session
   * @param lingering in those before it
   */
  take(underWay: ReadonlyMap<Batch, unknown>, lingering: Iterable<Batch>): Batch | undefined {
    const busy = new Set<Slot | undefined>();
    // Messages without keys have no order to keep.
    for (const { slot, partition } of lingering) if (slot !== "any") busy.add(slot).add(partition);
    if (!this.#isTold) return underWay.size > 0 ? undefined : this.#takeAhead(busy);
    for (const { slot, partition } of underWay.keys()) busy.add(slot).add(partition);
    for (const [slot, queue] of this.#slots) {
      if (queue.size === 0 || busy.has(slot)) continue;
      const partition = typeof slot === "number" ? slot : this.#freePartition(busy);
      if (partition !== undefined) return this.#batch(slot, partition, this.#mostBytes);
    }
    return undefined;
  }

  /** One message alone, with which the session learns of the partitions. */
  #takeAhead(busy: ReadonlySet<Slot | undefined>): Batch | undefined {
    for (const [slot, queue] of this.#slots)
      if (queue.size > 0 && !busy.has(slot)) return this.#batch(slot, undefined, 0);
    return undefined;
  }

  /** Takes note of the partitions that the present session was told of; says whether that was new to it. */
  learn(partitions: PartitionMetadata[]): boolean {
    const isNews = !this.#isTold;
    this.#partitions = partitions;
    this.#isTold = true;
    if (isNews) this.#place();
    return isNews;
  }

  /** Another session takes the place of the present one. */
  forget(): void {
    this.#isTold = false;
  }

  /** Queues all anew. */
  #place(first: Iterable<Waiting> = []): void {
    for (const each of [...first, ...this.drain()]) this.add(each);
  }

  #slotOf({ message: { key, value } }: Waiting): Slot {
    const partitionMetadata = this.#partitions;
    if (partitionMetadata === undefined) return "unknown";
    if (key === null) return "any";
    return choosePartition({ topic: this.#topic, partitionMetadata, message: { key, value } });
  }

  /** Another one each time, of those with a leader if there are any. */
  #freePartition(busy: ReadonlySet<Slot | undefined>): number | undefined {
    const all = this.#partitions ?? [];
    const led = all.filter(({ leader }) => leader >= 0);
    const free = (led.length > 0 ? led : all).filter(({ partitionId }) => !busy.has(partitionId));
    if (free.length === 0) return undefined;
    this.#turn += 1;
    return free[this.#turn % free.length]?.partitionId;
  }

  #batch(slot: Slot, partition: number | undefined, mostBytes: number): Batch {
    const messages = takeBatch(this.#slots.get(slot) ?? new Set(), mostBytes);
    for (const each of messages) this.#queues.delete(each);
    return { slot, partition, messages, callers: new Set(messages) };
  }
}
