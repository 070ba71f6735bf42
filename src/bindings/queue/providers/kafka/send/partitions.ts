import kafkajs, { type PartitionMetadata } from "kafkajs";
import type { Batch, PartitionGroup } from "./batch.js";
import type { KafkaMessage } from "./message.js";
import type { Traffic } from "./traffic.js";

/** The partition for messages without keys. */
export interface Choice {
  readonly partition: number;
  /**
   * True if its leader lost an earlier batch. One message is enough to see whether the leader
   * answers again.
   */
  readonly isTrial: boolean;
}

type Key = KafkaMessage["key"];

/** The partitions of a topic; chooses one for each message. */
export class Partitions {
  readonly #leaders: Leaders;
  #known: readonly PartitionMetadata[] | undefined;
  #turn = Math.floor(Math.random() * 2 ** 16);

  constructor(leaders: Leaders) {
    this.#leaders = leaders;
  }

  learn(partitions: readonly PartitionMetadata[]): void {
    this.#known = partitions;
  }

  groupOf(key: Key): PartitionGroup {
    if (key === null) return "any";
    return this.#known === undefined ? "unknown" : ofKey(key, this.#known);
  }

  /** Chooses the partition of a message whose session has just learned the partitions. */
  choose(key: Key, partitions: readonly PartitionMetadata[], late: Traffic["late"]): number {
    if (key !== null) return ofKey(key, partitions);
    return this.#any(partitions, { busy: new Set(), late })?.partition ?? 0;
  }

  /** Chooses the next free partition; undefined if all that answer are busy. */
  any(traffic: Traffic): Choice | undefined {
    return this.#any(this.#known ?? [], traffic);
  }

  /**
   * Notes that a batch got no answer. Avoiding its leader only helps if the topic has another
   * leader.
   */
  lost({ partition }: Batch): void {
    const leader = this.#leaderOf(partition);
    if (leader === undefined || this.#known?.every((each) => each.leader === leader)) return;
    this.#leaders.distrust(leader);
  }

  /** Notes that a batch was written. */
  answered({ partition }: Batch): void {
    if (this.#leaders.areAllTrusted) return;
    const leader = this.#leaderOf(partition);
    if (leader !== undefined) this.#leaders.trust(leader);
  }

  #leaderOf(partition: number | undefined): number | undefined {
    return this.#known?.find(({ partitionId }) => partitionId === partition)?.leader;
  }

  #any(all: readonly PartitionMetadata[], { busy, late }: Traffic): Choice | undefined {
    const led = all.filter(({ leader }) => leader >= 0);
    const usable = led.length > 0 ? led : all;
    const answering = usable.filter(({ leader }) => !isLate(all, late, leader));
    const isFree = ({ partitionId }: PartitionMetadata) => !busy.has(partitionId);
    const due = answering.find((each) => this.#leaders.isDue(each.leader) && isFree(each));
    if (due !== undefined) {
      this.#leaders.distrust(due.leader);
      return { partition: due.partitionId, isTrial: true };
    }
    const trusted = answering.filter(({ leader }) => this.#leaders.isTrusted(leader));
    const best = [trusted, answering, usable].find(({ length }) => length > 0) ?? [];
    return this.#next(best.filter(isFree));
  }

  #next(free: readonly PartitionMetadata[]): Choice | undefined {
    this.#turn += 1;
    const next = free[this.#turn % free.length];
    return next && { partition: next.partitionId, isTrial: false };
  }
}

const byKey = kafkajs.Partitioners.DefaultPartitioner();

/** Chooses a key's partition in the same way as Kafka's own clients. */
function ofKey(key: Buffer, partitions: readonly PartitionMetadata[]): number {
  // The partitioner reads neither the topic nor the value, and doesn't change the metadata.
  const partitionMetadata = partitions as PartitionMetadata[];
  return byKey({ topic: "", partitionMetadata, message: { key, value: null } });
}

/** Returns whether an answer of this leader is overdue for any partition. */
function isLate(all: readonly PartitionMetadata[], late: Traffic["late"], leader: number): boolean {
  if (late.size === 0) return false;
  return all.some((each) => each.leader === leader && late.has(each.partitionId));
}

/** How long messages without a key avoid a broker that lost a batch, if other brokers answer. */
export const avoidMs = 10_000;

/** The brokers that lead partitions, by id, and which of them lost batches. */
export class Leaders {
  /** Time of the loss (`performance.now()`) by leader. */
  readonly #lost = new Map<number, number>();

  get areAllTrusted(): boolean {
    return this.#lost.size === 0;
  }

  isTrusted(leader: number): boolean {
    return !this.#lost.has(leader);
  }

  /** Returns whether it is time to try a distrusted leader again. */
  isDue(leader: number): boolean {
    const lostAt = this.#lost.get(leader);
    return lostAt !== undefined && performance.now() - lostAt >= avoidMs;
  }

  /** Notes that a batch got no answer, or that a trial begins. */
  distrust(leader: number): void {
    this.#lost.set(leader, performance.now());
  }

  /** Notes that a batch was written. */
  trust(leader: number): void {
    this.#lost.delete(leader);
  }
}
