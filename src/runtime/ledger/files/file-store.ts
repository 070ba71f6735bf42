import { resolve } from "node:path";
import { type OwnFolder, PlaceTaken } from "../../files/own-place.js";
import { atExit } from "../../process.js";
import { createGroupSync, type GroupSync } from "./group-sync.js";
import { type Entry, LedgerWriter } from "./writer.js";
import type { Pruning, PruneOptions } from "../pruning.js";
import { prepareFilter, type QueryFilter } from "../query-filter.js";
import { type LedgerEntry, type LedgerStore, RecordTooLong, type StoredRecord } from "../store.js";
import type { LedgerVerification } from "../verification.js";
import { longestRecord } from "../chain/line.js";
import type { AttachmentPolicy, AttachmentStore } from "../attachments.js";
import { attachmentFiles } from "./attachment-files.js";
import { defaultDirectory, directoryOf } from "./file-name.js";
import { pruneFiles } from "./prune.js";
import { readRecords } from "./read-records.js";
import { tellHowMany, tellTooLong, type TooLongRecords } from "../too-long.js";
import { verifyFiles } from "./verify.js";

/** Options of the file ledger. */
export interface FileLedgerOptions {
  /**
   * Folder of the ledger; `.skillc/ledger` in the project's folder by default. It is created with
   * the first record. The default folder must not be a link or below one, because a link may come
   * with the project from elsewhere. A folder that you name may be.
   */
  readonly directory?: string;
  /**
   * When a write may go on. `os` (the default): when the operating system has the record, which
   * survives a killed process; the disk has it within about `syncDelayMs`. `disk`: when the disk
   * has it, which survives a power failure.
   */
  readonly durability?: "os" | "disk";
  /** Which whole results and produced bytes the ledger keeps beside records; none by default. */
  readonly attachments?: AttachmentPolicy;
  /** Size in bytes at which a new file begins; 64 MiB by default. */
  readonly maxFileBytes?: number;
  /**
   * Time during which records are collected before they are synced to disk together, in
   * milliseconds; 20 by default.
   */
  readonly syncDelayMs?: number;
}

/**
 * The default store: append-only JSON Lines, one chain of files for each writer. The SHA-256 of
 * each line links it to the line before.
 */
export interface FileLedger extends LedgerStore {
  /** Absolute path of the folder. */
  readonly directory: string;
  /**
   * Writes what is still buffered.
   *
   * @throws if it can't be written
   */
  flush(): void;
}

/** Delay of records of reads, in milliseconds, so that they are written together. */
const readDelayMs = 5;
/** Maximum number of delayed records. */
const maxHeld = 100;
/** Maximum size of end records that are kept after a failure, in characters. */
const backlogChars = 1024 * 1024;

/**
 * Creates a ledger in files. While the files can't be written, `append` throws, and each new record
 * tries again. If the begin record of a write is written, its end record is kept within limits and
 * is written before the next record: the write was sent, and its outcome is known.
 *
 * @param project folder whose `.skillc/ledger` is used if the options name no folder; the working
 * directory by default
 */
export function createFileLedger(
  options: FileLedgerOptions = {},
  project: string = process.cwd(),
): FileLedger {
  const { directory } = options;
  const folder: OwnFolder =
    directory === undefined
      ? { root: resolve(project), path: defaultDirectory }
      : { root: resolve(directory), path: "." };
  return new FilesOfOneWriter(options, folder);
}

/** A record whose caller waits until it is written. */
interface Waiting {
  readonly entry: Entry;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Entries that could not be written, and the reason. */
interface Refused {
  readonly entries: ReadonlySet<Entry>;
  readonly why: unknown;
}

class FilesOfOneWriter implements FileLedger {
  readonly directory: string;
  readonly attachments: AttachmentStore;
  readonly #folder: OwnFolder;
  readonly #writer: LedgerWriter;
  readonly #group: GroupSync;
  readonly #waits: boolean;
  #forgetExit: (() => void) | undefined;
  readonly #tooLong: TooLongRecords = { count: 0 };
  /**
   * False until a write succeeds. The first record is written at once, so that a ledger that can't
   * be written fails early.
   */
  #healthy = false;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;
  /** Delayed records of reads, not written as text yet. */
  #held: LedgerEntry[] = [];
  /** Records of this turn of the event loop, for one write at its end. */
  #queue: Waiting[] = [];
  /** Set after a write until the end of the turn. */
  #turn: NodeJS.Immediate | undefined;

  constructor(options: FileLedgerOptions, folder: OwnFolder) {
    this.directory = directoryOf(folder);
    this.#folder = folder;
    this.#writer = new LedgerWriter(folder, options.maxFileBytes ?? 64 * 1024 * 1024);
    this.#group = createGroupSync(() => this.#writer.sync(), options.syncDelayMs ?? 20);
    this.#waits = options.durability === "disk";
    this.attachments = attachmentFiles(folder, options.attachments, this.#waits);
  }

  append(entry: LedgerEntry): undefined | Promise<void> {
    if (this.#closed) throw unavailable(this.directory, new Error("it is closed"));
    // Listen for exit only once there is something to write.
    this.#forgetExit ??= atExit(() => this.#exit());
    const isRead = entry.effect === "read";
    if (isRead && this.#healthy && this.#held.length < maxHeld) {
      this.#held.push(entry);
      return this.#flushLater();
    }
    const { id, type } = entry;
    const text: Entry = { type, id, json: shortEnough(entry.json()) };
    if (isRead || this.#isAlone(text)) {
      const { entries, why } = this.#handOver([text]);
      if (entries.size > 0) throw why;
      return isRead ? undefined : this.#safeEnough();
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ entry: text, resolve, reject });
      this.#turn = (this.#turn ?? this.#atEndOfTurn()).ref();
    });
  }

