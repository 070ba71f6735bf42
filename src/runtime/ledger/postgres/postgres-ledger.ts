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

/** Options of a PostgreSQL ledger. */
export type PostgresLedgerOptions = PostgresPlace & {
  /** Schema of the ledger's tables; `skillc` by default. */
  readonly schema?: string;
  /** Which whole results and produced bytes the ledger keeps beside records; none by default. */
  readonly attachments?: AttachmentPolicy;
  /** Time limit for an answer of the server, in milliseconds; 30,000 by default. */
  readonly answerWithinMs?: number;
};

/**
 * A ledger in PostgreSQL. Many processes on many machines can write it, each with its own chain,
 * and all can read it. `skillc ledger migrate` creates its tables.
 */
export interface PostgresLedger extends LedgerStore {
  /** Name of the PostgreSQL schema that has the tables. */
  readonly schema: string;
  /** Stores whole results and produced bytes. */
  readonly attachments: AttachmentStore;
  /**
   * Removes old records.
   *
   * @throws RangeError if the time is not valid; LedgerUnavailable if the server can't be reached
   */
  prune(options: PruneOptions): Promise<Pruning>;
  /**
   * Writes records that are still buffered.
   *
   * @throws LedgerUnavailable if they can't be written
   */
  flush(): Promise<void>;
}

/**
 * Creates a PostgreSQL ledger, which connects when it gets its first record. A write is sent after
 * its begin record is committed, with the session's `synchronous_commit`. While the server can't be
 * reached, `append` throws, and each new record tries again. The end record of a write that was
 * already sent is kept within limits, and is written with the next record.
 *
 * @throws TypeError if PostgreSQL can't use the schema's name unchanged
 */
export function createPostgresLedger(options: PostgresLedgerOptions): PostgresLedger {
  return new TablesOfOneWriter(options);
}

/** Parts of a ledger that its outbox uses. */
export interface LedgerParts {
  readonly queue: AppendQueue;
  readonly connections: LedgerConnections;
  readonly tables: Tables;
}

const parts = new WeakMap<PostgresLedger, LedgerParts>();

/**
 * Returns the parts of a ledger.
 *
 * @throws TypeError if `createPostgresLedger` did not create the ledger
 */
export function partsOf(ledger: PostgresLedger): LedgerParts {
  const found = parts.get(ledger);
  if (found === undefined) throw new TypeError("`ledger` must come from `createPostgresLedger`");
  return found;
}

class TablesOfOneWriter implements PostgresLedger {
  /** Schema of the ledger's tables. */
  readonly schema: string;
  readonly attachments: AttachmentTable;
  /** Writing has its own connections, so that slow readers don't delay it. */
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
    // A read goes on without its record, rather than wait for a server that can't be reached.
    this.#queue.tryAgain();
    throw failure;
  }

  flush(): Promise<void> {
    return this.#queue.flush();
  }

  /** Flushes and ignores failures: records that can't be written can't be read either. */
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
