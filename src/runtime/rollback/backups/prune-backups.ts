/** Removes old copies. */
import fs from "node:fs";
import { join, posix } from "node:path";
import { refuseObstacle, removeOwnFile, removeOwnFolder } from "../../files/own-place.js";
import { holdJournal } from "./apply-changes.js";
import {
  backupsOf,
  callFolder,
  callsIn,
  isCallId,
  journalPath,
  objectsIn,
} from "./backup-folder.js";
import { Breath } from "./breath.js";
import { listingName } from "./listing.js";

/** Options of removing copies. */
export interface PruneBackupsOptions {
  /** Removes the copies of calls from before this time, in milliseconds since 1970. */
  readonly beforeMs: number;
  /** Removes nothing. */
  readonly dryRun?: boolean;
}

/**
 * Removes old copies. Copies that a process restores at the moment stay, and contents that other
 * calls share.
 *
 * @param directory the project's folder
 * @returns number of calls whose copies are old
 * @throws PlaceTaken if a link or something else is in the place of a folder; also the file system's
 *   error
 */
export async function pruneBackups(
  directory: string,
  { beforeMs, dryRun = false }: PruneBackupsOptions,
): Promise<number> {
  const backups = backupsOf(directory);
  const { root } = backups;
  for (const folder of [callsIn(backups), objectsIn(backups)])
    refuseObstacle(root, folder, "folder");
  const breath = new Breath();
  let count = 0;
  for (const call of foldersIn(join(root, callsIn(backups))).filter(isCallId)) {
    await breath.take();
    // Nothing of these files changes after the call, while the folder may get a mark.
    const folder = join(root, callFolder(backups, call));
    const kept = look(join(folder, listingName)) ?? look(folder);
    if (kept === undefined || kept.mtimeMs >= beforeMs) continue;
    const release = dryRun ? () => undefined : holdJournal(backups, call);
    if (release === undefined || fs.existsSync(join(root, journalPath(backups, call)))) {
      release?.();
      continue;
    }
    count += 1;
    if (!dryRun) {
      // Without the listing, nobody restores a half-removed folder.
      removeOwnFile(root, posix.join(callFolder(backups, call), listingName));
      removeOwnFolder(root, callFolder(backups, call));
    }
    release();
  }
  const objects = join(root, objectsIn(backups));
  if (!dryRun)
    for (const origin of foldersIn(objects)) await removeUnshared(join(objects, origin), breath);
  return count;
}

/** A content with one name belongs to no call. */
async function removeUnshared(objects: string, breath: Breath): Promise<void> {
  for (const name of fs.readdirSync(objects)) {
    await breath.take();
    const found = look(join(objects, name));
    if (found?.isFile() === true && found.nlink === 1)
      fs.rmSync(join(objects, name), { force: true });
  }
}

function look(path: string): fs.Stats | undefined {
  return fs.lstatSync(path, { throwIfNoEntry: false });
}

/** Returns the names of the folders in a folder. Links are none. */
function foldersIn(folder: string): readonly string[] {
  const entries = fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true }) : [];
  return entries.flatMap((each) => (each.isDirectory() ? [each.name] : []));
}
