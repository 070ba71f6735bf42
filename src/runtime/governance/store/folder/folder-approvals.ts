import fs from "node:fs";
import { join, posix } from "node:path";
import { folderFault } from "../../../files/folder-fault.js";
import { type LockAttempt, takeLock } from "../../../files/lock-file.js";
import {
  makeOwnFolder,
  type OwnFolder,
  refuseObstacle,
  removeOwnFile,
} from "../../../files/own-place.js";
import { openRegularHandle } from "../../../files/regular-file.js";
import { directoriesBetween, syncDirectory } from "../../../files/sync-directory.js";
import { ifThere } from "../../../files/system-code.js";
import { waitForLock } from "../../../files/wait-for-lock.js";
import { writeSynced } from "../../../files/write-synced.js";
import type { MemoryStoreOptions } from "../memory.js";
import type {
  Approval,
  ApprovalStore,
  NewApproval,
  NewRequestDecision,
  NewStoredRequest,
  RequestFilter,
  RequestState,
  SavedApproval,
  StoredRequest,
} from "../store.js";
import { StoreUnavailable } from "../store-unavailable.js";
import { approvedRequest, isSpent, limitOf, listedRequests } from "../stored-request.js";
import { usualTimeoutMs } from "../within.js";
import {
  type FileContent,
  fileContent,
  type FileKind,
  fileName,
  fileText,
  kindOfFile,
  maxFileBytes,
} from "./approval-files.js";

const lockName = "lock";
/** Pause between two attempts to take the lock, in milliseconds. A change takes less. */
const lockPauseMs = 10;
/** Number of files that are read at the same time. */
const readAtOnce = 32;
/** Maximum number of requests, so that a list stays quick. */
const maxRequests = 10_000;
/** Interval at which expired files are removed, in milliseconds. */
const sweepMs = 60_000;
/** Time for which expired files are kept, in milliseconds: the clock may be set back. */
const slackMs: { readonly [Kind in FileKind]: number } = {
  request: 60_000,
  // Calls are told for a day that their approval has expired.
  approval: 24 * 60 * 60_000,
};

/**
 * Approvals and their requests in files of one machine. Every change is made under a lock, and each
 * file is replaced as a whole. Readers take no lock.
 */
export class FolderApprovals implements ApprovalStore {
  readonly #folder: OwnFolder;
  readonly #path: string;
  readonly #now: () => number;
  readonly #monotonic: () => number;
  readonly #warned = new Set<string>();
  /** The last change of this process. */
  #last: Promise<unknown> = Promise.resolve();
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(
    folder: OwnFolder,
    {
      monotonic = () => performance.now(),
      now = Date.now,
    }: Pick<MemoryStoreOptions, "monotonic" | "now">,
  ) {
    this.#folder = folder;
    this.#path = join(folder.root, folder.path);
    this.#now = now;
    this.#monotonic = monotonic;
  }

  saveRequest({
    ttlMs,
    ...given
  }: NewStoredRequest): Promise<{ readonly request: StoredRequest; readonly isNew: boolean }> {
    return this.#change(async () => {
      await this.#sweep();
      const known = await this.#current(given.id);
      if (known !== undefined && !(await this.#isUsed(known)))
        return { request: known, isNew: false };
      await this.#makeRoom(given.id);
      const at = this.#now();
      const request: StoredRequest = { ...given, state: "pending", at, expiresAt: at + ttlMs };
      await this.#write("request", request);
      return { request, isNew: true };
    });
  }

  readRequest(id: string): Promise<StoredRequest | undefined> {
    return this.#on("read", () => this.#current(id));
  }

