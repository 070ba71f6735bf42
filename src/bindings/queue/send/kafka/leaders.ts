/** How long a broker that lost a batch gets no message without a key, while others answer. */
export const shunMs = 10_000;

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
    return lostAt !== undefined && performance.now() - lostAt >= shunMs;
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
