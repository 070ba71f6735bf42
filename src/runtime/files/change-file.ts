/**
 * Changes files that callers name. Every change goes through `changeFile`, so that a copy of the
 * old file can be taken in one place. A change is whole or not made: new content is written beside
 * the file, synced, and then renamed. The caller holds a lock, so no other change comes between.
 */
import type { BigIntStats, Stats } from "node:fs";
import fs from "node:fs/promises";
import { join } from "node:path";
import type { Keeper } from "../rollback/tool-rollback.js";
import type { ChangeLock } from "./change-lock.js";
import { unfinishedName } from "./names-beside.js";
import { type OpenParent, PathChanged } from "./open-judged.js";
import { NotAFile } from "./regular-file.js";
import { systemCode } from "./system-code.js";

/** A change of one file. Parents are open folders, in which the file has their `name`. */
export type FileChange =
  | {
      readonly kind: "write";
      readonly parent: OpenParent;
      readonly bytes: Uint8Array;
      /** State of the file that the content was made of. Another state means a conflict. */
      readonly from?: FileState | undefined;
      /** `true` replaces a file. */
      readonly overwrite: boolean;
    }
  | {
      readonly kind: "move";
      readonly parent: OpenParent;
      readonly to: OpenParent;
      /** `true` replaces a file. */
      readonly overwrite: boolean;
    }
  | { readonly kind: "delete"; readonly parent: OpenParent };

/** Identifies a state of a file: another write changes it. */
export type FileState = string;

/** Reason for which a change is not made. */
export type ChangeRefusal = "not_found" | "exists" | "conflict" | "wrong_kind";

/**
 * Makes a change.
 *
 * @param _lock lock of the files (`whileLocked`)
 * @param keeper keeps copies of the files as they were
 * @returns the reason if nothing was changed; undefined after a change
 * @throws PathChanged if a folder was exchanged; also the file system's error
 */
export async function changeFile(
  _lock: ChangeLock,
  change: FileChange,
  keeper: Pick<Keeper, "keep" | "left" | "unchanged"> | undefined,
): Promise<ChangeRefusal | undefined> {
  const { parent } = change;
  await parent.check();
  const before = await lookAt(parent);
  const refusal = refusalOf(change, before);
  if (refusal !== undefined) return refusal;
  if (keeper === undefined) return make(change, before);
  await keeper.keep(pathsOf(change));
  try {
    const late = await make(change, before);
    if (late !== undefined) keeper.unchanged();
    return late;
  } finally {
    await keeper.left();
  }
}

function pathsOf(change: FileChange): readonly string[] {
  const parents = change.kind === "move" ? [change.parent, change.to] : [change.parent];
  return parents.map(({ name, path }) => join(path, name));
}

async function make(
  change: FileChange,
  before: Stats | undefined,
): Promise<ChangeRefusal | undefined> {
  const { parent } = change;
  switch (change.kind) {
    case "write":
      return writeBeside(change, before);
    case "move":
      return moveFile(change);
    case "delete":
      await fs.unlink(parent.at(parent.name));
      await parent.sync();
      return undefined;
  }
}

/** Returns the state of an open file. */
export async function stateOf(handle: fs.FileHandle): Promise<FileState> {
  return stateIn(await handle.stat({ bigint: true }));
}

function stateIn({ ctimeNs, dev, ino, mtimeNs, size }: BigIntStats): FileState {
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}

/** Returns undefined if the entry is missing. */
async function lookAt({ at, name }: OpenParent): Promise<Stats | undefined> {
  try {
    return await fs.lstat(at(name));
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    return undefined;
  }
}

function refusalOf(change: FileChange, before: Stats | undefined): ChangeRefusal | undefined {
  // A judged path has no links, so this one is new.
  if (before?.isSymbolicLink()) throw new PathChanged();
  if (before !== undefined && !before.isFile()) return "wrong_kind";
  if (change.kind !== "write") return before === undefined ? "not_found" : undefined;
  if (change.from !== undefined) return before === undefined ? "conflict" : undefined;
  return before !== undefined && !change.overwrite ? "exists" : undefined;
}

type WriteChange = FileChange & { readonly kind: "write" };

async function writeBeside(
  { bytes, from, overwrite, parent }: WriteChange,
  before: Stats | undefined,
): Promise<ChangeRefusal | undefined> {
  const temporary = parent.at(unfinishedName());
  try {
    const handle = await fs.open(temporary, "wx", before === undefined ? 0o666 : 0o600);
    try {
      await handle.writeFile(bytes);
      if (before !== undefined) await keepOwner(handle, before);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await parent.check();
    if (from !== undefined) {
      const now = await fs.lstat(parent.at(parent.name), { bigint: true }).catch(() => undefined);
      if (now === undefined || stateIn(now) !== from) return "conflict";
    } else if (!overwrite) {
      if (!(await isPlaced(temporary, parent))) return "exists";
      await parent.sync();
      return undefined;
    }
    await fs.rename(temporary, parent.at(parent.name));
    await parent.sync();
    return undefined;
  } finally {
    await fs.rm(temporary, { force: true });
  }
}

/** The new file gets the mode of the old one, and its owner if the process may set it. */
async function keepOwner(handle: fs.FileHandle, before: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== before.uid || own.gid !== before.gid)
    await handle.chown(before.uid, before.gid).catch(() => undefined);
  // Without the bits that run a program as its owner: the content is new.
  await handle.chmod(before.mode & 0o777);
}

async function moveFile({
  overwrite,
  parent,
  to,
}: FileChange & { readonly kind: "move" }): Promise<ChangeRefusal | undefined> {
  await to.check();
  const there = await lookAt(to);
  if (there?.isSymbolicLink()) throw new PathChanged();
  if (there !== undefined && !there.isFile()) return "wrong_kind";
  if (there !== undefined && !overwrite) return "exists";
  const source = parent.at(parent.name);
  if (overwrite) await fs.rename(source, to.at(to.name));
  else if (!(await isPlaced(source, to))) return "exists";
  else await removeOldName(source, to);
  await to.sync();
  await parent.sync();
  return undefined;
}

/** After a hard link, the old name is still there. If it must stay, the new name is removed. */
async function removeOldName(source: string, to: OpenParent): Promise<void> {
  try {
    await fs.rm(source, { force: true });
  } catch (error) {
    await fs.rm(to.at(to.name), { force: true });
    throw error;
  }
}

/**
 * Gives a file a second name, if nothing has that name. Without hard links, it reserves the name by
 * an empty file and renames.
 *
 * @returns false if something has the name
 */
async function isPlaced(source: string, to: OpenParent): Promise<boolean> {
  const target = to.at(to.name);
  try {
    await fs.link(source, target);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === "EEXIST") return false;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP") throw error;
  }
  try {
    await (await fs.open(target, "wx")).close();
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
  await fs.rename(source, target);
  return true;
}

/** Returns the status for an error of the file system; undefined for an unexpected error. */
export function refusalFor(error: unknown): ChangeRefusal | undefined {
  if (error instanceof NotAFile) return "wrong_kind";
  const code = systemCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") return "not_found";
  // A folder, or a socket or device without a driver.
  return code === "EISDIR" || code === "ENXIO" ? "wrong_kind" : undefined;
}
