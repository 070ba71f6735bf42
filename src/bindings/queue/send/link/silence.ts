/**
 * A broker that leaves something unanswered for that long while an attempt gives up may be gone
 * without a word.
 */
const longMs = 1000;

/** How long a broker has said nothing although it was asked something. */
export class Silence {
  #unanswered = 0;
  #since = 0;

  /** Something was sent that the broker answers. */
  asked(): void {
    if (this.#unanswered === 0) this.#since = performance.now();
    this.#unanswered += 1;
  }

  /** @param count of the questions that were answered */
  answered(count: number): void {
    this.#unanswered -= count;
    this.#since = performance.now();
  }

  /** Whether an answer is owed. */
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
