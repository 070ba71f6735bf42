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

export interface FileLedgerOptions {
  /**
   * `.skillc/ledger` below the project's folder when not given. Made with the first record. A
   * folder that is named here may be a link, or be reached by one; the usual one may not, as a link
   * may have come with the project from elsewhere.
   */
  readonly directory?: string;
  /**
   * When a write's record is safe enough for the call to go on. `os`: when the operating system has
   * it, which a killed process doesn't undo; the disk gets it within `syncDelayMs`. `disk`: when
   * the disk has it, which a power failure doesn't undo.
   */
  readonly durability?: "os" | "disk";
  /** What is kept beside records: whole results, and bytes that calls produced; none when not given. */
  readonly attachments?: AttachmentPolicy;
  /** A file that has reached this size is left for a new one; 64 MiB when not given. */
  readonly maxFileBytes?: number;
  /**
   * How long records may gather before they are synced to disk together, in milliseconds; 20 when
   * not given.
   */
  readonly syncDelayMs?: number;
}

/**
 * The default store: append-only JSON Lines, one file a writer, each line chained to the one before
 * by SHA-256.
 */
export interface FileLedger extends LedgerStore {
  /** Absolute. */
  readonly directory: string;
  /** Hands over what is still buffered. @throws when it can't be kept */
  flush(): void;
}

/** Records of reads are held back this long, to be written together. In milliseconds. */
const readDelayMs = 5;
/** As many records are held back at most. */
const maxHeld = 100;
/**
 * Outcomes of writes that couldn't be recorded are kept up to this, in characters, and tried again.
 */
const backlogChars = 1024 * 1024;

/**
 * A ledger in files. While it can't be written, `append` throws, and each new record tries again.
 * The end of a write whose begin record is written is also kept, within bounds, and goes out before
 * the next record that can be: the write has left, and its outcome is known.
 *
 * @param project whose `.skillc/ledger` it is when the options name no folder; the working
 *   directory when not given
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

/** What a write did not take. */
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
  /** The first record goes out at once, so that a ledger that can't be written shows with it. */
  #healthy = false;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;
  /** Records that no call waits for, not written as text yet. */
  #held: LedgerEntry[] = [];
  /** Records of this turn of the event loop, for one write at its end. */
  #queue: Waiting[] = [];
  /** Set from a write until the turn ends in which it was made. */
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
    // One that is only read has nothing to hand over.
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

  /** Without another call under way there is nothing to share a write with: it is made at once. */
  #isAlone({ id, type }: Entry): boolean {
    const hasBegun = this.#writer.hasBegun(id);
    const others = this.#writer.callsBegun - (hasBegun ? 1 : 0);
    if (others > 0 || this.#queue.length > 0) return false;
    if (type === "begin" || hasBegun) return true;
    // Of calls that have one record, as those in shadow mode, nobody knows which are under way: the
    // first of a turn is alone.
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
   * One write for all that the turn has brought. Each caller goes on, or fails, by what became of
   * its own record.
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
   * Hands records over, in one write with whatever was held back. Of those that it doesn't take,
   * the ends of writes that have left are kept for the next one.
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
   * What was held back goes to the writer, in order. One that is too long is left out: nobody waits
   * for it any more.
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
      // Nobody could catch it here. The next `append` tries again, and throws.
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
    // A write whose first begin record is still here has not left, and never will.
    for (const { entry } of this.#queue)
      if (entry.type !== "begin" || this.#writer.hasBegun(entry.id)) this.#writer.add(entry);
    try {
      this.#writer.end("exit");
      if (this.#group.due) this.#writer.syncNow();
    } catch {
      // The process is going: there is nobody left to tell, and other ledgers still have to be
      // closed.
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
