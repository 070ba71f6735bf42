import type { AttachmentPolicy, AttachmentStore } from "../attachments.js";
import type { CloseRecord } from "../chain/chain-record.js";
import type { Pruning, PruneOptions } from "../pruning.js";
import type { RecordFilter } from "../query-filter.js";
import {
  type LedgerEntry,
  type LedgerStore,
  LedgerUnavailable,
  type StoredRecord,
} from "../store.js";
import { tellHowMany, type TooLongRecords } from "../too-long.js";
import type { LedgerVerification } from "../verification.js";
import { AppendQueue } from "./append-queue.js";
import { AttachmentTable } from "./attachments.js";
import { type Item, itemOf } from "./item.js";
import { LedgerConnections, type PostgresPlace, unavailable } from "./pool.js";
import { pruneTables } from "./prune.js";
import { readRecords } from "./read.js";
import { type Tables, tablesIn } from "./tables.js";
import { verifyTables } from "./verify.js";
import { ChainWriter } from "./writer.js";

export type PostgresLedgerOptions = PostgresPlace & {
  /** The schema that has the ledger's tables; `skillc` when not given. */
  readonly schema?: string;
  /** What is kept beside records: whole results, and bytes that calls produced; none when not given. */
  readonly attachments?: AttachmentPolicy;
  /** How long the server is waited for, in milliseconds; 30,000 when not given. */
  readonly answerWithinMs?: number;
};

/**
 * A ledger in PostgreSQL, which many processes on many machines write, each a chain of its own, and
 * any reads. `skillc ledger migrate` makes its tables.
 */
export interface PostgresLedger extends LedgerStore {
  readonly schema: string;
  readonly attachments: AttachmentStore;
  prune(options: PruneOptions): Promise<Pruning>;
  /** Writes what waits. @throws LedgerUnavailable when it can't be written */
  flush(): Promise<void>;
}

/**
 * Connects with the first record. A write leaves when its begin record is committed, by the
 * `synchronous_commit` that the session has. While the server is gone appending throws, and each new
 * record tries again; the end of a write that has left is kept, within bounds, and goes out with the
 * next record that can be written.
 *
 * @throws TypeError for a schema that PostgreSQL doesn't take as it is
 */
export function createPostgresLedger(options: PostgresLedgerOptions): PostgresLedger {
  return new TablesOfOneWriter(options);
}

/** What belongs to a ledger, for the outbox beside it. */
export interface LedgerParts {
  readonly queue: AppendQueue;
  readonly connections: LedgerConnections;
  readonly tables: Tables;
}

const parts = new WeakMap<PostgresLedger, LedgerParts>();

/** @throws TypeError for a ledger that is none of `createPostgresLedger`'s */
export function partsOf(ledger: PostgresLedger): LedgerParts {
  const found = parts.get(ledger);
  if (found === undefined)
    throw new TypeError("`ledger` is none that `createPostgresLedger` has made");
  return found;
}

class TablesOfOneWriter implements PostgresLedger {
  readonly schema: string;
  readonly attachments: AttachmentTable;
  /** Records wait for nobody who reads slowly. */
  readonly #writing: LedgerConnections;
  readonly #reading: LedgerConnections;
  readonly #tables: Tables;
  readonly #writer: ChainWriter;
  readonly #queue: AppendQueue;
  readonly #tooLong: TooLongRecords = { count: 0 };
  #closing: Promise<void> | undefined;

  constructor(options: PostgresLedgerOptions) {
    this.#tables = tablesIn(options.schema);
    this.schema = this.#tables.schema;
    this.#writing = new LedgerConnections(options, options.answerWithinMs);
    this.#reading = new LedgerConnections(options, options.answerWithinMs);
    this.#writer = new ChainWriter(this.#writing, this.#tables);
    this.#queue = new AppendQueue(this.#writer, this.#tooLong);
    this.attachments = new AttachmentTable(this.#reading, this.#tables, options.attachments);
    parts.set(this, { connections: this.#reading, queue: this.#queue, tables: this.#tables });
  }

  append(entry: LedgerEntry): undefined | Promise<void> {
    const attachments = this.attachments.take();
    if (this.#closing !== undefined)
      throw new LedgerUnavailable("the ledger can't be written: it is closed");
    const item = itemOf(entry, attachments);
    if (entry.effect === "write") return this.#queue.put(item);
    const { failure } = this.#queue;
    if (failure === undefined) return this.#queue.putLater(item);
    // A read goes on without its record, and waits for no server that is gone.
    this.#queue.tryAgain();
    throw failure;
  }

  flush(): Promise<void> {
    return this.#queue.flush();
  }

  /** What waits and can't be written isn't there to be read. */
  async #flushQuietly(): Promise<void> {
    await this.flush().catch(() => undefined);
  }

  async *read(filter: RecordFilter = {}): AsyncGenerator<StoredRecord> {
    await this.#flushQuietly();
    yield* readRecords(this.#reading, this.#tables, filter);
  }

  async verify(): Promise<LedgerVerification> {
    await this.#flushQuietly();
    return verifyTables(this.#reading, this.#tables);
  }

  async prune(options: PruneOptions): Promise<Pruning> {
    await this.#flushQuietly();
    return pruneTables(this.#reading, this.#tables, options);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.flush();
      if (this.#writer.hasWritten) {
        await this.#queue.put(closeItem());
        await this.flush();
      }
    } catch (error) {
      throw unavailable("the ledger can't be written", error);
    } finally {
      tellHowMany(this.#tooLong);
      await Promise.all([this.#writing.close(), this.#reading.close()]);
    }
  }
}

function closeItem(): Item {
  const record: CloseRecord = { type: "close", time: new Date().toISOString(), reason: "closed" };
  const json = JSON.stringify(record);
  return { type: "close", id: "", isKept: false, json: () => json };
}
