/**
 * Reads files that callers give by path: only below a listed folder, with links resolved. Each file
 * is opened once for all attempts, so the content that was read is the content that is sent.
 */
import type fs from "node:fs/promises";
import { tooLong } from "./give-file.js";
import { isRefusedPath, type JudgedPath, judgePath, plainName } from "./judged-path.js";
import { openJudged, PathChanged } from "./open-judged.js";
import { isOwnPath, ownPathReason } from "./project-secrets.js";
import { NotAFile } from "./regular-file.js";
import { systemCode } from "./system-code.js";
import { type FileRules, type GivenFile, maxBytesOf } from "./tool-file.js";

/**
 * Resolves a path before anybody decides about the call, so that policies see the file that is read
 * and not one of its many spellings. `readGiven` reports errors of the path after the decision.
 *
 * @param directory the project's folder
 */
export function locateGiven(file: GivenFile, rules: FileRules, directory: string): void {
  const judged = judgeGiven(file, rules, directory);
  file.located = isRefusedPath(judged) ? plainName(file.path ?? "", directory) : judged.name;
}

function judgeGiven({ path = "" }: GivenFile, { folders = [] }: FileRules, directory: string) {
  const rules = { directory, read: folders, write: [] };
  return judgePath(path, { base: directory, access: "read", rules });
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
  const judged = judgeGiven(file, rules, directory);
  if (isRefusedPath(judged)) {
    if (judged.problem === "no-folder")
      throw file.refused(
        "is a path, but skillc.yaml lists no folder from which to read files (`files`)",
      );
    throw judged.problem === "outside" ? outside(file) : file.refused(judged.reason);
  }
  if (isOwnPath(directory, judged)) throw file.refused(ownPathReason);
  // The folder itself is no file below it.
  if (judged.path === judged.folder.real) throw outside(file);
  // The decision was about another file.
  if (file.located !== undefined && file.located !== judged.name) throw changed(file);
  try {
    file.fill(await readJudged(file, judged, { most: maxBytesOf(rules), room }));
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === undefined ? error : file.refused(`can't be read: ${reason}`);
  }
}

async function readJudged(
  file: GivenFile,
  judged: JudgedPath,
  { most, room }: { readonly most: number; readonly room: number },
): Promise<Uint8Array> {
  const handle = await openJudged(judged);
  try {
    const { size } = await handle.stat();
    if (size > room) throw file.refused(tooLong(most));
    const buffer = Buffer.alloc(size + 1);
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

function changed(file: GivenFile) {
  return file.refused("can't be read: it changed meanwhile");
}

function outside(file: GivenFile) {
  return file.refused("is a path outside the folders of `files`");
}

/** Returns the reason in words; undefined for an error that is not the file system's. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof PathChanged) return "it changed meanwhile";
  if (error instanceof NotAFile) return "it is a folder, a pipe or a device";
  const code = systemCode(error);
  if (code === undefined) return undefined;
  return code === "ENOENT" || code === "ENOTDIR" ? "the file does not exist" : code;
}