  async requests(filter: RequestFilter): Promise<readonly StoredRequest[]> {
    limitOf(filter);
    const names = await this.#on("read", () => this.#names("request"));
    const found: StoredRequest[] = [];
    for await (const { content } of this.#readAll("request", names))
      found.push(...listedRequests([content], filter, this.#now()));
    return listedRequests(found, filter, this.#now());
  }

  async denyRequest(id: string, decision: NewRequestDecision): Promise<RequestState | "none"> {
    // Nothing is created for an id that is unknown.
    if ((await this.readRequest(id)) === undefined) return "none";
    return this.#change(async () => {
      const request = await this.#current(id);
      if (request === undefined) return "none";
      if (request.state !== "pending") return request.state;
      const decided = { ...decision, at: this.#now() };
      await this.#write("request", { ...request, state: "denied", decision: decided });
      return "denied";
    });
  }

  saveApproval({ ttlMs, ...approval }: NewApproval): Promise<SavedApproval> {
    return this.#change(async () => {
      if ((await this.#read("approval", approval.id)) !== undefined) return "known";
      await this.#sweep();
      const known = await this.#current(approval.request);
      if (known?.state === "denied") return "denied";
      if (known === undefined) await this.#makeRoom(approval.request);
      const at = this.#now();
      const expiresAt = at + ttlMs;
      // After a crash in between, nobody knows the approval's id, and the request is pending.
      await this.#write("approval", { ...approval, at, expiresAt });
      await this.#write("request", approvedRequest(approval, { at, expiresAt, known }));
      return "saved";
    });
  }

  async readApproval(id: string): Promise<Approval | undefined> {
    const approval = await this.#on("read", () => this.#read("approval", id));
    return approval && { ...approval, isExpired: approval.expiresAt <= this.#now() };
  }

  async useApproval(id: string, callId: string): Promise<"used" | "spent" | "expired" | "none"> {
    if ((await this.readApproval(id)) === undefined) return "none";
    return this.#change(async () => {
      const approval = await this.#read("approval", id);
      if (approval === undefined) return "none";
      if (approval.usedBy !== undefined) return "spent";
      if (approval.expiresAt <= this.#now()) return "expired";
      await this.#write("approval", { ...approval, usedBy: callId });
      return "used";
    });
  }

  async returnApproval(id: string, callId: string): Promise<void> {
    if ((await this.readApproval(id))?.usedBy !== callId) return;
    await this.#change(async () => {
      const approval = await this.#read("approval", id);
      if (approval?.usedBy !== callId) return;
      const { usedBy: _, ...unused } = approval;
      await this.#write("approval", unused);
    });
  }

  /** Returns a request that has not expired. */
  async #current(id: string): Promise<StoredRequest | undefined> {
    const request = await this.#read("request", id);
    return request !== undefined && request.expiresAt > this.#now() ? request : undefined;
  }

  /** Returns whether the request's approval can't be used any more. */
  async #isUsed({ approval = "", state }: StoredRequest): Promise<boolean> {
    return state === "approved" && isSpent(await this.#read("approval", approval), this.#now());
  }

