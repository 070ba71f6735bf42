/**
 * The entry point `@skillc/runtime/v1/streams`: bodies of JSON lines and server-sent events for
 * generated modules.
 */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { UnreadableAnswer } from "../../../runtime/executor.js";
import { usualItemBytes } from "../contract.js";
import type { ItemReader, RawItem } from "../../../kit/run/item-reader.js";
import { JsonLines } from "../../../kit/run/json-lines.js";
import { StreamLimit } from "../../../kit/run/stream-limit.js";
import type { StreamContent } from "./content.js";
import { parsedJson } from "../../../kit/run/parsed-json.js";

interface StreamOptions {
  /** Maximum size of an item, in bytes; `usualItemBytes` by default. */
  readonly maxItemBytes?: number;
  readonly types?: readonly string[];
}

interface EventOptions extends StreamOptions {
  /** Form of events' data; text by default. */
  readonly data?: "json";
  /** Data of the event that ends the stream. This event is not returned. */
  readonly end?: string;
}

/**
 * Describes a body of JSON lines. Empty lines are skipped; servers send them to keep a connection
 * alive.
 */
export function ndjson({
  maxItemBytes = usualItemBytes,
  types,
}: StreamOptions = {}): StreamContent {
  return {
    as: "ndjson",
    ...(types && { types }),
    read: (maxBytes) => new JsonLines(maxItemBytes, maxBytes),
  };
}

/** Describes a body of server-sent events (WHATWG HTML, 9.2). */
export function sse({
  data,
  end,
  maxItemBytes = usualItemBytes,
  types,
}: EventOptions = {}): StreamContent {
  return {
    as: "sse",
    ...(types && { types }),
    read: (maxBytes) => new Events({ isJson: data === "json", end, maxItemBytes }, maxBytes),
  };
}

interface ReadEventOptions {
  readonly isJson: boolean;
  readonly end: string | undefined;
  readonly maxItemBytes: number;
}

class Events implements ItemReader {
  readonly #options: ReadEventOptions;
  readonly #limit: StreamLimit;
  /** Replaces invalid UTF-8, as the standard requires. */
  readonly #decoder = new TextDecoder("utf-8");
  #found: EventSourceMessage[] = [];
  #isTooLong = false;
  /** True if the last character was a CR that was treated as a line end. */
  #endsWithReturn = false;
  readonly #parser;

  constructor(options: ReadEventOptions, maxTotal: number) {
    this.#options = options;
    this.#limit = new StreamLimit(maxTotal);
    this.#parser = createParser({
      // Limit in characters, each of which has at least one byte.
      maxBufferSize: options.maxItemBytes,
      onEvent: (event) => this.#found.push(event),
      // Other errors concern unknown fields, which are ignored.
      onError: ({ type }) => (this.#isTooLong ||= type === "max-buffer-size-exceeded"),
    });
  }

  *take(piece: Uint8Array): Generator<RawItem, "last" | undefined, undefined> {
    this.#feed(this.#decoder.decode(this.#limit.within(piece), { stream: true }));
    const found = this.#found;
    this.#found = [];
    for (const each of found) {
      if (each.data === this.#options.end) return "last";
      yield this.#item(each);
    }
    if (this.#isTooLong) throw this.#tooLong();
    this.#limit.require();
    return undefined;
  }

  /**
   * After a CR, the parser waits for a possible LF, even if none follows. So it gets an LF at once,
   * and a real one is dropped.
   */
  #feed(text: string): void {
    if (text === "") return;
    const rest = this.#endsWithReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#endsWithReturn = text.endsWith("\r");
    this.#parser.feed(this.#endsWithReturn ? `${rest}\n` : rest);
  }

  /** An event is over with the empty line behind it: one that has none may not be whole. */
  // oxlint-disable-next-line require-yield
  *end(): Generator<RawItem, "last", undefined> {
    this.#parser.feed(`${this.#decoder.decode()}\n\n`);
    if (this.#found.length > 0) throw new UnreadableAnswer("the stream ended within an event");
    return "last";
  }

  #item({ data, event: name = "message", id }: EventSourceMessage): RawItem {
    const { isJson, maxItemBytes } = this.#options;
    const event = { event: name, id: id ?? null };
    if (Buffer.byteLength(data) > maxItemBytes) throw this.#tooLong();
    if (!isJson) return { value: data, event };
    const item = parsedJson(data, "an event");
    if (item === undefined) throw new UnreadableAnswer("the data of an event is not JSON");
    return { ...item, event };
  }

  #tooLong(): UnreadableAnswer {
    return new UnreadableAnswer(`an event is longer than ${this.#options.maxItemBytes} bytes`);
  }
}
