import type { AttachmentStore } from "./attachments.js";
import type { Position } from "./position.js";
import type { Pruning, PruneOptions } from "./pruning.js";
import type { RecordFilter } from "./query-filter.js";
import type { CallRecord, LedgerRecord } from "./record.js";
import type { LedgerVerification } from "./verification.js";

/**
 * Where calls are recorded and their records are read. The files in `.skillc/ledger` (`files/`) are
 * one store, tables in PostgreSQL (`postgres/`) another; both keep the same lines (`chain/`). Calls
 * use `append`; queries and `skillc ledger` know only this interface. `record-call.ts` makes records
 * of calls, `query.ts` makes calls of records, `settle.ts` records what a person found out.
 */
export interface LedgerStore {
  /**
   * Takes a begin record before a write leaves, another one when its target has accepted it, an end
   * record after every call, and what a person found out of a call. What it returns is awaited before the call goes on; undefined means that
   * the record is already safe enough.
   *
   * @throws when the record can't be kept: a write then doesn't leave, a read goes on
   */
  append(entry: LedgerEntry): undefined | Promise<void>;
  /**
   * The records of the calls that a filter may want, the newest first, and every settlement, before
   * the records of its call. Those of one writer's calls come in the opposite order of `append`.
   * All that was appended before is among them. A store may give more than was asked for: the
   * caller filters again. Begin records may be left out where a newer record of the call is given.
   */
  read(filter?: RecordFilter): AsyncIterable<StoredRecord>;
  /** Looks whether what was appended is still there, as it was. Never throws for what it finds. */
  verify(): Promise<LedgerVerification>;
  /** Keeps whole results; a store that keeps none leaves it out. */
  readonly attachments?: AttachmentStore;
  /**
   * Removes old records, so that `verify` can still tell what was there. A store that removes none
   * leaves it out.
   *
   * @throws RangeError when the time is not one
   */
  prune?(options: PruneOptions): Promise<Pruning>;
  /** Hands over what is still buffered, and releases files and connections. */
  close(): Promise<void>;
}

/** A record on its way to a ledger. */
export interface LedgerEntry {
  readonly type: LedgerRecord["type"];
  /** The call's. */
  readonly id: string;
  readonly effect: CallRecord["effect"];
  /** The record as JSON, on one line. Written when it is asked for: a read need not wait for it. */
  json(): string;
}

/** A record as a store gives it back. */
export interface StoredRecord {
  readonly record: LedgerRecord;
  /** Of a store with one numbering, the writer is always the same name. */
  readonly position: Position;
  /** The file that holds it, in a store that has files. */
  readonly file?: string;
  /** No older record of the same call follows: it need not be remembered until that comes. */
  readonly isLast?: boolean;
}

/** The record that an entry holds, for stores that keep more than text. */
export function recordOf(entry: LedgerEntry): LedgerRecord {
  // The call path wrote it from a record.
  return JSON.parse(entry.json()) as LedgerRecord;
}

/** A record as an entry. */
export function entryOf(record: LedgerRecord): LedgerEntry {
  const { id, type } = record;
  // A settlement is kept as carefully as the write that it settles.
  const effect = type === "settle" ? "write" : record.effect;
  return { type, id, effect, json: () => JSON.stringify(record) };
}

/**
 * A ledger elsewhere that can't be reached, or doesn't do what is asked of it. The message holds
 * nothing secret, and nothing of a record.
 */
export class LedgerUnavailable extends Error {
  override readonly name = "LedgerUnavailable";
  /** What to do about it, where that is known. */
  readonly help: string | undefined;

  constructor(message: string, help?: string) {
    super(message);
    this.help = help;
  }
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
export const noLedger: LedgerStore = {
  append: () => undefined,
  async *read() {},
  verify: () => Promise.resolve(nothingFound),
  close: () => Promise.resolve(),
};

const nothingFound: LedgerVerification = {
  files: 0,
  records: 0,
  problems: [],
  problemsLeftOut: 0,
  tornLines: [],
  unknownOutcomes: [],
  settledOutcomes: [],
  writers: [],
  prunings: [],
  attachments: { intact: 0, expired: 0, pruned: 0 },
};
