/**
 * Locks folders while many of their files are changed, as a restore does. Locking each file would
 * take too long. Whoever changes one file (`change-lock.ts`) locks the file, and then looks for a
 * lock of its folder. Whoever changes many files locks their folders, and then waits until files
 * that were locked before are not. So of two changes at the same time, one sees the other.
 */
import fs from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  type LockAttempt,
  type LockHolder,
  removeLockDrafts,
  seeLock,
  takeLock,
} from "./lock-file.js";
import { folderLockName, isLockName } from "./names-beside.js";
import { type OpenParent, openJudgedFolder, PathChanged } from "./open-judged.js";
import { systemCode } from "./system-code.js";
import { waitForLock } from "./wait-for-lock.js";

/** Limits of the wait for locks that others hold. */
export interface FolderLockOptions {
  /** Time limit of waiting for all locks, in milliseconds. */
  readonly timeoutMs: number;
  /** Stops the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** `true` does not wait for files that this thread has locked, because its caller may hold them. */
  readonly ignoresOwnFiles?: boolean;
}

/** The error for a folder of which somebody else keeps a file, or the folder itself, locked. */
export class FolderLocked extends Error {
  override readonly name = "FolderLocked";

  /**
   * @param path absolute path of the lock
   * @param holder process that holds the lock; undefined if the lock names none
   */
  constructor(
    readonly path: string,
    holder: LockHolder | undefined,
  ) {
    super(
      holder === undefined
        ? "a file should be a lock, but it names no process: delete it"
        : `the process ${holder.pid} is changing a file: wait until it ends; if that process is something else, delete the lock`,
    );
  }
}

/** Pause between two looks at a lock, in milliseconds. */
const pauseMs = 5;

/**
 * Locks folders. Nothing locks folders that are missing, or links, or that this process may not
 * change.
 *
 * @param paths absolute paths, without links
 * @returns what ends the locks; it never rejects
 * @throws FolderLocked; the reason of the signal; also the file system's error
 */
export async function lockFolders(
  paths: Iterable<string>,
  options: FolderLockOptions,
): Promise<() => Promise<void>> {
  const releases: (() => Promise<void>)[] = [];
  const release = async (): Promise<void> => {
    for (const each of releases.splice(0)) await each();
  };
  const until = performance.now() + options.timeoutMs;
  try {
    // All processes lock in one order, so that no two wait for each other.
    for (const path of [...new Set(paths)].toSorted()) {
      const folder = await openedFolder(path);
      try {
        const held = folder && (await lockFolder(folder, { ...options, until }));
        if (held !== undefined) releases.push(() => releaseAt(path, held));
        if (folder !== undefined) await filesUnlocked(folder, { ...options, until });
      } finally {
        await folder?.close();
      }
    }
    return release;
  } catch (error) {
    await release();
    options.signal?.throwIfAborted();
    throw error;
  }
}

interface Waiting extends Omit<FolderLockOptions, "timeoutMs"> {
  /** End of the waiting, by `performance.now()`. */
  readonly until: number;
}

type Held = Extract<LockAttempt, { readonly kind: "held" }>;

/** Returns undefined for a folder that is missing, can't be read, or is a link. */
async function openedFolder(path: string): Promise<OpenParent | undefined> {
  try {
    return await openJudgedFolder({ path });
  } catch (error) {
    const code = systemCode(error);
    const isMissing = error instanceof PathChanged || code === "ENOENT" || code === "ENOTDIR";
    if (!isMissing && code !== "EACCES") throw error;
    return undefined;
  }
}

/** Errors of the system with which a change goes on without a lock. It needs no more space. */
const unlockable = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT"]);

async function lockFolder(
  folder: OpenParent,
  { signal, until }: Waiting,
): Promise<Held | undefined> {
  const timeoutMs = Math.max(0, until - performance.now());
  const path = folder.at(folderLockName);
  // The folder is closed while it is locked.
  const later = join(folder.path, folderLockName);
  try {
    const waiting = { timeoutMs, pauseMs, ...(signal !== undefined && { signal }) };
    const found = await waitForLock(() => takeLock(path, later), waiting);
    if (found.kind === "held") {
      removeLockDrafts(folder.at("."), folderLockName);
      return found;
    }
    throw new FolderLocked(later, found.holder);
  } catch (error) {
    if (!unlockable.has(systemCode(error) ?? "")) throw error;
    return undefined;
  }
}

/** Waits for the locks of files that are there now. Later ones give way to that of the folder. */
async function filesUnlocked(
  folder: OpenParent,
  { ignoresOwnFiles = false, signal, until }: Waiting,
): Promise<void> {
  for (const name of fs.readdirSync(folder.at("."))) {
    if (!isLockName(name) || name === folderLockName) continue;
    const first = seeLock(folder.at(name));
    if (first === undefined || (ignoresOwnFiles && first.isOwn)) continue;
    while (seeLock(folder.at(name))?.content === first.content) {
      if (performance.now() >= until) throw new FolderLocked(join(folder.path, name), first.holder);
      await wait(pauseMs, undefined, { ...(signal !== undefined && { signal }) });
    }
  }
}

/** A folder that was moved away has taken its lock along. */
async function releaseAt(path: string, { release }: Held): Promise<void> {
  const folder = await openJudgedFolder({ path }).catch(() => undefined);
  try {
    release(folder?.at(folderLockName));
  } catch {
    // The lock stays. It names this process, which takes it over with its next change.
  } finally {
    await folder?.close();
  }
}
