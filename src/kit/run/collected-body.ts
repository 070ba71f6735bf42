const smallest = 16_384;

/**
 * A body as it arrives. Chunks are copied into one growing buffer: a server that sends its body
 * byte by byte would otherwise have a buffer object kept for every byte.
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
