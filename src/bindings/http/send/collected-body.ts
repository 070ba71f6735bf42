const smallest = 16_384;

/**
 * A body as it arrives. Chunks are copied into one growing buffer: a server that sends its body byte by byte would otherwise have a buffer
 * object kept for every byte.
 */
export class CollectedBody {
  #buffer: Buffer | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (this.#buffer === undefined) {
      this.#buffer = chunk;
    } else {
      if (size > this.#buffer.length) this.#grow(size);
      this.#buffer.set(chunk, this.#size);
    }
    this.#size = size;
  }

  bytes(): Buffer {
    return this.#buffer?.subarray(0, this.#size) ?? Buffer.alloc(0);
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#size * 2, smallest));
    if (this.#buffer !== undefined) larger.set(this.bytes());
    this.#buffer = larger;
  }
}
