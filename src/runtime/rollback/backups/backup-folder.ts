/**
 * The folder of copies, `.skillc/backups` in the project's folder:
 *
 * - `calls/<call>/`: the copies of one call by their SHA-256, its `listing.json`, and
 *   `restored.json` once it was restored;
 * - `objects/<origin>/`: other names (hard links) of all copies, by which calls share equal contents;
 * - `journals/`: changes that a process is making, see `apply-changes.ts`;
 * - `origin`: an empty file. Nobody can choose when the system created it, so it identifies this
 *   folder. A folder that came with somebody's repository has another one, and its journals,
 *   copies and objects are not used.
 */
import fs from "node:fs";
import { join, posix } from "node:path";
import { makeOwnFolder, type OwnFolder, refuseObstacle } from "../../files/own-place.js";
import { systemCode } from "../../files/system-code.js";
import { BackupFault } from "./backup-fault.js";

/** Returns the folder of copies of a project. */
export function backupsOf(directory: string): OwnFolder {
  return { root: directory, path: ".skillc/backups" };
}

/**
 * Returns the path of a call's folder, relative to the project's.
 *
 * @throws BackupFault if the id is no name of a file
 */
export function callFolder(backups: OwnFolder, call: string): string {
  return posix.join(callsIn(backups), safeName(call));
}

/** Returns the path of the folder of calls, relative to the project's. */
export function callsIn({ path }: OwnFolder): string {
  return posix.join(path, "calls");
}

/**
 * Returns the path of a call's journal, relative to the project's.
 *
 * @throws BackupFault if the id is no name of a file
 */
export function journalPath(backups: OwnFolder, call: string): string {
  return posix.join(journalsIn(backups), `${safeName(call)}.json`);
}

/** Returns the path of the folder of journals, relative to the project's. */
export function journalsIn({ path }: OwnFolder): string {
  return posix.join(path, "journals");
}

/** Returns the path of the folder of all shared contents, relative to the project's. */
export function objectsIn({ path }: OwnFolder): string {
  return posix.join(path, "objects");
}

/** Returns whether a text can be the id of a call. Ids are UUIDs; a caller may pass anything. */
export function isCallId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(text);
}

function safeName(call: string): string {
  if (isCallId(call)) return call;
  throw new BackupFault("missing", "this is no id of a call");
}

/**
 * Identifies the folder of copies. It creates the folder if it is missing.
 *
 * @throws PlaceTaken if a link or something else is in its place; also the file system's error
 */
export function originOf({ path, root }: OwnFolder): string {
  makeOwnFolder(root, path, 0o700);
  const place = posix.join(path, "origin");
  refuseObstacle(root, place, "file");
  try {
    fs.closeSync(fs.openSync(join(root, place), "wx", 0o600));
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
  const { birthtimeNs, ctimeNs, ino } = fs.lstatSync(join(root, place), { bigint: true });
  // Some file systems don't know when a file was created.
  return `${ino}-${birthtimeNs === 0n ? ctimeNs : birthtimeNs}`;
}
