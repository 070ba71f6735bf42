/** Reads the states of the paths that a call keeps. */
import fs from "node:fs";
import { basename, dirname } from "node:path";
import { isIn, projectSecrets, projectSecretTest } from "../../files/project-secrets.js";
import { BackupFault } from "./backup-fault.js";
import { backupsOf } from "./backup-folder.js";
import { absent, type EntryState } from "./entry-state.js";
import { stageNames } from "./journal-file.js";
import type { Listing } from "./listing.js";
import { OpenFolders } from "./open-folders.js";
import { type EntryReading, readEntry, scanTree, type Scanning, unlessMissing } from "./scan.js";

/**
 * Reads the states of roots and everything below, or of the listed paths alone. The project's
 * credentials and ledger are left out, and so are staging folders of changes that are being made.
 *
 * @param directory the project's folder
 * @param known paths whose states are known already
 * @throws as `scanTree` does
 */
export async function scanKept(
  directory: string,
  { isListed, roots }: Pick<Listing, "isListed" | "roots">,
  scanning: Omit<Scanning, "isLeftOut">,
  known: ReadonlySet<string> = new Set(),
): Promise<Map<string, EntryState>> {
  const secrets = new Set(projectSecrets(directory).map(({ path }) => path));
  const stages = stageNames(backupsOf(directory));
  const isLeftOut = (path: string): boolean =>
    secrets.has(path) || known.has(path) || stages.has(basename(path));
  const found = new Map<string, EntryState>();
  if (isListed)
    await scanEntries(
      roots.filter((each) => !isLeftOut(each)),
      found,
      scanning,
    );
  else
    for (const root of roots)
      if (!known.has(root)) await scanTree(root, found, { ...scanning, isLeftOut });
  return found;
}

/** Reads the states of paths, and of nothing below them. */
async function scanEntries(
  paths: readonly string[],
  found: Map<string, EntryState>,
  scanning: Omit<EntryReading, "device">,
): Promise<void> {
  const folders = new OpenFolders();
  try {
    for (const path of paths.toSorted()) {
      // Each entry may be on a file system of its own.
      const reading = { ...scanning, device: undefined };
      const folder = dirname(path);
      // In place of a listed folder there may be a link, which nobody must follow.
      const hasEntries = (found.get(folder)?.kind ?? "folder") === "folder";
      const parent = hasEntries ? await unlessMissing(folders.at(folder)) : undefined;
      found.set(path, (parent && (await readEntry(parent, basename(path), reading))) ?? absent);
    }
  } finally {
    await folders.close();
  }
}

/**
 * Rejects paths that belong to the project's credentials or ledger.
 *
 * @throws BackupFault
 */
export function requireNoSecrets(directory: string, paths: readonly string[]): void {
  const path = paths.find(projectSecretTest(directory));
  if (path === undefined) return;
  throw new BackupFault("own", "credentials and records of the project are never copied", [path]);
}

/** Returns the path itself, or the outermost missing folder on its way, which a call may create. */
export function outermostMissing(path: string): string {
  const parent = dirname(path);
  const isThere = fs.lstatSync(parent, { throwIfNoEntry: false }) !== undefined;
  return isThere || parent === path ? path : outermostMissing(parent);
}

/** Leaves out paths that are below another. */
export function outermost(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].filter(
    (path) => !paths.some((other) => other !== path && isIn(other, path)),
  );
}
