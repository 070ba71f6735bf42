/** Output of a process, of which only a limited part is held. */
import type { Attempt } from "../../../runtime/call/attempt.js";

/** Holds the beginning of a stream, up to a limit. */
export class OutputHead {
  readonly #most: number;
  readonly #chunks: Buffer[] = [];
  #held = 0;
  /** True if the stream had more bytes than the limit. */
  isCut = false;

  constructor(most: number) {
    this.#most = most;
  }

  take(chunk: Buffer): void {
    const room = this.#most - this.#held;
    if (chunk.byteLength > room) this.isCut = true;
    if (room <= 0) return;
    this.#chunks.push(chunk.subarray(0, room));
    this.#held += Math.min(room, chunk.byteLength);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks, this.#held);
  }
}

/** Number of characters of standard error in errors. */
const shownCharacters = 2000;

/** Number of bytes before the shown ones in which a secret is found whole. */
const margin = 64 * 1024;

/** Holds the end of a stream. */
export class OutputTail {
  #held = Buffer.alloc(0);
  readonly #most: number;

  /** @param longest length of the longest secret, in characters */
  constructor(longest: number) {
    this.#most = 4 * (shownCharacters + longest) + margin;
  }

  take(chunk: Buffer): void {
    const all = Buffer.concat([this.#held, chunk.subarray(-this.#most)]);
    // Copying for every chunk would take long if there are many small ones.
    this.#held = all.byteLength > 2 * this.#most ? Buffer.from(all.subarray(-this.#most)) : all;
  }

  /** Returns the last characters, without secrets. */
  text(scrub: (text: string) => string): string {
    const clean = scrub(this.#held.toString("utf8").replaceAll("\0", ""));
    const end = clean.slice(-shownCharacters);
    return end.isWellFormed() ? end : end.toWellFormed();
  }
}

/** Returns a sink that passes chunks to the ledger too, if the ledger keeps them. */
export function keptBy(
  attempt: Attempt,
  name: "stdout" | "stderr",
  sink: (chunk: Buffer) => void,
): (chunk: Buffer) => void {
  let keep: ((chunk: Buffer) => void) | undefined;
  return (chunk) => {
    // A process that prints nothing leaves no attachment.
    keep ??= attempt.takeBytes?.({ name, type: "text/plain" }) ?? ignore;
    keep(chunk);
    sink(chunk);
  };
}

function ignore(): void {}
