import type { PartitionMetadata } from "kafkajs";
import {
  type Batch,
  BatchLimit,
  batchSize,
  divide,
  type PartitionGroup,
  takeMessages,
} from "./batch.js";
import { type KafkaMessage, latest, type PendingMessage } from "./message.js";
import { type Leaders, Partitions } from "./partitions.js";
import { type Traffic, trafficOf } from "./traffic.js";

/** The messages of one topic that wait to be sent. Messages with the same key keep their order. */
export class PendingMessages {
  readonly #groups = new Map<PartitionGroup, Set<PendingMessage>>();
  readonly #partitions: Partitions;
  readonly #limit = new BatchLimit();
  #size = 0;
  /**
   * True if the present session has listed the partitions. Until then, those of the last session
   * are a guess.
   */
  #isTold = false;

  constructor(leaders: Leaders) {
    this.#partitions = new Partitions(leaders);
  }

  get size(): number {
    return this.#size;
  }

  /** The latest `until` of all messages. */
  get until(): number {
    return Math.max(0, ...[...this.#groups.values()].map(latest));
  }

  add(waiting: PendingMessage): void {
    const group = this.#partitions.groupOf(waiting.message.key);
    const queue = this.#groups.get(group);
    if (queue === undefined) this.#groups.set(group, new Set([waiting]));
    else queue.add(waiting);
    this.#size += 1;
  }

  /** @returns whether the message was waiting */
  remove(waiting: PendingMessage): boolean {
    const wasThere = [...this.#groups.values()].some((queue) => queue.delete(waiting));
    if (wasThere) this.#size -= 1;
    return wasThere;
  }

  /** Removes and returns all messages. */
  drain(): readonly PendingMessage[] {
    const all = [...this.#groups.values()].flatMap((queue) => [...queue]);
    this.#groups.clear();
    this.#size = 0;
    return all;
  }

  /** Puts the messages of a rejected batch before all others, to be sent in smaller batches. */
  putBack(batch: Batch, reason: "too large" | "one refused"): void {
    if (reason === "too large") this.#limit.shrink(batchSize(batch.messages));
    else divide(batch);
    this.#place(batch.callers);
  }

  /** Notes that a batch was written. */
  succeeded(batch: Batch): void {
    this.#limit.succeeded();
    this.#partitions.answered(batch);
  }

  /** Notes that a batch got no answer and will not get one. */
  lost(batch: Batch): void {
    this.#partitions.lost(batch);
  }

  /**
   * Takes the next batch that can be sent now; undefined if there is none.
   *
   * @param underWay batches of the present session
   * @param lingering batches of earlier sessions
   */
  take(underWay: ReadonlyMap<Batch, unknown>, lingering: readonly Batch[]): Batch | undefined {
    if (this.#size === 0 || (!this.#isTold && underWay.size > 0)) return undefined;
    const traffic = trafficOf(underWay.keys(), lingering);
    for (const [group, queue] of this.#groups) {
      if (queue.size === 0 || traffic.busy.has(group)) continue;
      const batch = this.#isTold
        ? this.#takeFrom(group, queue, traffic)
        : this.#alone(group, queue);
      if (batch !== undefined) return batch;
    }
    return undefined;
  }

  /** Stores the partitions that the present session listed. Returns whether they are new to it. */
  learn(partitions: PartitionMetadata[]): boolean {
    const isNews = !this.#isTold;
    this.#partitions.learn(partitions);
    this.#isTold = true;
    if (isNews) this.#place();
    return isNews;
  }

  /**
   * Chooses the partition of a message that was sent before its session knew the partitions.
   *
   * @param lingering batches of earlier sessions
   */
  choose(
    key: KafkaMessage["key"],
    partitions: PartitionMetadata[],
    lingering: readonly Batch[],
  ): number {
    return this.#partitions.choose(key, partitions, trafficOf([], lingering).late);
  }

  /** Notes that another session replaces the present one, so the partitions are a guess. */
  forget(): void {
    this.#isTold = false;
  }

  /** Assigns every message to its queue again. */
  #place(first: Iterable<PendingMessage> = []): void {
    for (const each of [...first, ...this.drain()]) this.add(each);
  }

  #takeFrom(
    group: PartitionGroup,
    queue: Set<PendingMessage>,
    traffic: Traffic,
  ): Batch | undefined {
    if (typeof group === "number") return this.#batch(group, group, queue, this.#limit.bytes);
    const choice = this.#partitions.any(traffic);
    if (choice?.isTrial) return this.#batch("trial", choice.partition, queue, 0);
    return choice && this.#batch(group, choice.partition, queue, this.#limit.bytes);
  }

  /** Takes a single message, with which the session learns the partitions. */
  #alone(group: PartitionGroup, queue: Set<PendingMessage>): Batch {
    return this.#batch(group, undefined, queue, 0);
  }

  #batch(
    group: Batch["group"],
    partition: number | undefined,
    queue: Set<PendingMessage>,
    maxBytes: number,
  ): Batch {
    const messages = takeMessages(queue, maxBytes);
    this.#size -= messages.length;
    return { group, partition, messages, callers: new Set(messages), since: performance.now() };
  }
}
