import type { WriteOutcome } from "../../../../runtime/sink.js";
import { faultOf, isUnwritten } from "./failures.js";

/** One batch on its way: what is known of it, and the means to stop it. */
export class Delivery {
  #outcome: WriteOutcome = "not-done";
  #isStopped = false;
  #losses = 0;

  /** `not-done`: nothing is written. While a request is under way that is `unknown`. */
  get outcome(): WriteOutcome {
    return this.#outcome;
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

  /**
   * Makes one request to write it.
   *
   * @param written counts all requests to write that were handed to a connection
   */
  async request<Value>(make: () => Promise<Value>, written: () => number): Promise<Value> {
    if (this.#isStopped) throw new Error("stopped");
    const [before, writtenBefore] = [this.#outcome, written()];
    this.#outcome = "unknown";
    try {
      return await make();
    } catch (error) {
      const fault = faultOf(error);
      const hasLeft = written() > writtenBefore;
      if (!hasLeft || isUnwritten(fault)) this.#outcome = before;
      if (hasLeft && fault.type === undefined) this.#losses += 1;
      throw error;
    }
  }
}
