import type { KeptAttachment } from "../attachments.js";
import { longestRecord } from "../chain/line.js";
import type { LedgerRecord } from "../record.js";
import { type LedgerEntry, RecordTooLong } from "../store.js";

/** Something that goes to the tables with others, in one statement. */
export interface Item {
  readonly type: LedgerRecord["type"] | "close" | "event";
  /** The call's; empty for what belongs to none. */
  readonly id: string;
  /** Whether it is tried again, with what comes after it, when it could not be written. */
  readonly isKept: boolean;
  /** The whole result that the record names. */
  readonly attachment?: ItemAttachment | undefined;
  /** As JSON, on one line; made when it is first asked for. */
  json(): string;
}

export interface ItemAttachment extends KeptAttachment {
  readonly json: string;
}

/**
 * The record of a read is made when it is written, and tried again; that of a write is made at once.
 *
 * @throws RecordTooLong for a write's
 */
export function itemOf(entry: LedgerEntry, attachment: ItemAttachment | undefined): Item {
  const { effect, id, type } = entry;
  if (effect === "write") {
    const text = shortEnough(entry.json());
    return { type, id, isKept: false, attachment, json: () => text };
  }
  let text: string | undefined;
  return { type, id, isKept: true, attachment, json: () => (text ??= shortEnough(entry.json())) };
}

function shortEnough(json: string): string {
  if (json.length > longestRecord) throw new RecordTooLong(json.length, longestRecord);
  return json;
}

/** Characters that it takes. */
export function sizeOf(item: Item): number {
  return item.json().length + (item.attachment?.json.length ?? 0);
}
