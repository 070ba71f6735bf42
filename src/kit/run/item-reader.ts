import type { JsonValue } from "../../runtime/executor.js";

/** Reads the items of one stream. An error is thrown after the items that come before it. */
export interface ItemReader {
  /**
   * Reads the next bytes, and returns the items that they complete. The `value` of an event is its
   * data.
   *
   * @returns `last` if no item follows, whatever the stream still contains
   * @throws UnreadableAnswer
   */
  take(chunk: Uint8Array): Iterator<RawItem, "last" | undefined, undefined>;
  /**
   * Returns the remaining items when the stream has ended.
   *
   * @throws UnreadableAnswer for an incomplete item
   */
  end(): Iterator<RawItem, "last", undefined>;
}

export interface RawItem {
  readonly value: unknown;
  /** Set if `value` is JSON with rounded integers: the same JSON with their digits as text. */
  readonly exact?: JsonValue;
  /** Other fields of an event. */
  readonly event?: { readonly event: string; readonly id: string | null };
}
