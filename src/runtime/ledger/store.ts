import type { LedgerRecord } from "./record.js";

/**
 * Where calls are recorded. `append` is called with a begin record before a write leaves, and with an end record after every call. What it
 * returns is awaited before the call goes on; undefined means that the record is already safe enough.
 */
export interface Ledger {
  /** @throws when the record can't be kept: a write then doesn't leave, a read goes on */
  append(entry: LedgerEntry): undefined | Promise<void>;
  /** Hands over what is still buffered, so that a query finds it. @throws when it can't be kept */
  flush(): void;
  /** Hands over what is still buffered and releases files. */
  close(): Promise<void>;
}

/** A record on its way to a ledger. */
export interface LedgerEntry {
  readonly type: LedgerRecord["type"];
  /** The call's. */
  readonly id: string;
  readonly effect: LedgerRecord["effect"];
  /** The record as JSON, on one line. Written when it is asked for: a read need not wait for it. */
  json(): string;
}

/** The record that an entry holds, for stores that keep more than text. */
export function recordOf(entry: LedgerEntry): LedgerRecord {
  // The call path wrote it from a record.
  return JSON.parse(entry.json()) as LedgerRecord;
}

/** A record as an entry. */
export function entryOf(record: LedgerRecord): LedgerEntry {
  const { effect, id, type } = record;
  return { type, id, effect, json: () => JSON.stringify(record) };
}

/** A record that is longer than a ledger takes. With shorter parameters it would fit. */
export class RecordTooLong extends Error {
  override readonly name = "RecordTooLong";
  /** Characters of its JSON. */
  readonly length: number;
  /** Characters that the ledger takes. */
  readonly limit: number;

  constructor(length: number, limit: number) {
    super(`the record is too long: ${length} characters, and the ledger takes ${limit} at most`);
    this.length = length;
    this.limit = limit;
  }
}

/** Keeps nothing. Writes leave without a record: their outcome can't be told after a crash. */
export const noLedger: Ledger = {
  append: () => undefined,
  flush() {},
  close: () => Promise.resolve(),
};
