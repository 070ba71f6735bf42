/** Half of what brokers take unless they are told otherwise. */
const usualBytes = 512 * 1024;

/** A topic's limit may be raised; one that isn't costs a batch that is refused each time. */
const growMs = 60_000;

/** How large a topic's batches may be. */
export class BatchLimit {
  #bytes = usualBytes;
  #changedAt = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** A batch of so many bytes was too large: others are half as large for a while. */
  shrink(batchBytes: number): void {
    this.#set(Math.min(this.#bytes, Math.floor(batchBytes / 2)));
  }

  /** A batch was written. */
  succeeded(): void {
    if (this.#bytes < usualBytes && performance.now() - this.#changedAt >= growMs)
      this.#set(Math.min(usualBytes, this.#bytes * 2));
  }

  #set(bytes: number): void {
    this.#bytes = bytes;
    this.#changedAt = performance.now();
  }
}
