import { randomUUID } from "node:crypto";
import { linkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { threadId } from "node:worker_threads";
import { readRegularFile } from "./regular-file.js";
import { systemCode } from "./system-code.js";
import { isRunning } from "../process.js";

/** Who holds a lock. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** On this machine, as far as its name tells. */
  readonly isHere: boolean;
}

export type LockAttempt =
  | { readonly kind: "held"; readonly release: () => void }
  /** Without a holder when the file doesn't tell one. */
  | { readonly kind: "taken"; readonly isReadable: boolean; readonly holder?: LockHolder };

/**
 * Takes a lock file, or says who has it. It names its process, as `postmaster.pid` does: the lock
 * of a process of this machine that is no more is taken over, one of another machine never.
 *
 * @param path in a folder that is there
 * @throws the file system's error when the file can't be made
 */
export function takeLock(path: string): LockAttempt {
  const id = randomUUID();
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), thread: threadId, id });
  for (;;) {
    if (create(path, mine)) return { kind: "held", release: hold(path, mine, id) };
    const content = readLock(path);
    if (content !== undefined && removeIfAbandoned(path, content)) continue;
    const holder = content === undefined ? undefined : holderOf(content);
    const isReadable = content !== undefined;
    if (holder === undefined) return { kind: "taken", isReadable };
    return { kind: "taken", isReadable, holder: { ...holder, isHere: holder.host === hostname() } };
  }
}

/** The ids of locks that this thread holds, whichever copy of this module made them. */
function heldHere(): Set<string> {
  const key = Symbol.for("skillc.locks");
  // Nothing but this function has that key.
  const known = globalThis as { [key]?: Set<string> };
  return (known[key] ??= new Set());
}

function hold(path: string, content: string, id: string): () => void {
  heldHere().add(id);
  return () => {
    heldHere().delete(id);
    if (readLock(path) === content) rmSync(path, { force: true });
  };
}

/** The lock appears with its content: a reader never sees it half written. */
function create(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}.${randomUUID()}`;
  writeFileSync(draft, content, { flag: "wx" });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    return systemCode(error) === "EEXIST" ? false : createWithoutLink(path, content);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** For file systems that have no hard links. */
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
    // What is read of it is checked.
    const { pid, host, thread = 0, id } = JSON.parse(content) as Record<string, unknown>;
    const isNamed = typeof pid === "number" && typeof host === "string" && typeof id === "string";
    return isNamed && typeof thread === "number" ? { pid, host, thread, id } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What a power failure leaves of a lock is one still; whatever else stands in its place is
 * somebody's, and never removed.
 */
function isOwn(content: string): boolean {
  return /^(?:\{"pid":|[\s\0]*$)/.test(content);
}

/**
 * Renames the lock before it deletes it. If another process was faster, and the lock is a new one
 * by now, it is put back.
 */
function removeIfAbandoned(path: string, content: string): boolean {
  const holder = holderOf(content);
  if (holder === undefined ? !isOwn(content) : !isAbandoned(holder)) return false;
  const renamed = `${path}.${process.pid}.${randomUUID()}`;
  try {
    renameSync(path, renamed);
  } catch (error) {
    // Gone by itself, or not ours to move.
    return systemCode(error) === "ENOENT";
  }
  if (readLock(renamed) !== content) {
    try {
      linkSync(renamed, path);
    } catch {
      // A third process holds it now, which is as good.
    }
  }
  rmSync(renamed, { force: true });
  return true;
}

/** In containers a process often has the number that the one before it had. */
function isAbandoned({ pid, host, thread, id }: Named): boolean {
  if (host !== hostname()) return false;
  if (pid !== process.pid) return !isRunning(pid);
  return thread === threadId && !heldHere().has(id);
}
