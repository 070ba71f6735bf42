import fs from "node:fs";
import { dirname } from "node:path";

/** Returns the directories that have new entries, if `made` is the first one that was created. */
export function directoriesBetween(directory: string, made: string | undefined): readonly string[] {
  const all = [directory];
  if (made === undefined) return all;
  for (let at = directory; at.length >= made.length && at !== dirname(at); at = dirname(at))
    all.push(dirname(at));
  return all;
}

/**
 * Syncs a directory. A new file survives a power failure only if its directory is synced too. Not
 * every system can sync a directory.
 */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await fs.promises.open(path, "r").catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}
