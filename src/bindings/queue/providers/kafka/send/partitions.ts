import kafkajs, { type PartitionMetadata } from "kafkajs";
import type { Batch, PartitionGroup } from "./batch.js";
import type { KafkaMessage } from "./message.js";
import type { Traffic } from "./traffic.js";

/** Where messages without keys go. */
export interface Choice {
  readonly partition: number;
  /** Whether its leader lost what went there before: one message is enough to see if it is back. */
  readonly isTrial: boolean;
}

type Key = KafkaMessage["key"];

/** A topic's partitions, and which of them a message goes to. */
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

  /** The partition of a message whose session has just been told of them. */
  choose(key: Key, partitions: readonly PartitionMetadata[], late: Traffic["late"]): number {
    if (key !== null) return ofKey(key, partitions);
    return this.#any(partitions, { busy: new Set(), late })?.partition ?? 0;
  }

  /** Another one each time; undefined: those that answer are all busy. */
  any(traffic: Traffic): Choice | undefined {
    return this.#any(this.#known ?? [], traffic);
  }

  /** A batch had no answer. That is of use where there is another leader. */
  lost({ partition }: Batch): void {
    const leader = this.#leaderOf(partition);
    if (leader === undefined || this.#known?.every((each) => each.leader === leader)) return;
    this.#leaders.distrust(leader);
  }

  /** A batch was written. */
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

/** As Kafka's own clients choose it. */
function ofKey(key: Buffer, partitions: readonly PartitionMetadata[]): number {
  // It reads neither the topic nor the value, and changes nothing.
  const partitionMetadata = partitions as PartitionMetadata[];
  return byKey({ topic: "", partitionMetadata, message: { key, value: null } });
}

/** Whether a partition of that leader should have answered. */
function isLate(all: readonly PartitionMetadata[], late: Traffic["late"], leader: number): boolean {
  if (late.size === 0) return false;
  return all.some((each) => each.leader === leader && late.has(each.partitionId));
}

/** How long a broker that lost a batch gets no message without a key, while others answer. */
export const avoidMs = 10_000;

/** The brokers of a cluster that lead partitions, by their numbers: which of them answer. */
export class Leaders {
  /** Those that lost a batch, and when. */
  readonly #lost = new Map<number, number>();

  get areAllTrusted(): boolean {
    return this.#lost.size === 0;
  }

  isTrusted(leader: number): boolean {
    return !this.#lost.has(leader);
  }

  /** Whether it is time to try one that lost a batch. */
  isDue(leader: number): boolean {
    const lostAt = this.#lost.get(leader);
    return lostAt !== undefined && performance.now() - lostAt >= avoidMs;
  }

  /** A batch had no answer, or is sent to find out. */
  distrust(leader: number): void {
    this.#lost.set(leader, performance.now());
  }

  /** A batch was written. */
  trust(leader: number): void {
    this.#lost.delete(leader);
  }
}
