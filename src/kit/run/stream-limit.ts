import { UnreadableAnswer } from "../../runtime/executor.js";

/** Limits the number of bytes of a stream. */
export class StreamLimit {
  #left: number;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  /** Returns the part of a chunk within the limit. */
  within(chunk: Uint8Array): Uint8Array {
    const within = chunk.subarray(0, Math.max(0, this.#left));
    this.#left -= chunk.length;
    return within;
  }

  /** @throws UnreadableAnswer if the stream exceeded the limit */
  require(): void {
    if (this.#left < 0) throw UnreadableAnswer.tooLong(this.#most);
  }
}
