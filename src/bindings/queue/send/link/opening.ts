import type { Attempt } from "../../../../runtime/sink.js";
import { LostBroker, unsent } from "../faults.js";
import { whenLate } from "./when-late.js";

/** A broker that doesn't answer within that is unavailable, however long the attempts may take. */
const connectMs = 10_000;

/** Something that is being opened, and those who wait for it. */
export class Opening<Opened> {
  readonly #hangUp = new AbortController();
  readonly #opened: Promise<Opened>;
  #waiting = 0;
  #isOver = false;

  /** @param open `hangUp` ends it at once, whatever state it is in, also when it is open */
  constructor(open: (hangUp: AbortController) => Promise<Opened>) {
    const timer = setTimeout(() => this.abandon(), connectMs);
    this.#opened = new Promise<Opened>((resolve, reject) => {
      const abandoned = () => reject(new LostBroker("ETIMEDOUT"));
      this.#hangUp.signal.addEventListener("abort", abandoned, { once: true });
      open(this.#hangUp).then(resolve, reject);
    }).finally(() => {
      clearTimeout(timer);
      this.#isOver = true;
    });
    this.#opened.catch(() => {});
  }

  /** Whether it was opened, failed, or was given up. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * What was opened, unless the attempt is about to be over first. Once nobody waits any more it is given up: whoever comes next would wait for what
   * others waited for in vain.
   */
  wait(attempt: Attempt): Promise<Opened> {
    this.#waiting += 1;
    let isWaiting = true;
    return new Promise((resolve, reject) => {
      const leave = (reason: string) => {
        if (!isWaiting) return;
        isWaiting = false;
        this.#waiting -= 1;
        if (this.#waiting === 0) this.abandon();
        reject(new LostBroker(reason, "not-done"));
      };
      const stop = whenLate(attempt, () => leave("ETIMEDOUT"));
      this.#opened.then(resolve, (fault: unknown) => reject(unsent(fault))).finally(stop);
      attempt.onAbort(() => {
        stop();
        leave("aborted");
        return "not-done";
      });
    });
  }

  /** Gives it up, unless it is open. */
  abandon(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#hangUp.abort(new LostBroker("ETIMEDOUT"));
  }
}
