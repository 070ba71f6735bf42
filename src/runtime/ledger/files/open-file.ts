import fs from "node:fs";

/** How far an append came. */
export interface Appended {
  /** How many of the lines are in the file. */
  readonly lines: number;
  /** Why the rest isn't. */
  readonly error?: unknown;
}

/** A ledger file that this process alone writes. */
export class OpenFile {
  readonly path: string;
  readonly #fd: number;
  #bytes = 0;
  #torn = false;

  /** @throws when the file can't be made, or is there already */
  constructor(path: string) {
    this.path = path;
    // Parameters may be personal: only the owner reads them.
    this.#fd = fs.openSync(path, "ax", 0o600);
  }

  /** In the file by now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Ends in a part of a line that couldn't be taken off again: nothing more may be appended. */
  get torn(): boolean {
    return this.#torn;
  }

  /** Hands whole lines to the operating system. */
  append(text: string): Appended {
    const length = Buffer.byteLength(text);
    let done = 0;
    try {
      done = fs.writeSync(this.#fd, text);
      // A system that takes only a part is rare; what is left then is written as bytes.
      const bytes = done < length ? Buffer.from(text) : nothing;
      while (done < length) done += fs.writeSync(this.#fd, bytes, done, length - done);
    } catch (error) {
      return { lines: this.#keepWhole(Buffer.from(text).subarray(0, done)), error };
    }
    this.#bytes += done;
    return { lines: linesIn(text) };
  }

  /**
   * A full disk can take half a line. It is cut off, so that the next one starts on a line of its
   * own. Gives the number of whole lines.
   */
  #keepWhole(written: Buffer): number {
    const whole = written.lastIndexOf(0x0a) + 1;
    this.#bytes += whole;
    if (whole < written.length) this.#cutAt(this.#bytes, written.length - whole);
    return linesIn(written.toString("latin1", 0, whole));
  }

  #cutAt(length: number, excess: number): void {
    try {
      // Someone else may have cut the file: to "shorten" it would then fill it with zeros.
      if (fs.fstatSync(this.#fd).size !== length + excess) throw new Error("not the size it had");
      fs.ftruncateSync(this.#fd, length);
    } catch {
      this.#torn = true;
    }
  }

  /** Whether the file has been deleted: what is written to it then is lost. */
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
