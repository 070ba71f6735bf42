import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { shown } from "../../core/names.js";
import { CommandFailure, systemCode } from "../exit.js";

export interface LockOptions {
  /** Milliseconds to wait for another holder. */
  readonly patience: number;
  /** Called once, when the lock is there already; without a holder when the file doesn't tell one. */
  readonly onWait?: (holder: number | undefined) => void;
}

/**
 * Holds a lock file while `action` runs, so that two processes don't write one output folder at once. The lock of a process that is no
 * more is taken over.
 *
 * @throws CommandFailure when it stays taken longer than `patience`
 */
export async function withLock<T>(
  path: string,
  options: LockOptions,
  action: () => Promise<T>,
): Promise<T> {
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  await acquire(path, mine, options);
  try {
    return await action();
  } finally {
    if (readLock(path) === mine) rmSync(path, { force: true });
  }
}

const pause = 50;

async function acquire(
  path: string,
  mine: string,
  { patience, onWait }: LockOptions,
): Promise<void> {
  const deadline = performance.now() + patience;
  let told = false;
  while (!create(path, mine)) {
    const held = readLock(path);
    if (held !== undefined && removeIfAbandoned(path, held)) continue;
    const holder = held === undefined ? undefined : holderOf(held);
    if (!told) onWait?.(holder?.pid);
    told = true;
    if (performance.now() >= deadline) throw stillTaken(path, held, holder);
    await wait(pause);
  }
}

function stillTaken(
  path: string,
  held: string | undefined,
  holder: Holder | undefined,
): CommandFailure {
  if (holder === undefined) {
    return CommandFailure.input(
      `the lock \`${path}\` can't be ${held === undefined ? "read" : "removed"}`,
      "end every other `skillc generate` on this project, then delete it",
    );
  }
  const { host, pid } = holder;
  const isHere = host === hostname();
  return CommandFailure.input(
    `another \`skillc generate\` (process ${pid}${isHere ? "" : ` on \`${shown(host)}\``}) is at work on this project`,
    isHere
      ? `wait for it to end; if there is none, delete \`${path}\``
      : `wait for it to end; if that machine is no more, or has another name by now, delete \`${path}\``,
  );
}

/** The lock appears with its content: a reader never sees it half written. */
function create(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}.${randomUUID()}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(draft, content);
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
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

interface Holder {
  readonly pid: number;
  readonly host: string;
}

function holderOf(content: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value !== "object" || value === null || !("pid" in value) || !("host" in value))
      return undefined;
    const { pid, host } = value;
    return typeof pid === "number" && typeof host === "string" ? { pid, host } : undefined;
  } catch {
    return undefined;
  }
}

/** Moved aside before it is deleted: if another process was faster and the lock is new by now, it is put back. */
function removeIfAbandoned(path: string, content: string): boolean {
  const holder = holderOf(content);
  if (holder !== undefined && (holder.host !== hostname() || isAlive(holder.pid))) return false;
  const aside = `${path}.${process.pid}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    // Gone by itself, or not ours to move.
    return systemCode(error) === "ENOENT";
  }
  if (readLock(aside) !== content) {
    try {
      linkSync(aside, path);
    } catch {
      // A third process holds it now, which is as good.
    }
  }
  rmSync(aside, { force: true });
  return true;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}
