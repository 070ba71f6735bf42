const smallest = 16_384;

/**
 * A body in arrival. It copies chunks into one growing buffer, because a server may send single
 * bytes, and a buffer object for each would need much memory.
 */
export class CollectedBody {
  #buffer: Uint8Array | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(chunk: Uint8Array): void {
    const size = this.#size + chunk.length;
    if (this.#buffer === undefined) {
      this.#buffer = chunk;
    } else {
      if (size > this.#buffer.length) this.#grow(size);
      this.#buffer.set(chunk, this.#size);
    }
    this.#size = size;
  }

  bytes(): Uint8Array {
    return this.#buffer?.subarray(0, this.#size) ?? new Uint8Array();
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#size * 2, smallest));
    if (this.#buffer !== undefined) larger.set(this.bytes());
    this.#buffer = larger;
  }
}
