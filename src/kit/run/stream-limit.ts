import { UnreadableAnswer } from "../../runtime/executor.js";

/** Counts the bytes of a stream against the most that it may have. */
export class StreamLimit {
  #left: number;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  /** The part of a chunk that is within the limit. */
  within(chunk: Uint8Array): Uint8Array {
    const within = chunk.subarray(0, Math.max(0, this.#left));
    this.#left -= chunk.length;
    return within;
  }

  /** @throws UnreadableAnswer if something was beyond the limit */
  require(): void {
    if (this.#left < 0) throw UnreadableAnswer.tooLong(this.#most);
  }
}
