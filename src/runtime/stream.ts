/** Types of streamed answers. */

/**
 * Data of a success whose items arrive one by one. If you leave the loop early, the connection
 * closes.
 */
export type ItemStream<Item> = AsyncIterable<Item>;

/** One server-sent event. */
export interface ServerSentEvent<Data = string> {
  /** Name of the event; `message` if the server sends none. */
  readonly event: string;
  /** Payload of the event. */
  readonly data: Data;
  /** Id of the event; null if the server sends none. */
  readonly id: string | null;
}

declare const events: unique symbol;

/** Data of a success that is a stream of server-sent events. */
export interface EventStream<Data> extends AsyncIterable<ServerSentEvent<Data>> {
  /**
   * Exists only in types. It marks event streams, in which obligations change the data of each
   * event.
   */
  readonly [events]?: Data;
}

/**
 * The part of a stream that obligations change: items, or the data of events; otherwise `never`.
 */
export type StreamedData<Stream> = typeof events extends keyof Stream
  ? Stream extends EventStream<infer Data>
    ? Data
    : never
  : Stream extends AsyncIterable<infer Item>
    ? Item
    : never;

/** The same kind of stream with other data. */
export type StreamOf<Stream, Data> = typeof events extends keyof Stream
  ? EventStream<Data>
  : ItemStream<Data>;
