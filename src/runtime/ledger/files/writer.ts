import { hostname } from "node:os";
import { basename, join } from "node:path";
import { makeOwnFolder, type OwnFolder } from "../../files/own-place.js";
import { directoriesBetween, syncDirectory } from "../../files/sync-directory.js";
import { directoryOf, fileNameOf, newWriterId, parseFileName } from "./file-name.js";
import {
  type ChainHead,
  chainStart,
  linkedLine,
  type LinkedLine,
  mayFollowBegin,
} from "../chain/line.js";
import { OpenFile } from "./open-file.js";
import type { CloseReason, CloseRecord, OpenRecord } from "../chain/chain-record.js";
import { systemCode } from "../../files/system-code.js";
import { seenHeads } from "./file-ends.js";
import { keepSummary, smallestSummarized } from "./summary.js";

/** A record that waits to be written. */
export interface Entry {
  readonly type: "begin" | "end" | "settle" | "open" | "close" | "prune";
  /** Id of the call; empty for the writer's own records. */
  readonly id: string;
  readonly json: string;
}

/**
 * Maximum size of one write to the operating system, in characters, unless a single record is
 * longer.
 */
const longestWrite = 4 * 1024 * 1024;

/** How often a writer checks that its file still exists, in milliseconds. */
const lookEveryMs = 1000;

/**
 * One writer's chain of records, in one or more files. Entries are linked into the chain when they
 * are written, so that a failed write leaves no gap.
 */
export class LedgerWriter {
  readonly #folder: OwnFolder;
  readonly #directory: string;
  readonly #maxFileBytes: number;
  readonly #id = newWriterId();
  #head: ChainHead = chainStart;
  #part = 0;
  /** Number of lines, including the first one. */
  #linesInFile = 0;
  #file: OpenFile | undefined;
  #lookedAt = 0;
  readonly #pending: Entry[] = [];
  #pendingChars = 0;
  /** Calls that have begun and not ended, with the numbers of their last begin records. */
  readonly #begun = new Map<string, number>();
  #retired: OpenFile[] = [];
  /** Names of full files for which a summary is still to be written. */
  #full: string[] = [];
  #unsyncedDirectories: readonly string[] = [];

  constructor(folder: OwnFolder, maxFileBytes: number) {
    this.#folder = folder;
    this.#directory = directoryOf(folder);
    this.#maxFileBytes = maxFileBytes;
  }

  /** Size of the entries that wait to be written, in characters. */
  get pendingChars(): number {
    return this.#pendingChars;
  }

  /** True if files that are no longer written must still be synced and closed. */
  get hasRetired(): boolean {
    return this.#retired.length > 0;
  }

  /** Number of calls that have begun and not ended. */
  get callsBegun(): number {
    return this.#begun.size;
  }

  /** Returns whether the call's begin record is written and its end record is not. */
  hasBegun(id: string): boolean {
    return this.#begun.has(id);
  }

  add(entry: Entry): void {
    this.#pending.push(entry);
    this.#pendingChars += entry.json.length;
  }

  /** Returns whether an entry was added and is not written. */
  isPending(entry: Entry): boolean {
    return this.#pending.includes(entry);
  }

  /** Removes an entry that is not written. */
  takeBack(entry: Entry): void {
    const at = this.#pending.lastIndexOf(entry);
    if (at < 0) return;
    this.#pending.splice(at, 1);
    this.#pendingChars -= entry.json.length;
  }

