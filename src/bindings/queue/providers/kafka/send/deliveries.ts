import type { WriteOutcome } from "../../../../../runtime/executor.js";
import { readKafkaFailure, isUnwritten } from "./failures.js";
import type { Produce } from "./repair.js";

/** The deliveries of one session. Each partition has at most one delivery under way. */
export class Deliveries implements Requests {
  readonly #written: () => number;
  readonly #byPartition = new Map<number, Delivery>();
  /** The delivery whose partition is not chosen yet. */
  #unplaced: Delivery | undefined;
  #seen = 0;
  #areRecognized = true;

  /** @param written counts the write requests that were handed to a connection */
  constructor(written: () => number) {
    this.#written = written;
  }

  get written(): number {
    return this.#written();
  }

  get areSeen(): boolean {
    return this.#areRecognized && this.#written() <= this.#seen;
  }

  /** Notes that write requests can't be observed from now on. */
  lose(): void {
    this.#areRecognized = false;
  }

  /** @param partition undefined until `place` sets it */
  start(partition: number | undefined): Delivery {
    const delivery = new Delivery(partition, this);
    if (partition === undefined) this.#unplaced = delivery;
    else this.#byPartition.set(partition, delivery);
    return delivery;
  }

  /** Sets the partition of the delivery that has none yet. */
  place(partition: number): void {
    if (this.#unplaced === undefined) return;
    this.#unplaced.partition = partition;
    this.#byPartition.set(partition, this.#unplaced);
    this.#unplaced = undefined;
  }

  /** Makes a write request. A request that can't be matched to one delivery may belong to any. */
  readonly request: Produce = async (partitions, make) => {
    this.#seen += 1;
    const [first = -1, ...more] = partitions;
    const delivery = more.length === 0 ? this.#byPartition.get(first) : undefined;
    if (delivery !== undefined) return delivery.request(make);
    this.lose();
    const all = [...this.#byPartition.values()];
    if (all.length > 0 && all.every(({ isStopped }) => isStopped)) throw new Error("stopped");
    return make();
  };
}

/** State of all write requests of a session, as a delivery reads it. */
export interface Requests {
  /** True if every write request and its partitions were observed. */
  readonly areSeen: boolean;
  /** Number of write requests that were handed to a connection. */
  readonly written: number;
}

/** One batch on its way: whether it was written, as far as known, and a way to stop it. */
export class Delivery {
  /** Undefined until a partition is chosen. */
  partition: number | undefined;
  readonly #requests: Requests;
  #outcome: WriteOutcome = "not-done";
  #isStopped = false;
  #losses = 0;

  constructor(partition: number | undefined, requests: Requests) {
    this.partition = partition;
    this.#requests = requests;
  }

  /**
   * `not-done` if certainly nothing was written. `unknown` while a request is under way, or if a
   * request of the session was not observed.
   */
  get outcome(): WriteOutcome {
    return this.#requests.areSeen ? this.#outcome : "unknown";
  }

  /** Number of write requests that will never have an answer. */
  get losses(): number {
    return this.#losses;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Prevents further requests. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Makes one request to write it. */
  async request<Value>(make: () => Promise<Value>): Promise<Value> {
    if (this.#isStopped) throw new Error("stopped");
    const [before, writtenBefore] = [this.#outcome, this.#requests.written];
    this.#outcome = "unknown";
    try {
      return await make();
    } catch (error) {
      const problem = readKafkaFailure(error);
      const hasLeft = this.#requests.written > writtenBefore;
      if (!hasLeft || isUnwritten(problem)) this.#outcome = before;
      if (hasLeft && problem.type === undefined) this.#losses += 1;
      throw error;
    }
  }
}
