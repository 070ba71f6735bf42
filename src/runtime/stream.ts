/** Types of answers that are given one by one, while they come. */

/**
 * The data of a success whose items come one by one. A loop over it may leave when it likes: the
 * connection is then closed.
 */
export type ItemStream<Item> = AsyncIterable<Item>;

/** One server-sent event. */
export interface ServerSentEvent<Data = string> {
  /** `message` where the server gives it no name. */
  readonly event: string;
  readonly data: Data;
  /** Null where it has none. */
  readonly id: string | null;
}

declare const events: unique symbol;

/** The data of a success that is server-sent events. */
export interface EventStream<Data> extends AsyncIterable<ServerSentEvent<Data>> {
  /** For types alone: what obligations change is the data of each event. */
  readonly [events]?: Data;
}

/** What obligations change in a stream: its items, or the data of its events; else `never`. */
export type StreamedData<Stream> = typeof events extends keyof Stream
  ? Stream extends EventStream<infer Data>
    ? Data
    : never
  : Stream extends AsyncIterable<infer Item>
    ? Item
    : never;

/** The same stream of other data. */
export type StreamOf<Stream, Data> = typeof events extends keyof Stream
  ? EventStream<Data>
  : ItemStream<Data>;
