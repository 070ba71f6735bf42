import { Delivery, type Requests } from "./delivery.js";
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
