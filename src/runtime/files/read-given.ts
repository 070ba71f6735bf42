/**
 * Reads the file at a path that a caller gave: below a listed folder and nowhere else, links
 * resolved. What is read is what is sent: it is opened once, and never again for another attempt.
 */
import fs from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { tooLong } from "./give-file.js";
import { NotAFile, openRegularHandle } from "./regular-file.js";
import { systemCode } from "./system-code.js";
import { type FileRules, type GivenFile, mostBytes } from "./tool-file.js";

/**
 * @param directory the project's folder
 * @param room bytes that the file may have
 * @throws RefusedValue for a path that may not be read, and for what can't be
 */
export async function readGiven(
  file: GivenFile,
  rules: FileRules,
  directory: string,
  room: number,
): Promise<void> {
  const { folders = [] } = rules;
  const { path = "" } = file;
  if (folders.length === 0)
    throw file.refused("is a path, and skillc.yaml lists no folder to read files from (`files`)");
  if (path.includes("\0")) throw file.refused("is a path with a NUL in it");
  const target = resolve(directory, path);
  const listed = folders.map((each) => resolve(directory, each));
  // Of what is elsewhere nothing is told, not even that it is there.
  if (!listed.some((each) => isBelow(target, each))) throw outside(file);
  try {
    const bytes = await readBelow(file, target, listed, { most: mostBytes(rules), room });
    file.fill(bytes);
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === undefined ? error : file.refused(`can't be read: ${reason}`);
  }
}

async function readBelow(
  file: GivenFile,
  target: string,
  listed: readonly string[],
  { most, room }: { readonly most: number; readonly room: number },
): Promise<Uint8Array> {
  const roots = await Promise.all(listed.map((each) => fs.realpath(each).catch(() => undefined)));
  const isInside = (path: string) =>
    roots.some((each) => each !== undefined && isBelow(path, each));
  const real = await fs.realpath(target);
  if (!isInside(real)) throw outside(file);
  const handle = await openRegularHandle(real, { links: false });
  try {
    const opened = await handle.stat({ bigint: true });
    // A folder on the way may have become a link meanwhile: what is open is what is looked at.
    const again = await fs.realpath(target);
    const named = await fs.lstat(again, { bigint: true });
    if (!isInside(again) || named.ino !== opened.ino || named.dev !== opened.dev)
      throw file.refused("can't be read: it was changed meanwhile");
    if (opened.size > BigInt(room)) throw file.refused(tooLong(most));
    const buffer = Buffer.alloc(Number(opened.size) + 1);
    const length = await fillFrom(handle, buffer);
    if (length === buffer.length) throw file.refused("can't be read: it was changed meanwhile");
    return buffer.subarray(0, length);
  } finally {
    await handle.close();
  }
}

/** @returns the bytes that were read: the whole buffer, or up to the file's end */
async function fillFrom(handle: fs.FileHandle, buffer: Buffer): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function outside(file: GivenFile) {
  return file.refused("is a path outside of the folders that files are read from");
}

/** Undefined for what is no error of the file system. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof NotAFile) return "there is no file, but a folder, a pipe or a device";
  const code = systemCode(error);
  if (code === undefined) return undefined;
  return code === "ENOENT" || code === "ENOTDIR" ? "there is no such file" : code;
}
