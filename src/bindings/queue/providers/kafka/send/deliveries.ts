import type { WriteOutcome } from "../../../../../runtime/executor.js";
import { readKafkaFailure, isUnwritten } from "./failures.js";
import type { Produce } from "./repair.js";

/** The deliveries of one session, told apart by their partitions: each has one under way. */
export class Deliveries implements Requests {
  readonly #written: () => number;
  readonly #byPartition = new Map<number, Delivery>();
  /** The one whose partition is not chosen yet. */
  #unplaced: Delivery | undefined;
  #seen = 0;
  #areRecognized = true;

  /** @param written counts the requests to write that were handed to a connection */
  constructor(written: () => number) {
    this.#written = written;
  }

  get written(): number {
    return this.#written();
  }

  get areSeen(): boolean {
    return this.#areRecognized && this.#written() <= this.#seen;
  }

  /** From now on requests can't be seen. */
  lose(): void {
    this.#areRecognized = false;
  }

  /** @param partition absent: `place` tells it */
  start(partition: number | undefined): Delivery {
    const delivery = new Delivery(partition, this);
    if (partition === undefined) this.#unplaced = delivery;
    else this.#byPartition.set(partition, delivery);
    return delivery;
  }

  /** A partition was chosen for the one without. */
  place(partition: number): void {
    if (this.#unplaced === undefined) return;
    this.#unplaced.partition = partition;
    this.#byPartition.set(partition, this.#unplaced);
    this.#unplaced = undefined;
  }

  /** Makes a request to write. What can't be told apart may be any delivery's. */
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

/** What a delivery has to know of all requests of its session. */
export interface Requests {
  /** Whether each of them was seen, and what it writes. */
  readonly areSeen: boolean;
  /** How many requests to write were handed to a connection. */
  readonly written: number;
}

/** One batch on its way: what is known of it, and the means to stop it. */
export class Delivery {
  /** Undefined: it is not chosen yet. */
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
   * `not-done`: nothing is written. While a request is under way that is `unknown`, and when one of
   * the session was not seen.
   */
  get outcome(): WriteOutcome {
    return this.#requests.areSeen ? this.#outcome : "unknown";
  }

  /** How many requests to write it have no answer and will have none. */
  get losses(): number {
    return this.#losses;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** No further request is made. */
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