  /** Returns whether no other call is in progress, so that the record is written at once. */
  #isAlone({ id, type }: Entry): boolean {
    const hasBegun = this.#writer.hasBegun(id);
    const others = this.#writer.callsBegun - (hasBegun ? 1 : 0);
    if (others > 0 || this.#queue.length > 0) return false;
    if (type === "begin" || hasBegun) return true;
    // Calls in shadow mode have only one record, so it is unknown which are in progress. Write the
    // first one of a turn at once.
    if (this.#turn !== undefined) return false;
    this.#turn = this.#atEndOfTurn().unref();
    return true;
  }

  #atEndOfTurn(): NodeJS.Immediate {
    return setImmediate(() => {
      this.#turn = undefined;
      this.#writeQueue();
    });
  }

  /**
   * Writes all records of the turn together. Each caller continues or fails by the result of its
   * own record.
   */
  #writeQueue(): void {
    const queue = this.#queue;
    if (queue.length === 0) return;
    this.#queue = [];
    const { entries, why } = this.#handOver(queue.map(({ entry }) => entry));
    for (const { entry, reject, resolve } of queue) {
      if (entries.has(entry)) reject(why);
      else {
        const waiting = this.#safeEnough();
        if (waiting === undefined) resolve();
        else waiting.then(resolve, reject);
      }
    }
  }

  #safeEnough(): undefined | Promise<void> {
    return this.#waits ? this.#group.wait() : void this.#group.request();
  }

  /**
   * Writes records, together with the delayed ones. End records of writes that were already sent
   * are kept for the next write if this one fails.
   */
  #handOver(entries: readonly Entry[]): Refused {
    const writer = this.#writer;
    this.#addHeld();
    for (const entry of entries) writer.add(entry);
    try {
      this.#flushWriter();
      return taken;
    } catch (why) {
      const refused = entries.filter((entry) => writer.isPending(entry));
      for (const entry of refused.toReversed()) {
        const left = entry.type === "end" && writer.hasBegun(entry.id);
        if (!left || writer.pendingChars > backlogChars) writer.takeBack(entry);
      }
      return { entries: new Set(refused), why };
    }
  }

  /**
   * Adds the delayed records to the writer, in order. A record that is too long is dropped, because
   * its call has already returned.
   */
  #addHeld(): void {
    const held = this.#held;
    if (held.length === 0) return;
    this.#held = [];
    for (const { type, id, json } of held) {
      const text = json();
      if (text.length <= longestRecord) this.#writer.add({ type, id, json: text });
      else tellTooLong(this.#tooLong, id);
    }
  }

  flush(): void {
    this.#writeQueue();
    this.#addHeld();
    this.#flushWriter();
  }

  #flushWriter(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      this.#writer.flush();
      this.#healthy = true;
    } catch (error) {
      this.#healthy = false;
      throw unavailable(this.directory, error);
    } finally {
      if (this.#writer.hasRetired) this.#group.request();
    }
  }

  #flushLater(): undefined {
    this.#timer ??= setTimeout(() => this.#flushQuietly(), readDelayMs).unref();
  }

  #flushQuietly(): void {
    try {
      this.flush();
    } catch {
      // Nobody could catch the error here. The next `append` tries again, and throws.
    }
  }

  async *read(filter: QueryFilter = {}): AsyncGenerator<StoredRecord> {
    this.#flushQuietly();
    yield* readRecords(this.#folder, prepareFilter(filter));
  }

  verify(): Promise<LedgerVerification> {
    this.#flushQuietly();
    return verifyFiles(this.directory);
  }

  prune(options: PruneOptions): Promise<Pruning> {
    this.#flushQuietly();
    return pruneFiles(this.#folder, options);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#forgetExit?.();
    clearTimeout(this.#timer);
    clearImmediate(this.#turn);
    this.#writeQueue();
    this.#addHeld();
    tellHowMany(this.#tooLong);
    try {
      this.#writer.end("closed");
    } catch (error) {
      throw unavailable(this.directory, error);
    } finally {
      await this.#group.settled();
      await this.#writer.sync();
      this.#group.cancel();
    }
  }

  #exit(): void {
    this.#addHeld();
    // A write whose first begin record is still queued was not sent, and never will be.
    for (const { entry } of this.#queue)
      if (entry.type !== "begin" || this.#writer.hasBegun(entry.id)) this.#writer.add(entry);
    try {
      this.#writer.end("exit");
      if (this.#group.due) this.#writer.syncNow();
    } catch {
      // The process exits: nobody can handle the error, and other ledgers must still be closed.
    }
  }
}

const taken: Refused = { entries: new Set(), why: undefined };

function shortEnough(json: string): string {
  if (json.length > longestRecord) throw new RecordTooLong(json.length, longestRecord);
  return json;
}

function unavailable(directory: string, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause);
  const instead =
    cause instanceof PlaceTaken
      ? "; put a real folder there, or name the ledger's own: `ledger: { directory: … }` of `configure` or `createRuntime`"
      : "";
  return new Error(`the ledger in ${directory} can't be written: ${why}${instead}`, { cause });
}