  /**
   * Checks that the folder has room for a request.
   *
   * @throws StoreUnavailable if it holds too many
   */
  async #makeRoom(id: string): Promise<void> {
    const names = await this.#names("request");
    if (names.length < maxRequests || names.includes(fileName("request", id))) return;
    throw new StoreUnavailable(
      `\`${this.#path}\` holds ${maxRequests} requests for approval, and no more are kept: delete files of requests, or wait until some expire`,
    );
  }

  /** Removes expired files, and those of writes that a crash interrupted. */
  async #sweep(): Promise<void> {
    if (this.#monotonic() - this.#sweptAt < sweepMs) return;
    this.#sweptAt = this.#monotonic();
    for (const name of await this.#names("temporary")) this.#remove(name);
    for (const kind of ["request", "approval"] as const) {
      const names = await this.#names(kind);
      for await (const { content, name } of this.#readAll(kind, names))
        if (content.expiresAt < this.#now() - slackMs[kind]) this.#remove(name);
    }
  }

  #remove(name: string): void {
    removeOwnFile(this.#folder.root, posix.join(this.#folder.path, name));
  }

  async #names(kind: FileKind | "temporary"): Promise<readonly string[]> {
    refuseObstacle(this.#folder.root, this.#folder.path, "folder");
    const names = await ifThere(fs.promises.readdir(this.#path));
    return (names ?? []).filter((each) => kindOfFile(each) === kind);
  }

  /** Reads files. It warns of one that can't be read, once, and leaves it out. */
  async *#readAll<Kind extends FileKind>(
    kind: Kind,
    names: readonly string[],
  ): AsyncGenerator<{ readonly name: string; readonly content: FileContent[Kind] }> {
    for (let at = 0; at < names.length; at += readAtOnce) {
      const some = names.slice(at, at + readAtOnce).map(async (name) => {
        const reading = this.#on("read", () => this.#readFile(kind, name), name);
        return { name, content: await reading.catch((error: unknown) => this.#warn(name, error)) };
      });
      for (const { content, name } of await Promise.all(some))
        if (content !== undefined) yield { name, content };
    }
  }

  #warn(name: string, error: unknown): undefined {
    if (!(error instanceof StoreUnavailable)) throw error;
    if (this.#warned.has(name)) return;
    this.#warned.add(name);
    process.emitWarning(`a request for approval or an approval is left out: ${error.message}`, {
      type: "SkillcGovernanceWarning",
    });
  }

  #read<Kind extends FileKind>(kind: Kind, id: string): Promise<FileContent[Kind] | undefined> {
    return this.#readFile(kind, fileName(kind, id));
  }

  async #readFile<Kind extends FileKind>(
    kind: Kind,
    name: string,
  ): Promise<FileContent[Kind] | undefined> {
    const { path: below, root } = this.#folder;
    refuseObstacle(root, posix.join(below, name), "file");
    const path = join(this.#path, name);
    const text = await ifThere(readText(path));
    return text === undefined ? undefined : fileContent(kind, { name, path, text });
  }

  async #write<Kind extends FileKind>(kind: Kind, content: FileContent[Kind]): Promise<void> {
    const name = fileName(kind, content.id);
    refuseObstacle(this.#folder.root, posix.join(this.#folder.path, name), "file");
    await writeSynced(join(this.#path, name), Buffer.from(fileText(kind, content)));
    await syncDirectory(this.#path);
  }

  /** Makes a change under the lock. Changes of this process run one after the other. */
  #change<Value>(work: () => Promise<Value>): Promise<Value> {
    const changed = this.#last.then(() => this.#on("written", () => this.#locked(work)));
    this.#last = changed.catch(() => undefined);
    return changed;
  }

  async #locked<Value>(work: () => Promise<Value>): Promise<Value> {
    const { path, root } = this.#folder;
    const made = makeOwnFolder(root, path, 0o700);
    if (made !== undefined)
      for (const each of directoriesBetween(this.#path, made)) await syncDirectory(each);
    refuseObstacle(root, posix.join(path, lockName), "file");
    const lockPath = join(this.#path, lockName);
    const wait = { timeoutMs: usualTimeoutMs, pauseMs: lockPauseMs };
    const lock = await waitForLock(() => takeLock(lockPath), wait);
    if (lock.kind === "taken") throw lockTaken(lockPath, lock);
    try {
      return await work();
    } finally {
      lock.release();
    }
  }

  /**
   * Runs work on the folder.
   *
   * @param name name of the file, for messages; the folder if absent
   * @throws StoreUnavailable instead of an error of the file system
   */
  async #on<Value>(
    doing: "read" | "written",
    work: () => Promise<Value>,
    name = ".",
  ): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      const fault = folderFault(join(this.#path, name), doing, error);
      if (fault === undefined) throw error;
      const { help, message } = fault;
      throw new StoreUnavailable(help === undefined ? message : `${message}: ${help}`);
    }
  }
}

/** Reads a regular file. It follows no link. Of a file that is too large, it reads a part. */
async function readText(path: string): Promise<string> {
  const handle = await openRegularHandle(path, { links: false });
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, maxFileBytes)));
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function lockTaken(
  path: string,
  { holder }: Extract<LockAttempt, { readonly kind: "taken" }>,
): StoreUnavailable {
  if (holder === undefined)
    return new StoreUnavailable(
      `\`${path}\` names no process that holds it: delete it if no process uses the folder`,
    );
  const host = holder.isHere ? "" : ` on ${JSON.stringify(holder.host)}`;
  return new StoreUnavailable(
    `the process ${holder.pid}${host} holds \`${path}\`: wait until it ends; if that process is something else, delete the file`,
  );
}
