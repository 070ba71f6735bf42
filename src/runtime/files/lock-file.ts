import { hash, randomUUID } from "node:crypto";
import { linkSync, lstatSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { readRegularFile } from "./regular-file.js";
import { systemCode } from "./system-code.js";
import { atExit, isRunning } from "../process.js";

/** The holder of a lock. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** True if the holder is on this machine, as far as the host's name shows. */
  readonly isHere: boolean;
}

/** Result of taking a lock. */
export type LockAttempt =
  /** `release` ends the lock. It takes the present path of the file, if that has changed. */
  | { readonly kind: "held"; readonly release: (path?: string) => void }
  /** The lock is taken. `holder` is absent if the file names none. */
  | { readonly kind: "taken"; readonly isReadable: boolean; readonly holder?: LockHolder };

/**
 * Takes a lock file, or returns its holder. The file names its process, as `postmaster.pid` does. A
 * lock of an ended process on this machine is taken over; a lock of another machine never is. A
 * process that exits releases its locks, because in a container that starts again the host's name
 * differs, and nobody would take them over.
 *
 * @param path path in an existing folder
 * @param later path of the same file for the exit of the process, if `path` may lead nowhere then
 * @throws the file system's error if the file can't be created
 */
export function takeLock(path: string, later = path): LockAttempt {
  const id = randomUUID();
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), thread: threadId, id });
  for (;;) {
    if (create(path, mine)) return { kind: "held", release: hold({ path, later }, mine, id) };
    const content = readLock(path);
    if (content !== undefined && removeIfAbandoned(path, content)) continue;
    const holder = content === undefined ? undefined : holderOf(content);
    const isReadable = content !== undefined;
    if (holder === undefined) return { kind: "taken", isReadable };
    return { kind: "taken", isReadable, holder: { ...holder, isHere: holder.host === hostname() } };
  }
}

/** A lock that somebody holds. */
export interface SeenLock {
  readonly holder: LockHolder;
  /** True if this thread holds the lock. */
  readonly isOwn: boolean;
  /** Content of the file; each lock has another. */
  readonly content: string;
}

/** Looks at a lock without taking it; undefined if nobody holds it. */
export function seeLock(path: string): SeenLock | undefined {
  const found = wholeLock(path);
  if (found === undefined || isAbandoned(found.named)) return undefined;
  const { content, named } = found;
  const isHere = named.host === hostname();
  const isOwn = isHere && named.pid === process.pid && heldHere().has(named.id);
  return { content, isOwn, holder: { pid: named.pid, host: named.host, isHere } };
}

/** Maximum size of a lock, in bytes: a host's name has at most 255. */
const maxLockBytes = 1024;

/** Returns whether a file is a lock, of a process that runs or has ended, and holds nothing else. */
export function isLock(path: string): boolean {
  return wholeLock(path) !== undefined;
}

/** Reads a lock. A file with more in it belongs to somebody else. */
function wholeLock(path: string): { readonly content: string; readonly named: Named } | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size > maxLockBytes) return undefined;
  const content = readLock(path);
  const named = content === undefined ? undefined : holderOf(content);
  if (content === undefined || named === undefined) return undefined;
  const { host, id, pid, thread } = named;
  const isWhole = uuidForm.test(id) && JSON.stringify({ pid, host, thread, id }) === content;
  return isWhole ? { content, named } : undefined;
}

const uuidForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Returns the ids of locks that this thread holds, for all copies of this module. */
function heldHere(): Set<string> {
  const key = Symbol.for("skillc.locks");
  // Only this function uses the key.
  const known = globalThis as { [key]?: Set<string> };
  return (known[key] ??= new Set());
}

function hold(
  { later, path }: { readonly path: string; readonly later: string },
  content: string,
  id: string,
): (path?: string) => void {
  heldHere().add(id);
  const release = (now = path): void => {
    forgetExit();
    heldHere().delete(id);
    if (readLock(now) === content) rmSync(now, { force: true });
  };
  const forgetExit = atExit(() => {
    try {
      release(later);
    } catch {
      // The file stays. It names this process, so that others can take the lock over.
    }
  });
  return release;
}

/**
 * Removes the drafts of locks in a folder. A process leaves a draft behind if it is killed while it
 * takes a lock.
 *
 * @param lockName the lock whose drafts are removed; those of all locks if absent, in a folder of
 *   skillc
 * @throws the file system's error
 */
export function removeLockDrafts(folder: string, lockName = ""): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(lockName)) continue;
    const taker = draftForm.exec(name)?.[1];
    if (taker !== undefined && !isRunning(Number(taker)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** Name of a draft: that of its lock, the id of its process, and a UUID. */
const draftForm = /\.lock(?:\.over-[\da-f]{16})?\.(\d+)\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Creates the lock together with its content, so that a reader never sees it half written. */
function create(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}.${randomUUID()}`;
  try {
    writeFileSync(draft, content, { flag: "wx" });
    return link(draft, path, content);
  } finally {
    rmSync(draft, { force: true });
  }
}

function link(draft: string, path: string, content: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    return systemCode(error) === "EEXIST" ? false : createWithoutLink(path, content);
  }
}

/** Creates the lock on a file system without hard links. */
function createWithoutLink(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: "wx" });
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

function readLock(path: string): string | undefined {
  try {
    return readRegularFile(path, { links: false }).toString("utf8");
  } catch {
    return undefined;
  }
}

interface Named {
  readonly pid: number;
  readonly host: string;
  readonly thread: number;
  readonly id: string;
}

function holderOf(content: string): Named | undefined {
  try {
    // The fields are checked below.
    const { pid, host, thread = 0, id } = JSON.parse(content) as Record<string, unknown>;
    const isNamed = typeof pid === "number" && typeof host === "string" && typeof id === "string";
    return isNamed && typeof thread === "number" ? { pid, host, thread, id } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a file is a lock, or the rest of one after a power failure. Anything else belongs
 * to somebody and is never removed.
 */
function isOwn(content: string): boolean {
  return /^(?:\{"pid":|[\s\0]*$)/.test(content);
}

/**
 * Removes an abandoned lock. Several processes may see the same one. Only the process that holds a
 * second lock, which is named by the content of the first, removes it. So nobody removes the new
 * lock of another process.
 */
function removeIfAbandoned(path: string, content: string): boolean {
  const holder = holderOf(content);
  if (holder === undefined ? !isOwn(content) : !isAbandoned(holder)) return false;
  const removal = takeLock(`${path}.over-${hash("sha256", content, "hex").slice(0, 16)}`);
  if (removal.kind === "taken") return false;
  try {
    if (readLock(path) === content) rmSync(path, { force: true });
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    // It may not be removed.
    return false;
  } finally {
    removal.release();
  }
}

/**
 * Returns whether a lock's process has ended. In containers, a process often has the id of the one
 * before.
 */
function isAbandoned({ pid, host, thread, id }: Named): boolean {
  if (host !== hostname()) return false;
  if (pid !== process.pid) return !isRunning(pid);
  return thread === threadId && !heldHere().has(id);
}
