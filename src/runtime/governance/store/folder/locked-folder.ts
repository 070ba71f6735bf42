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
import { StoreUnavailable } from "../store-unavailable.js";

const lockName = "lock";
/** Pause between two attempts to take the lock, in milliseconds. A change takes less. */
const lockPauseMs = 10;

/**
 * A private folder that processes of one machine share. Every change is made under a lock, and each
 * file is replaced as a whole. Readers take no lock. No link is followed.
 */
export class LockedFolder {
  /** Absolute path. */
  readonly path: string;
  readonly #folder: OwnFolder;
  readonly #lockWaitMs: number;
  /** The last change of this process. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param lockWaitMs time limit of waiting for changes of other processes, in milliseconds */
  constructor(folder: OwnFolder, lockWaitMs: number) {
    this.path = join(folder.root, folder.path);
    this.#folder = folder;
    this.#lockWaitMs = lockWaitMs;
  }

  /**
   * Makes a change under the lock, in a folder that exists. Changes of this process run one after
   * the other.
   *
   * @throws StoreUnavailable if the folder can't be written, or another process keeps the lock
   */
  change<Value>(work: () => Promise<Value>): Promise<Value> {
    const changed = this.#last.then(() => this.on("written", () => this.#locked(work)));
    this.#last = changed.catch(() => undefined);
    return changed;
  }

  /** Resolves when all changes so far have been made. */
  async changed(): Promise<void> {
    await this.#last;
  }

  /**
   * Runs work on the folder.
   *
   * @param name name of the file, for messages; the folder if absent
   * @throws StoreUnavailable instead of an error of the file system
   */
  async on<Value>(
    doing: "read" | "written",
    work: () => Promise<Value>,
    name = ".",
  ): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      const fault = folderFault(join(this.path, name), doing, error);
      if (fault === undefined) throw error;
      const { help, message } = fault;
      throw new StoreUnavailable(help === undefined ? message : `${message}: ${help}`);
    }
  }

  /** Returns the names of all entries; none if the folder is missing. */
  async names(): Promise<readonly string[]> {
    refuseObstacle(this.#folder.root, this.#folder.path, "folder");
    return (await ifThere(fs.promises.readdir(this.path))) ?? [];
  }

  /** Returns the content of a file, up to a size in bytes; undefined if there is no such file. */
  async read(name: string, maxBytes: number): Promise<Buffer | undefined> {
    refuseObstacle(this.#folder.root, this.#below(name), "file");
    return ifThere(readUpTo(join(this.path, name), maxBytes));
  }

  /** Writes a whole file. Call it in a change. */
  async write(name: string, content: Uint8Array): Promise<void> {
    refuseObstacle(this.#folder.root, this.#below(name), "file");
    await writeSynced(join(this.path, name), content);
    await syncDirectory(this.path);
  }

  /** Removes a file, if it is there. */
  remove(name: string): void {
    removeOwnFile(this.#folder.root, this.#below(name));
  }

  #below(name: string): string {
    return posix.join(this.#folder.path, name);
  }

  async #locked<Value>(work: () => Promise<Value>): Promise<Value> {
    const { path, root } = this.#folder;
    const made = makeOwnFolder(root, path, 0o700);
    if (made !== undefined)
      for (const each of directoriesBetween(this.path, made)) await syncDirectory(each);
    refuseObstacle(root, this.#below(lockName), "file");
    const lockPath = join(this.path, lockName);
    const wait = { timeoutMs: this.#lockWaitMs, pauseMs: lockPauseMs };
    const lock = await waitForLock(() => takeLock(lockPath), wait);
    if (lock.kind === "taken") throw lockTaken(lockPath, lock);
    try {
      return await work();
    } finally {
      lock.release();
    }
  }
}

/** Reads a regular file. It follows no link. Of a file that is too large, it reads a part. */
async function readUpTo(path: string, maxBytes: number): Promise<Buffer> {
  const handle = await openRegularHandle(path, { links: false });
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, maxBytes)));
    return buffer.subarray(0, bytesRead);
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
