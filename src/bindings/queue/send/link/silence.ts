/**
 * Time in milliseconds. If a broker has left something unanswered for this long when an attempt
 * gives up, the connection may be lost without notice.
 */
const longMs = 1000;

/** Measures how long a broker has been silent while it owes an answer. */
export class Silence {
  #unanswered = 0;
  #since = 0;

  /** Notes that something was sent that the broker must answer. */
  asked(): void {
    if (this.#unanswered === 0) this.#since = performance.now();
    this.#unanswered += 1;
  }

  /** @param count number of requests that were answered */
  answered(count: number): void {
    this.#unanswered -= count;
    this.#since = performance.now();
  }

  /** True if the broker owes an answer. */
  get isOwed(): boolean {
    return this.#unanswered > 0;
  }

  get ms(): number {
    return this.isOwed ? performance.now() - this.#since : 0;
  }

  get isLong(): boolean {
    return this.ms >= longMs;
  }
}
