import type { KeptAttachment } from "../attachments.js";
import { longestRecord } from "../chain/line.js";
import type { LedgerRecord } from "../record.js";
import { type LedgerEntry, RecordTooLong } from "../store.js";

/** An item that is inserted with others in one statement: a record or an event. */
export interface Item {
  readonly type: LedgerRecord["type"] | "close" | "event";
  /** Id of the call; empty if the item belongs to no call. */
  readonly id: string;
  /** True if the item is retried with later items if it could not be written. */
  readonly isKept: boolean;
  /** Attachments that the record names. */
  readonly attachments?: readonly ItemAttachment[];
  /** Returns the item as JSON on one line; built on the first use. */
  json(): string;
}

/** An attachment's content: one of `json` and `base64` is null. */
export interface ItemAttachment extends KeptAttachment {
  readonly json: string | null;
  readonly base64: string | null;
}

/**
 * Makes the item of a record. The JSON of a read is built when it is written, and that of a write
 * at once.
 *
 * @throws RecordTooLong if the record of a write is too long
 */
export function itemOf(entry: LedgerEntry, attachments: readonly ItemAttachment[]): Item {
  const { effect, id, type } = entry;
  if (effect === "write") {
    const text = shortEnough(entry.json());
    return { type, id, isKept: false, attachments, json: () => text };
  }
  let text: string | undefined;
  return { type, id, isKept: true, attachments, json: () => (text ??= shortEnough(entry.json())) };
}

function shortEnough(json: string): string {
  if (json.length > longestRecord) throw new RecordTooLong(json.length, longestRecord);
  return json;
}

/** Returns the size of an item, in characters. */
export function sizeOf(item: Item): number {
  const { attachments = [] } = item;
  return attachments.reduce(
    (sum, { base64, json }) => sum + (json ?? base64 ?? "").length,
    item.json().length,
  );
}