  /**
   * Writes all pending entries to the operating system.
   *
   * @throws the system's error; entries that were not written stay pending
   */
  flush(): void {
    if (this.#pending.length > 0) this.#lookForFile();
    while (this.#pending.length > 0) this.#writeSome();
  }

  /** Writes as many entries as fit into the file and into one string. */
  #writeSome(): void {
    if (this.#file && this.#file.bytes >= this.#maxFileBytes) this.#rotate(this.#file);
    const file = (this.#file ??= this.#create());
    if (file.bytes === 0) this.#addFirst(this.#header());
    const failure = this.#write(file);
    if (failure === undefined) return;
    if (file.bytes === 0) this.#dropFirst();
    if (isTooLong(failure) && this.#linesInFile > 1) this.#rotate(file);
    // The file was rotated, so the next file takes the rest.
    if (this.#file !== file) return;
    if (file.torn) this.#retire(file);
    throw failure;
  }

  #addFirst(entry: Entry): void {
    this.#pending.unshift(entry);
    this.#pendingChars += entry.json.length;
  }

  #dropFirst(): void {
    this.#pendingChars -= this.#pending.shift()?.json.length ?? 0;
  }

  /** Links and appends the first pending entries. Returns the error if that failed. */
  #write(file: OpenFile): unknown {
    const lines: LinkedLine[] = [];
    // A single record can't follow a begin record of the same write.
    const begun = this.#pending.length > 1 ? new Map<string, number>() : undefined;
    const most = Math.min(longestWrite, this.#maxFileBytes - file.bytes);
    let head = this.#head;
    let text = "";
    for (const { type, id, json } of this.#pending) {
      const begin = mayFollowBegin(type) ? (begun?.get(id) ?? this.#begun.get(id)) : undefined;
      if (type === "begin") begun?.set(id, head.seq);
      const line = linkedLine(head, begin, json);
      lines.push(line);
      head = line.head;
      text += line.text;
      // A file has at least one record besides its opening record.
      if (text.length >= most && type !== "open") break;
    }
    const appended = file.append(text);
    this.#written(lines, appended.lines);
    return appended.error;
  }

  /**
   * Removes written entries from the pending ones.
   *
   * @param count number of the lines that are in the file
   */
  #written(lines: readonly LinkedLine[], count: number): void {
    const entries = this.#pending.splice(0, count);
    entries.forEach(({ id, json, type }, index) => {
      const line = lines[index];
      if (type === "begin" && line) this.#begun.set(id, line.head.seq - 1);
      else if (type === "end") this.#begun.delete(id);
      this.#pendingChars -= json.length;
    });
    this.#head = lines[count - 1]?.head ?? this.#head;
    this.#linesInFile += count;
  }

  #create(): OpenFile {
    const made = makePlace(this.#folder);
    const part = this.#part + 1;
    const file = new OpenFile(join(this.#directory, fileNameOf(Date.now(), this.#id, part)));
    this.#part = part;
    this.#linesInFile = 0;
    this.#lookedAt = Date.now();
    this.#unsyncedDirectories = directoriesBetween(this.#directory, made);
    return file;
  }

  #header(): Entry {
    const header: OpenRecord = {
      type: "open",
      format: 1,
      time: new Date().toISOString(),
      writer: this.#id,
      part: this.#part,
      pid: process.pid,
      host: hostname(),
      seen: this.#head === chainStart ? seenHeads(this.#directory) : [],
    };
    return { type: "open", id: "", json: JSON.stringify(header) };
  }

  /**
   * Continues in a new file. If none can be created, it continues in the old one, because a file
   * that is too long is better than a lost record.
   */
  #rotate(old: OpenFile): void {
    let next: OpenFile;
    try {
      next = this.#create();
    } catch {
      return;
    }
    this.#close(old, "rotated");
    this.#retire(old);
    if (old.bytes >= smallestSummarized) this.#full.push(basename(old.path));
    this.#file = next;
  }

  /**
   * Writes the close record. A failure is ignored, because the next file's first line shows whether
   * lines are missing.
   */
  #close(file: OpenFile, reason: CloseReason): void {
    const record: CloseRecord = { type: "close", time: new Date().toISOString(), reason };
    const line = linkedLine(this.#head, undefined, JSON.stringify(record));
    if (!file.torn && file.append(line.text).lines > 0) this.#head = line.head;
  }

  #retire(file: OpenFile): void {
    this.#retired.push(file);
    if (this.#file === file) this.#file = undefined;
  }

  /** Checks that the file still exists: everything written to a deleted file is lost silently. */
  #lookForFile(): void {
    const now = Date.now();
    if (!this.#file || now - this.#lookedAt < lookEveryMs) return;
    this.#lookedAt = now;
    if (this.#file.isGone()) this.#retire(this.#file);
  }

  /** Syncs everything that was written to disk, and closes files that are no longer written. */
  async sync(): Promise<void> {
    const file = this.#file;
    const retired = this.#retired;
    this.#retired = [];
    const directories = this.#unsyncedDirectories;
    this.#unsyncedDirectories = [];
    const done = await Promise.allSettled([
      file?.sync().catch((error: unknown) => this.#abandon(file, error)),
      ...retired.map((each) => each.sync().finally(() => each.close())),
      ...directories.map(syncDirectory),
    ]);
    const failed = done.find((each) => each.status === "rejected");
    if (failed) throw failed.reason;
    for (const name of this.#full.splice(0)) this.#summarize(name);
  }

  /** Writes a summary in the background. If it is missing, a reader writes it. */
  #summarize(name: string): void {
    const file = parseFileName(name);
    if (file !== undefined) void keepSummary(this.#folder, file);
  }

  /**
   * Stops using a file after a failed sync, because the system may have dropped data and would not
   * report that again.
   */
  #abandon(file: OpenFile, error: unknown): never {
    // If the file was already retired, it is closed with the other retired ones.
    if (this.#file === file) {
      this.#file = undefined;
      file.close();
    }
    throw error;
  }

  /**
   * Writes pending entries and the close record.
   *
   * @throws as `flush` does
   */
  end(reason: CloseReason): void {
    this.flush();
    if (this.#file && this.#file.bytes > 0) this.#close(this.#file, reason);
    if (this.#file) this.#retire(this.#file);
  }

  /** Syncs synchronously, for a process that is exiting. */
  syncNow(): void {
    for (const file of this.#retired) file.syncNow();
  }
}

/** Returns whether the system doesn't let the file grow (`ulimit -f`). */
function isTooLong(error: unknown): boolean {
  return systemCode(error) === "EFBIG";
}

/**
 * Creates the ledger's folder, readable only by the owner because parameters may be personal.
 * Returns the first folder that had to be created.
 */
function makePlace({ path, root }: OwnFolder): string | undefined {
  return makeOwnFolder(root, path, 0o700);
}
