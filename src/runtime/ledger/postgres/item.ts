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
  /** What the record names as kept. */
  readonly attachments?: readonly ItemAttachment[];
  /** As JSON, on one line; made when it is first asked for. */
  json(): string;
}

/** Either of them is null. */
export interface ItemAttachment extends KeptAttachment {
  readonly json: string | null;
  readonly base64: string | null;
}

/**
 * The record of a read is made when it is written, and tried again; that of a write is made at once.
 *
 * @throws RecordTooLong for a write's
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

/** Characters that it takes. */
export function sizeOf(item: Item): number {
  const { attachments = [] } = item;
  return attachments.reduce(
    (sum, { base64, json }) => sum + (json ?? base64 ?? "").length,
    item.json().length,
  );
}
