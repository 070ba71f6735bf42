/**
 * The entry point `@skillc/runtime/v1/streams`: what generated modules import whose answers are
 * lines of JSON, or server-sent events.
 */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { UnreadableAnswer } from "../../../runtime/executor.js";
import { usualItemBytes } from "../contract.js";
import type { ItemReader, RawItem, StreamContent, Taken } from "./content.js";
import { CollectedBody } from "./collected-body.js";
import { parsedJson } from "./parsed-json.js";

interface StreamOptions {
  /** Bytes of the longest item; `usualItemBytes` when not given. */
  readonly maxItemBytes?: number;
  readonly types?: readonly string[];
}

interface EventOptions extends StreamOptions {
  /** What the data of events is; text when not given. */
  readonly data?: "json";
  /** The data of the event that ends them, which is none itself. */
  readonly end?: string;
}

/** Lines of JSON. Empty ones say nothing: servers send them to keep a connection alive. */
export function ndjson({
  maxItemBytes = usualItemBytes,
  types,
}: StreamOptions = {}): StreamContent {
  return {
    as: "ndjson",
    ...(types && { types }),
    read: (mostBytes) => new Lines(maxItemBytes, mostBytes),
  };
}

/** Server-sent events (WHATWG HTML, 9.2). */
export function sse({
  data,
  end,
  maxItemBytes = usualItemBytes,
  types,
}: EventOptions = {}): StreamContent {
  return {
    as: "sse",
    ...(types && { types }),
    read: (mostBytes) => new Events({ isJson: data === "json", end, maxItemBytes }, mostBytes),
  };
}

/** Counts the bytes of a stream, of which there may be no more than so many. */
class Counted {
  #left: number;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw UnreadableAnswer.tooLong(this.#most);
  }
}

const lineFeed = 0x0a;

class Lines implements ItemReader {
  readonly #most: number;
  readonly #all: Counted;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #begun = new CollectedBody();

  constructor(most: number, mostInAll: number) {
    this.#most = most;
    this.#all = new Counted(mostInAll);
  }

  take(chunk: Uint8Array): Taken {
    this.#all.take(chunk.length);
    const items: RawItem[] = [];
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      this.#collect(chunk.subarray(from, at));
      items.push(...this.#line());
      from = at + 1;
    }
    this.#collect(chunk.subarray(from));
    return { items };
  }

  /** The last line may have no end. */
  end(): readonly RawItem[] {
    return this.#line();
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
    const value = parsedJson(text, "a line");
    if (value === undefined) throw new UnreadableAnswer("a line is not JSON");
    return [{ value }];
  }

  #decoded(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw new UnreadableAnswer("a line is not UTF-8");
    }
  }
}

interface EventPlan {
  readonly isJson: boolean;
  readonly end: string | undefined;
  readonly maxItemBytes: number;
}

class Events implements ItemReader {
  readonly #plan: EventPlan;
  readonly #all: Counted;
  /** Bytes that are no UTF-8 are replaced, as the standard says. */
  readonly #decoder = new TextDecoder("utf-8");
  #found: EventSourceMessage[] = [];
  #isTooLong = false;
  readonly #parser;

  constructor(plan: EventPlan, mostInAll: number) {
    this.#plan = plan;
    this.#all = new Counted(mostInAll);
    this.#parser = createParser({
      // Of characters, none of which has less than one byte.
      maxBufferSize: plan.maxItemBytes,
      onEvent: (event) => this.#found.push(event),
      // What else it tells are fields that mean nothing.
      onError: ({ type }) => (this.#isTooLong ||= type === "max-buffer-size-exceeded"),
    });
  }

  take(chunk: Uint8Array): Taken {
    this.#all.take(chunk.length);
    this.#parser.feed(this.#decoder.decode(chunk, { stream: true }));
    const found = this.#found;
    this.#found = [];
    const { end } = this.#plan;
    const last = end === undefined ? -1 : found.findIndex(({ data }) => data === end);
    const events = last === -1 ? found : found.slice(0, last);
    const items = events.map((each) => this.#item(each));
    if (last === -1 && this.#isTooLong) throw this.#tooLong();
    return last === -1 ? { items } : { items, isLast: true };
  }

  /** An event is over with the empty line behind it: one that has none may not be whole. */
  end(): readonly RawItem[] {
    this.#parser.feed(`${this.#decoder.decode()}\n\n`);
    if (this.#found.length === 0) return [];
    throw new UnreadableAnswer("the stream ended within an event");
  }

  #item({ data, event: name = "message", id }: EventSourceMessage): RawItem {
    const { isJson, maxItemBytes } = this.#plan;
    const event = { event: name, id: id ?? null };
    if (Buffer.byteLength(data) > maxItemBytes) throw this.#tooLong();
    if (!isJson) return { value: data, event };
    const value = parsedJson(data, "an event");
    if (value === undefined) throw new UnreadableAnswer("the data of an event is not JSON");
    return { value, event };
  }

  #tooLong(): UnreadableAnswer {
    return new UnreadableAnswer(`an event is longer than ${this.#plan.maxItemBytes} bytes`);
  }
}
