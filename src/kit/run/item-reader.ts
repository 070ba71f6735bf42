import type { JsonValue } from "../../runtime/executor.js";

/** Reads the items of one stream. An error is thrown after the items that come before it. */
export interface ItemReader {
  /**
   * Takes the next bytes, and gives the items that are complete with them. The `value` of an event
   * is its data.
   *
   * @returns `last` if no item comes after them, whatever the stream still has
   * @throws UnreadableAnswer
   */
  take(chunk: Uint8Array): Iterator<RawItem, "last" | undefined, undefined>;
  /** Gives the rest when the stream has ended. @throws UnreadableAnswer for half an item */
  end(): Iterator<RawItem, "last", undefined>;
}

export interface RawItem {
  readonly value: unknown;
  /** Set if it is JSON of which `value` holds integers rounded: the same with their digits as text. */
  readonly exact?: JsonValue;
  /** Other fields of an event. */
  readonly event?: { readonly event: string; readonly id: string | null };
}
