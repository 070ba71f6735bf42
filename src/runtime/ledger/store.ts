import type { AttachmentStore } from "./attachments.js";
import type { Position } from "./position.js";
import type { Pruning, PruneOptions } from "./pruning.js";
import type { RecordFilter } from "./query-filter.js";
import type { CallRecord, LedgerRecord } from "./record.js";
import type { LedgerVerification } from "./verification.js";

/**
 * Stores the records of calls. skillc has a store in files (`files/`, in `.skillc/ledger`) and one
 * in PostgreSQL (`postgres/`); both write the same lines (`chain/`). Calls use `append`; queries
 * and `skillc ledger` use only this interface. `record-call.ts` turns calls into records,
 * `query.ts` turns records into calls, and `settle.ts` records settlements.
 */
export interface LedgerStore {
  /**
   * Stores a record: a begin record before a write is sent, another one when its target has
   * accepted it, an end record after every call, and settlements. The call waits for the returned
   * promise. Return undefined if the record is already safe enough.
   *
   * @throws if the record can't be stored; a write is then not sent, a read goes on
   */
  append(entry: LedgerEntry): undefined | Promise<void>;
  /**
   * Yields the records of calls that may match the filter, newest first, and every settlement
   * before the records of its call. Records of one writer come in the opposite order of `append`.
   * The result includes everything appended before. A store may yield more than the filter selects;
   * the caller filters again. It may leave out begin records of calls for which it yields a newer
   * record.
   */
  read(filter?: RecordFilter): AsyncIterable<StoredRecord>;
  /**
   * Checks that all stored records are unchanged and present. Never throws because of their
   * content.
   */
  verify(): Promise<LedgerVerification>;
  /** Stores whole results; absent if the store keeps none. */
  readonly attachments?: AttachmentStore;
  /**
   * Removes old records, so that `verify` still knows what was removed; absent if the store can't
   * remove any.
   *
   * @throws RangeError if the time is not valid
   */
  prune?(options: PruneOptions): Promise<Pruning>;
  /** Writes what is still buffered, and releases files and connections. */
  close(): Promise<void>;
}

/** A record that is passed to a ledger. */
export interface LedgerEntry {
  /** Type of the record. */
  readonly type: LedgerRecord["type"];
  /** Id of the call. */
  readonly id: string;
  /** Effect of the call. The call of a `write` waits for its record. */
  readonly effect: CallRecord["effect"];
  /**
   * Returns the record as JSON on one line. Built on request, so that a read need not wait for it.
   */
  json(): string;
}

/** A record that a store returns. */
export interface StoredRecord {
  /** The record. */
  readonly record: LedgerRecord;
  /** Position of the record. A store with a single numbering uses one name for the writer. */
  readonly position: Position;
  /** Name of the file, in a file ledger. */
  readonly file?: string;
  /** Set if no older record of the same call follows, so that the caller can forget the call. */
  readonly isLast?: boolean;
}

/** Parses the record of an entry, for stores that need more than text. */
export function recordOf(entry: LedgerEntry): LedgerRecord {
  // The call path wrote it from a record.
  return JSON.parse(entry.json()) as LedgerRecord;
}

/** Returns a record as an entry. */
export function entryOf(record: LedgerRecord): LedgerEntry {
  const { id, type } = record;
  // A settlement is stored as safely as the write that it settles.
  const effect = type === "settle" ? "write" : record.effect;
  return { type, id, effect, json: () => JSON.stringify(record) };
}

/**
 * The error of a ledger that can't be reached, or doesn't work as expected. The message contains no
 * credential, and nothing of a record.
 */
export class LedgerUnavailable extends Error {
  override readonly name = "LedgerUnavailable";
  /** A remedy, if known. */
  readonly help: string | undefined;

  constructor(message: string, help?: string) {
    super(message);
    this.help = help;
  }
}

/** The error for a record that is longer than a ledger accepts. Shorter parameters would fit. */
export class RecordTooLong extends Error {
  override readonly name = "RecordTooLong";
  /** Length of the record's JSON, in characters. */
  readonly length: number;
  /** Maximum length, in characters. */
  readonly limit: number;

  constructor(length: number, limit: number) {
    super(
      `the record is too long: it has ${length} characters, but the ledger accepts at most ${limit}`,
    );
    this.length = length;
    this.limit = limit;
  }
}

/**
 * A store that keeps nothing. Writes are sent without a record, so their outcome is unknown after a
 * crash.
 */
export const noLedger: LedgerStore = {
  append: () => undefined,
  async *read() {},
  verify: () => Promise.resolve(emptyVerification),
  close: () => Promise.resolve(),
};

const emptyVerification: LedgerVerification = {
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
