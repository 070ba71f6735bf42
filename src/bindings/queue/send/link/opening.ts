import type { Attempt } from "../../../../runtime/sink.js";
import { LostBroker } from "../faults.js";
import { Waiters } from "./waiters.js";

/** A broker that doesn't answer within that is unavailable, however long the attempts may take. */
const connectMs = 10_000;

/** Something that is being opened, and those who wait for it. */
export class Opening<Opened> {
  readonly #hangUp = new AbortController();
  readonly #waiters: Waiters<Opened>;
  #isOver = false;

  /** @param open `hangUp` ends it at once, whatever state it is in, also when it is open */
  constructor(open: (hangUp: AbortController) => Promise<Opened>) {
    const timer = setTimeout(() => this.abandon(), connectMs);
    const opened = new Promise<Opened>((resolve, reject) => {
      const abandoned = () => reject(new LostBroker("ETIMEDOUT"));
      this.#hangUp.signal.addEventListener("abort", abandoned, { once: true });
      open(this.#hangUp).then(resolve, reject);
    }).finally(() => {
      clearTimeout(timer);
      this.#isOver = true;
    });
    opened.catch(() => {});
    this.#waiters = new Waiters(opened, { giveUp: () => this.abandon() });
  }

  /** Whether it was opened, failed, or was given up. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** What was opened, unless the attempt is about to be over first. */
  wait(attempt: Attempt): Promise<Opened> {
    return this.#waiters.wait(attempt);
  }

  /** Gives it up, unless it is open. */
  abandon(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#hangUp.abort(new LostBroker("ETIMEDOUT"));
  }
}
