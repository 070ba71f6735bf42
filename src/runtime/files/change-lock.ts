/**
 * Locks files while they are changed: from the reading of the old content to the rename of the new.
 * The lock is a file beside the changed one, because only that folder is surely shared by all
 * processes that may change the file. Its path goes through the open folder, so another spelling of
 * the path leads to the same lock. Changes of one process are made in the order of their calls.
 * A change of many files locks their folders (`folder-lock.ts`).
 */
import fs from "node:fs/promises";
import { onAborted } from "../on-aborted.js";
import { setTimeout as pause } from "node:timers/promises";
import { seeLock, takeLock } from "./lock-file.js";
import { folderLockName, lockNameOf } from "./names-beside.js";
import type { OpenParent } from "./open-judged.js";
import { systemCode } from "./system-code.js";
import { waitForLock } from "./wait-for-lock.js";

/** The part of a call's attempt that waits for a lock. */
export interface ChangeWait {
  /** Stops the waiting. */
  readonly signal: AbortSignal;
  /** Remaining time in milliseconds; no limit if absent. */
  readonly remainingMs?: number | undefined;
  /** Called when all locks are held. From then on, the change may be made. */
  begin(): void;
}

/** Options of a lock. */
export interface LockOptions {
  readonly wait: ChangeWait;
  /** True for a change that frees space: on a full disk, it goes on without a lock. */
  readonly freesSpace?: boolean;
}

/** Proves that the files of a change are locked. */
export class ChangeLock {
  readonly #releases: (() => void)[] = [];

  /** Adds what ends the lock. */
  add(release: () => void): void {
    this.#releases.push(release);
  }

  /** Ends the lock. It never throws, because the change may have been made. */
  release(): void {
    for (const each of this.#releases.splice(0)) {
      try {
        each();
      } catch {
        // The file stays. It names this process, which takes the lock over with its next change.
      }
    }
  }
}

/** The error for a file that somebody else keeps locked. */
export class FileLocked extends Error {
  override readonly name = "FileLocked";

  /** @param pid process that holds the lock; undefined if the lock names none */
  constructor(lockName: string, pid: number | undefined) {
    super(
      pid === undefined
        ? `\`${lockName}\` beside the file should be a lock, but it names no process: delete it`
        : `the process ${pid} is changing the file: wait until it ends; if that process is something else, delete \`${lockName}\` beside the file`,
    );
  }
}

/** Pause between two attempts to take a lock, in milliseconds. Most changes take less. */
const pauseMs = 5;
/** Share of the remaining time that a call waits. In the rest it can report who holds the lock. */
const waitingShare = 0.9;

/**
 * Runs a change while no other process changes the same files.
 *
 * @param parents open folders, in which the files have their `name`
 * @throws FileLocked if another process keeps a lock; the reason of the signal; also the file
 * system's error
 */
export async function whileLocked<Result>(
  parents: readonly OpenParent[],
  options: LockOptions,
  run: (lock: ChangeLock) => Promise<Result>,
): Promise<Result> {
  const { signal, remainingMs = Infinity } = options.wait;
  const until = performance.now() + remainingMs * waitingShare;
  for (;;) {
    const locked = await whileFilesLocked(parents, { ...options, until }, run);
    if ("result" in locked) return locked.result;
    await untilUnlocked(locked.folder, until, signal);
  }
}

interface Waiting extends LockOptions {
  /** End of the waiting, by `performance.now()`. */
  readonly until: number;
}

/** Returns a folder that somebody has locked. Nothing was done then, and no file stays locked. */
async function whileFilesLocked<Result>(
  parents: readonly OpenParent[],
  options: Waiting,
  run: (lock: ChangeLock) => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly folder: OpenParent }> {
  const { wait } = options;
  const places = new Map(
    await Promise.all(parents.map(async (each) => [await identityOf(each), each] as const)),
  );
  const lock = new ChangeLock();
  try {
    // All processes take locks in one order, so that no two wait for each other.
    for (const [identity, parent] of [...places].toSorted(([one], [other]) =>
      one < other ? -1 : 1,
    ))
      await take(lock, { ...options, identity, parent });
    wait.signal.throwIfAborted();
    const folder = parents.find(({ at }) => seeLock(at(folderLockName)) !== undefined);
    if (folder !== undefined) return { folder };
    wait.begin();
    return { result: await run(lock) };
  } finally {
    lock.release();
  }
}

async function untilUnlocked({ at }: OpenParent, until: number, signal: AbortSignal) {
  for (;;) {
    const seen = seeLock(at(folderLockName));
    if (seen === undefined) return;
    if (performance.now() >= until) throw new FileLocked(folderLockName, seen.holder.pid);
    await pause(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Returns one text for a file, however its path was written. */
async function identityOf({ at, name }: OpenParent): Promise<string> {
  const { dev, ino } = await fs.stat(at("."), { bigint: true });
  return [dev, ino, lockNameOf(name)].join(":");
}

/** The last change of each file that this process changes. */
const turns = new Map<string, Promise<void>>();

interface Place extends Waiting {
  readonly identity: string;
  readonly parent: OpenParent;
}

async function take(
  lock: ChangeLock,
  { freesSpace = false, identity, parent, until, wait }: Place,
): Promise<void> {
  const before = turns.get(identity);
  const turn = new Promise<void>((resolve) => lock.add(resolve));
  turns.set(identity, turn);
  lock.add(() => {
    if (turns.get(identity) === turn) turns.delete(identity);
  });
  if (before !== undefined) await untilAborted(before, wait.signal);
  await parent.check();
  try {
    await takeFile(lock, parent, { until, signal: wait.signal });
  } catch (error) {
    const code = systemCode(error);
    if (!freesSpace || (code !== "ENOSPC" && code !== "EDQUOT")) throw error;
  }
}

async function takeFile(
  lock: ChangeLock,
  parent: OpenParent,
  { signal, until }: { readonly signal: AbortSignal; readonly until: number },
): Promise<void> {
  const lockName = lockNameOf(parent.name);
  const path = parent.at(lockName);
  const timeoutMs = Math.max(0, until - performance.now());
  const found = await waitForLock(() => takeLock(path), { pauseMs, signal, timeoutMs });
  if (found.kind === "taken") throw new FileLocked(lockName, found.holder?.pid);
  lock.add(found.release);
}

/** Waits for work that never rejects. It rejects with the signal's reason if the signal aborts. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let forget = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    forget = onAborted(signal, () => reject(signal.reason as Error));
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    forget();
  }
}
