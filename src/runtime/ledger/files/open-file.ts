import fs from "node:fs";

/** Result of an append. */
export interface Appended {
  /** Number of the lines that are in the file. */
  readonly lines: number;
  /** Error that stopped the append. */
  readonly error?: unknown;
}

/** A ledger file that only this process writes. */
export class OpenFile {
  readonly path: string;
  readonly #fd: number;
  #bytes = 0;
  #torn = false;

  /**
   * Creates the file.
   *
   * @throws if the file can't be created, or exists already
   */
  constructor(path: string) {
    this.path = path;
    // Parameters may be personal, so only the owner may read the file.
    this.#fd = fs.openSync(path, "ax", 0o600);
  }

  /** Size of the file, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * True if the file ends in a partial line that could not be cut off. Nothing more may be
   * appended.
   */
  get torn(): boolean {
    return this.#torn;
  }

  /** Writes whole lines to the operating system. */
  append(text: string): Appended {
    const length = Buffer.byteLength(text);
    let done = 0;
    try {
      done = fs.writeSync(this.#fd, text);
      // A system rarely writes only a part. The rest is then written as bytes.
      const bytes = done < length ? Buffer.from(text) : nothing;
      while (done < length) done += fs.writeSync(this.#fd, bytes, done, length - done);
    } catch (error) {
      return { lines: this.#keepWhole(Buffer.from(text).subarray(0, done)), error };
    }
    this.#bytes += done;
    return { lines: linesIn(text) };
  }

  /**
   * Cuts off a partial line, which a full disk can leave, so that the next line starts correctly.
   * Returns the number of whole lines.
   */
  #keepWhole(written: Buffer): number {
    const whole = written.lastIndexOf(0x0a) + 1;
    this.#bytes += whole;
    if (whole < written.length) this.#cutAt(this.#bytes, written.length - whole);
    return linesIn(written.toString("latin1", 0, whole));
  }

  #cutAt(length: number, excess: number): void {
    try {
      // Somebody else may have cut the file. Truncating to a longer length would fill it with
      // zeros.
      if (fs.fstatSync(this.#fd).size !== length + excess) throw new Error("not the size it had");
      fs.ftruncateSync(this.#fd, length);
    } catch {
      this.#torn = true;
    }
  }

  /** Returns whether the file was deleted, so that everything written to it is lost. */
  isGone(): boolean {
    return fs.fstatSync(this.#fd).nlink === 0;
  }

  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fs.fdatasync(this.#fd, (error) => (error ? reject(error) : resolve()));
    });
  }

  syncNow(): void {
    fs.fdatasyncSync(this.#fd);
  }

  close(): void {
    fs.closeSync(this.#fd);
  }
}

const nothing = Buffer.alloc(0);

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
