/**
 * Reads the file at a path that a caller gave: below a listed folder and nowhere else, links
 * resolved. What is read is what is sent: it is opened once, and never again for another attempt.
 */
import fs from "node:fs/promises";
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import { tooLong } from "./give-file.js";
import { NotAFile, openRegularHandle } from "./regular-file.js";
import { systemCode } from "./system-code.js";
import { type FileRules, type GivenFile, maxBytesOf } from "./tool-file.js";

/**
 * Finds out which file a path leads to, before anybody decides about it. A policy then sees the file
 * that is read, and not one of its many spellings. Whatever is wrong with the path, `readGiven` says
 * so after the decision.
 *
 * @param directory the project's folder
 */
export async function locateGiven(
  file: GivenFile,
  { folders = [] }: FileRules,
  directory: string,
): Promise<void> {
  const { path = "" } = file;
  const target = resolve(directory, path);
  const listed = await listedFolders(folders, directory);
  const real = path.includes("\0") ? undefined : await realPath(target);
  file.located =
    (real !== undefined && nameOf(real, listed, "real")) ||
    nameOf(target, listed, "path") ||
    nameOf(target, [{ written: "", path: directory, real: undefined }], "path") ||
    withSlashes(target);
}

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
  const listed = await listedFolders(folders, directory);
  // Of what is elsewhere nothing is told, not even that it is there.
  if (nameOf(target, listed, "path") === undefined) throw outside(file);
  try {
    const bytes = await readBelow(file, target, listed, { most: maxBytesOf(rules), room });
    file.fill(bytes);
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === undefined ? error : file.refused(`can't be read: ${reason}`);
  }
}

/** A folder that skillc.yaml lists. */
interface ListedFolder {
  readonly written: string;
  /** Absolute, as written. */
  readonly path: string;
  /** Absolute, without links; undefined for a folder that is not there. */
  readonly real: string | undefined;
}

function listedFolders(
  folders: readonly string[],
  directory: string,
): Promise<readonly ListedFolder[]> {
  return Promise.all(
    folders.map(async (written) => {
      const path = resolve(directory, written);
      return { written, path, real: await fs.realpath(path).catch(() => undefined) };
    }),
  );
}

/**
 * The one name of a file below the listed folders, with `/`: the first folder that holds it, as
 * skillc.yaml has it, and the way from there. Undefined for what is below none of them.
 */
function nameOf(
  path: string,
  listed: readonly ListedFolder[],
  by: "path" | "real",
): string | undefined {
  for (const folder of listed) {
    const root = folder[by];
    if (root !== undefined && isBelow(path, root))
      return posix.join(folder.written, withSlashes(relative(root, path)));
  }
  return undefined;
}

function withSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/**
 * Without links, as far as something is there; what is not there follows as written. Undefined for a
 * path that the system does not resolve.
 */
async function realPath(path: string): Promise<string | undefined> {
  try {
    return await fs.realpath(path);
  } catch (error) {
    const code = systemCode(error);
    if ((code !== "ENOENT" && code !== "ENOTDIR") || dirname(path) === path) return undefined;
    const folder = await realPath(dirname(path));
    return folder === undefined ? undefined : join(folder, basename(path));
  }
}

async function readBelow(
  file: GivenFile,
  target: string,
  listed: readonly ListedFolder[],
  { most, room }: { readonly most: number; readonly room: number },
): Promise<Uint8Array> {
  const real = await fs.realpath(target);
  const name = nameOf(real, listed, "real");
  if (name === undefined) throw outside(file);
  // Somebody decided about another file.
  if (file.located !== undefined && file.located !== name) throw changed(file);
  const handle = await openRegularHandle(real, { links: false });
  try {
    const opened = await handle.stat({ bigint: true });
    // A folder on the way may have become a link meanwhile: what is open is what is looked at.
    const again = await fs.realpath(target);
    const named = await fs.lstat(again, { bigint: true });
    if (again !== real || named.ino !== opened.ino || named.dev !== opened.dev) throw changed(file);
    if (opened.size > BigInt(room)) throw file.refused(tooLong(most));
    const buffer = Buffer.alloc(Number(opened.size) + 1);
    const length = await fillFrom(handle, buffer);
    if (length === buffer.length) throw changed(file);
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

function changed(file: GivenFile) {
  return file.refused("can't be read: it was changed meanwhile");
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
