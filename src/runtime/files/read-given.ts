/**
 * Reads files that callers give by path: only below a listed folder, with links resolved. Each file
 * is opened once for all attempts, so the content that was read is the content that is sent.
 */
import fs from "node:fs/promises";
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import { tooLong } from "./give-file.js";
import { NotAFile, openRegularHandle } from "./regular-file.js";
import { systemCode } from "./system-code.js";
import { type FileRules, type GivenFile, maxBytesOf } from "./tool-file.js";

/**
 * Resolves a path before anybody decides about the call, so that policies see the file that is read
 * and not one of its many spellings. `readGiven` reports errors of the path after the decision.
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
 * Reads a file.
 *
 * @param directory the project's folder
 * @param room maximum size of the file, in bytes
 * @throws RefusedValue if the file may not be read, can't be read or is too large
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
    throw file.refused(
      "is a path, but skillc.yaml lists no folder from which to read files (`files`)",
    );
  if (path.includes("\0")) throw file.refused("is a path that contains a NUL");
  const target = resolve(directory, path);
  const listed = await listedFolders(folders, directory);
  // Reveal nothing about files elsewhere, not even whether they exist.
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
  /** Absolute path, as written. */
  readonly path: string;
  /** Absolute path without links; undefined if the folder doesn't exist. */
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
 * Returns the unique name of a file below the listed folders, with `/`: the first folder that
 * contains it, as written in skillc.yaml, and the path from there. Undefined if no listed folder
 * contains it.
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
 * Resolves links in the existing part of a path, and appends the rest as written. Undefined if the
 * system can't resolve the path.
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
  // The decision was about another file.
  if (file.located !== undefined && file.located !== name) throw changed(file);
  const handle = await openRegularHandle(real, { links: false });
  try {
    const opened = await handle.stat({ bigint: true });
    // A folder on the path may have become a link in the meantime, so compare with the open file.
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

/** @returns number of bytes read: the whole buffer, or up to the end of the file */
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
  return file.refused("can't be read: it changed meanwhile");
}

function outside(file: GivenFile) {
  return file.refused("is a path outside the folders of `files`");
}

/** Returns the reason in words; undefined for an error that is not the file system's. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof NotAFile) return "it is a folder, a pipe or a device";
  const code = systemCode(error);
  if (code === undefined) return undefined;
  return code === "ENOENT" || code === "ENOTDIR" ? "the file does not exist" : code;
}
