import { UnreadableAnswer } from "../../runtime/executor.js";
import { CollectedBody } from "./collected-body.js";
import type { ItemReader, RawItem } from "./item-reader.js";
import { parsedJson } from "./parsed-json.js";
import { StreamLimit } from "./stream-limit.js";

const lineFeed = 0x0a;

/** Reads lines of JSON. Empty lines are no items. */
export class JsonLines implements ItemReader {
  readonly #most: number;
  readonly #limit: StreamLimit;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #begun = new CollectedBody();

  constructor(most: number, maxTotal: number) {
    this.#most = most;
    this.#limit = new StreamLimit(maxTotal);
  }

  *take(piece: Uint8Array): Generator<RawItem, undefined, undefined> {
    const chunk = this.#limit.within(piece);
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      this.#collect(chunk.subarray(from, at));
      yield* this.#line();
      from = at + 1;
    }
    this.#collect(chunk.subarray(from));
    this.#limit.require();
    return undefined;
  }

  /** Reads the last line, which may lack a line end. */
  *end(): Generator<RawItem, "last", undefined> {
    yield* this.#line();
    return "last";
  }

  #collect(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (this.#begun.size + bytes.length > this.#most)
      throw new UnreadableAnswer(`a line is longer than ${this.#most} bytes`);
    this.#begun.add(bytes);
  }

  #line(): readonly RawItem[] {
    if (this.#begun.size === 0) return [];
    const bytes = this.#begun.bytes();
    this.#begun = new CollectedBody();
    const text = this.#decoded(bytes);
    if (text.trim() === "") return [];
    const item = parsedJson(text, "a line");
    if (item === undefined) throw new UnreadableAnswer("a line is not JSON");
    return [item];
  }

  #decoded(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw new UnreadableAnswer("a line is not UTF-8");
    }
  }
}
