/** Private folders of this user among the temporary files of the system. */
import fs from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { realFolder } from "./judged-path.js";
import { makeOwnFolder, PlaceTaken } from "./own-place.js";

/** Returns the absolute path of a private folder, without links. The folder may be missing. */
export function privateFolder(purpose: string): string {
  return join(realFolder(tmpdir()), `skillc-${purpose}-${process.getuid?.() ?? 0}`);
}

/**
 * Creates a private folder if it is missing. Nobody else can read or change it.
 *
 * @param path as `privateFolder` returns it
 * @throws PlaceTaken if something else has its place, such as the folder of another user; also the
 * file system's error
 */
export function makePrivateFolder(path: string): void {
  makeOwnFolder(dirname(path), basename(path), 0o700);
  if (!isPrivate(path)) throw new PlaceTaken({ path, wanted: "folder", found: "special file" });
}

/** Returns whether a path is a folder that only this user can read and change. */
export function isPrivate(path: string): boolean {
  const found = fs.lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return false;
  return found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
}
