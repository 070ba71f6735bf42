import { createHmac, timingSafeEqual } from "node:crypto";
import fs from "node:fs";
import { join, posix } from "node:path";
import {
  findObstacle,
  removeOwnFile,
  writeOwnFile,
  openRegularFile,
  readRegularFile,
} from "@skillc/runtime/internal";

/**
 * A folder of entries. Each file is named by a hash, and starts with a signature that proves that
 * this user's skillc wrote it under that name.
 */
export interface EntryFolder {
  /** Absolute path of the project. */
  readonly root: string;
  /** Path of the folder below the project, with `/`. */
  readonly path: string;
}

/** First bytes of every entry. The signature in hex and a line feed follow. */
const opening = "skillc cache 1 ";
const headLength = opening.length + 64 + 1;

/**
 * Content of an entry; undefined unless it was written with this key, this name and this folder
 * path.
 */
export function readEntry(
  folder: EntryFolder,
  name: string,
  key: Buffer,
): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(readRegularFile(locate(folder, name), { links: false }));
  const content = bytes.subarray(headLength);
  const head = headOf(folder, name, content, key);
  const isOurs = bytes.length >= headLength && timingSafeEqual(head, bytes.subarray(0, headLength));
  return isOurs ? content : undefined;
}

/** @throws PlaceTaken, or errors of the file system */
export function writeEntry(
  folder: EntryFolder,
  name: string,
  content: Uint8Array,
  key: Buffer,
): void {
  const head = headOf(folder, name, content, key);
  writeOwnFile(folder.root, posix.join(folder.path, name), Buffer.concat([head, content]));
}

/**
 * Signs an entry. The signature covers the names of the entry and the folder, so a moved or renamed
 * entry is invalid.
 */
function headOf(folder: EntryFolder, name: string, content: Uint8Array, key: Buffer): Buffer {
  const mac = createHmac("sha256", key).update(`${folder.path}\0${name}\0`).update(content);
  return Buffer.from(`${opening}${mac.digest("hex")}\n`, "latin1");
}

/**
 * Names of the files that skillc wrote in the folder: entries, and leftovers of killed processes.
 * Nothing else is ever removed.
 */
export function ownNames(folder: EntryFolder): readonly string[] {
  if (findObstacle(folder.root, folder.path, "folder") !== undefined) return [];
  return fs
    .readdirSync(join(folder.root, folder.path), { withFileTypes: true })
    .filter((entry) => entry.isFile() && ownName.test(entry.name))
    .map(({ name }) => name);
}

const ownName = /^[0-9a-f]{64}(?:\.\d+\.[0-9a-f]{12}\.tmp)?$/;

/** @throws errors of the file system */
export function removeEntry(folder: EntryFolder, name: string): void {
  const path = locate(folder, name);
  if (beginsAsEntry(path)) removeOwnFile(folder.root, posix.join(folder.path, name));
}

function beginsAsEntry(path: string): boolean {
  const fd = openRegularFile(path, { links: false });
  try {
    const start = Buffer.alloc(opening.length);
    const length = fs.readSync(fd, start, 0, start.length, 0);
    return opening.startsWith(start.toString("latin1", 0, length));
  } finally {
    fs.closeSync(fd);
  }
}

/** Time of the last use of an entry. */
export function lastUsed(folder: EntryFolder, name: string): number {
  return fs.lstatSync(locate(folder, name)).mtimeMs;
}

export function markUsed(folder: EntryFolder, name: string): void {
  const now = new Date();
  fs.lutimesSync(locate(folder, name), now, now);
}

function locate(folder: EntryFolder, name: string): string {
  return join(folder.root, folder.path, name);
}
