import type { WriteOutcome } from "../../../../runtime/sink.js";
import { faultOf, isUnwritten } from "./failures.js";

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

  /** `not-done`: nothing is written. While a request is under way that is `unknown`, and when one of the session was not seen. */
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
      const fault = faultOf(error);
      const hasLeft = this.#requests.written > writtenBefore;
      if (!hasLeft || isUnwritten(fault)) this.#outcome = before;
      if (hasLeft && fault.type === undefined) this.#losses += 1;
      throw error;
    }
  }
}
