/** Reads the states of trees of files, without following links. */
import { isUtf8 } from "node:buffer";
import fs from "node:fs";
import { join } from "node:path";
import { isLock } from "../../files/lock-file.js";
import { isLockOrDraftName } from "../../files/names-beside.js";
import { type OpenParent, openJudgedFolder, openParent } from "../../files/open-judged.js";
import { NotAFile, openRegularFile } from "../../files/regular-file.js";
import { systemCode } from "../../files/system-code.js";
import { BackupFault } from "./backup-fault.js";
import type { Breath } from "./breath.js";
import type { ContentFacts } from "./copy-file.js";
import { absent, attributesOf, type EntryState } from "./entry-state.js";

/** How entries are read. */
export interface EntryReading {
  /** Digests the content of an open file, and may copy it. */
  readonly content: (fd: number) => Promise<ContentFacts>;
  readonly breath: Breath;
  /** File system of the first folder that was read. Folders of others are not read. */
  device: bigint | undefined;
}

/** How a tree is read. */
export interface Scanning extends Omit<EntryReading, "device"> {
  /** Returns whether a path and everything below it is left out. */
  readonly isLeftOut: (path: string) => boolean;
}

/** Maximum number of files, links and folders of one call. */
const mostEntries = 500_000;

/**
 * Reads a file, a link or a whole folder into `found`. A missing path is absent, also if its parent
 * is missing.
 *
 * @param path absolute path whose parents have no links
 * @throws PathChanged if a folder on the way is a link; BackupFault for names that Node.js can't
 *   read, and for more than `mostEntries` entries; also the file system's error
 */
export async function scanTree(
  path: string,
  found: Map<string, EntryState>,
  scanning: Scanning,
): Promise<void> {
  const scan: Scan = { ...scanning, found, folders: [], device: undefined };
  const parent = await unlessMissing(openParent({ path }));
  try {
    const state = parent && (await readEntry(parent, parent.name, scan));
    take(path, state ?? absent, scan);
  } finally {
    await parent?.close();
  }
  for (let folder = scan.folders.pop(); folder !== undefined; folder = scan.folders.pop())
    await scanFolder(folder, scan);
}

/** Returns undefined for a folder that is missing. */
export async function unlessMissing(opening: Promise<OpenParent>): Promise<OpenParent | undefined> {
  try {
    return await opening;
  } catch (error) {
    const code = systemCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    return undefined;
  }
}

interface Scan extends Scanning, EntryReading {
  readonly found: Map<string, EntryState>;
  /** Folders whose entries are still to be read. */
  readonly folders: string[];
}

function take(path: string, state: EntryState, { folders, found }: Scan): void {
  if (found.size >= mostEntries)
    throw new BackupFault("too-large", `there are more than ${mostEntries} files and folders`);
  found.set(path, state);
  if (state.kind === "folder") folders.push(path);
}

async function scanFolder(path: string, scan: Scan): Promise<void> {
  const folder = await openedFolder(path, scan);
  try {
    for (const name of folder === undefined ? [] : namesIn(folder)) {
      const place = join(path, name);
      if (scan.isLeftOut(place)) continue;
      // A process may give its own file the name of a lock.
      if (isLockOrDraftName(name) && folder && isLock(folder.at(name))) continue;
      // An entry that went away meanwhile is no entry.
      const state = folder && (await readEntry(folder, name, scan));
      if (state !== undefined) take(place, state, scan);
    }
  } finally {
    await folder?.close();
  }
}

/** Opens a folder; undefined if it can't be read, or went away. */
async function openedFolder(path: string, { found }: Scan): Promise<OpenParent | undefined> {
  try {
    return await openJudgedFolder({ path });
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    found.set(path, code === "ENOENT" ? absent : unreadable(code));
    return undefined;
  }
}

function unreadable(code: string): EntryState {
  return { kind: "other", why: `can't be read (${code})` };
}

/** Returns the names of a folder's entries, in order. */
function namesIn(folder: OpenParent): readonly string[] {
  return fs
    .readdirSync(folder.at("."), { encoding: "buffer" })
    .map((name) => textOf(name, folder.path))
    .toSorted();
}

function textOf(bytes: Buffer, folder: string): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new BackupFault("special", "a name or a link is not UTF-8; rename or remove it", [folder]);
}

/**
 * Reads an entry of an open folder, without following a link.
 *
 * @returns undefined for a missing entry
 * @throws BackupFault for a link that Node.js can't read; also the file system's error
 */
export async function readEntry(
  folder: OpenParent,
  name: string,
  reading: EntryReading,
): Promise<EntryState | undefined> {
  await folder.check();
  await reading.breath.take();
  const at = folder.at(name);
  const stats = fs.lstatSync(at, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isFile()) return fileState(at, reading);
  if (stats.isSymbolicLink()) {
    const target = textOf(fs.readlinkSync(at, { encoding: "buffer" }), folder.path);
    return { kind: "link", ...attributesOf(stats), target };
  }
  if (!stats.isDirectory()) return { kind: "other", why: "is a pipe, a socket or a device" };
  reading.device ??= stats.dev;
  if (stats.dev !== reading.device)
    return { kind: "other", why: "is the place of another file system" };
  return { kind: "folder", ...attributesOf(stats) };
}

/** Number of times that a file is read anew because somebody writes it meanwhile. */
const readings = 3;

/** Returns undefined for a file that went away. */
async function fileState(at: string, { content }: EntryReading): Promise<EntryState | undefined> {
  let fd: number;
  try {
    fd = openRegularFile(at, { links: false });
  } catch (error) {
    if (error instanceof NotAFile) return { kind: "other", why: "is no file any more" };
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code === "ENOENT" ? undefined : unreadable(code);
  }
  try {
    for (let left = readings; left > 0; left -= 1) {
      const before = fs.fstatSync(fd, { bigint: true });
      const { bytes, sha256 } = await content(fd);
      const after = fs.fstatSync(fd, { bigint: true });
      if (before.mtimeNs !== after.mtimeNs || before.size !== after.size) continue;
      const names = Number(after.nlink);
      return {
        kind: "file",
        ...attributesOf(after),
        bytes,
        sha256,
        ...(names > 1 && { names }),
      };
    }
    return { kind: "other", why: "changes while it is read" };
  } finally {
    fs.closeSync(fd);
  }
}
