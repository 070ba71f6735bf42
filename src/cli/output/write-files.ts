import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { sha256, sha256OfBytes } from "../../core/hash.js";
import {
  makeOwnFolder,
  readRegularFile,
  refuseObstacle,
  removeEmptyOwnFolders,
  removeOwnFile,
  systemCode,
} from "@skillc/runtime/internal";
import {
  closeJournal,
  hashAt,
  type JournalStep,
  removeFoldersOf,
  stagingPrefix,
  writeJournal,
} from "./write-journal.js";
import { WriteFailure } from "./write-output.js";

/** Files to write and remove together. Paths are relative to the project's folder, with `/`. */
export interface FileChanges {
  readonly changed: ReadonlyMap<string, string | Uint8Array>;
  readonly removed: readonly string[];
}

/**
 * Writes and removes all files, or none. It first writes every file beside their common folder, and
 * then moves all into place. If a step fails, it restores the moved files. If the process is killed
 * in between, `completeWrites` completes the write.
 *
 * @param folder the folder that contains all of them
 * @throws WriteFailure, or PlaceTaken, if everything was left unchanged
 */
export function writeFiles(root: string, folder: string, { changed, removed }: FileChanges): void {
  const undo: (() => void)[] = [];
  const texts = [...changed];
  for (const path of [...changed.keys(), ...removed]) refuseObstacle(root, path, "file");
  const made = step(join(root, folder), () => makeOwnFolder(root, folder));
  if (made !== undefined) undo.push(() => removeMade(root, made, folder));
  const staging = step(join(root, folder), () => mkdtempSync(join(root, folder, stagingPrefix)));
  try {
    for (const [index, [path, text]] of texts.entries())
      step(join(root, path), () =>
        writeFileSync(join(staging, String(index)), text, { flag: "wx" }),
      );
    step(staging, () => writeJournal(staging, journalOf(root, texts, removed)));
    for (const [index, [path]] of texts.entries())
      step(join(root, path), () => moveIntoPlace(root, join(staging, String(index)), path, undo));
    for (const path of removed) step(join(root, path), () => removeOne(root, path, undo));
    removeFoldersOf(
      { root, path: folder },
      removed.map((path) => ({ path })),
    );
    step(staging, () => closeJournal(staging));
  } catch (error) {
    for (const back of undo.toReversed()) back();
    throw error;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function journalOf(
  root: string,
  changed: readonly (readonly [path: string, text: string | Uint8Array])[],
  removed: readonly string[],
): readonly JournalStep[] {
  const before = (path: string) => hashAt(join(root, path));
  return [
    ...changed.map(([path, text]) => ({ path, before: before(path), after: hashOf(text) })),
    ...removed.map((path) => ({ path, before: before(path), after: null })),
  ];
}

function hashOf(text: string | Uint8Array): string {
  return typeof text === "string" ? sha256(text) : sha256OfBytes(text);
}

function moveIntoPlace(root: string, staged: string, path: string, undo: (() => void)[]): void {
  const before = bytesAt(join(root, path));
  const first = makeOwnFolder(root, posix.dirname(path));
  undo.push(() => {
    put(root, path, before);
    if (first !== undefined) removeMade(root, first, posix.dirname(path));
  });
  renameSync(staged, join(root, path));
}

function removeOne(root: string, path: string, undo: (() => void)[]): void {
  const before = bytesAt(join(root, path));
  if (before === undefined) return;
  removeOwnFile(root, path);
  undo.push(() => put(root, path, before));
}

/** Removes a folder and its parents, up to the first one that the write created. */
function removeMade(root: string, first: string, folder: string): void {
  const within = relative(root, dirname(first)).replaceAll(sep, "/") || ".";
  removeEmptyOwnFolders({ root, path: within }, posix.relative(within, folder));
}

function bytesAt(path: string): Uint8Array | undefined {
  try {
    return readRegularFile(path, { links: false });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Restores a file. A failure must not stop the others. */
function put(root: string, path: string, before: Uint8Array | undefined): void {
  try {
    if (before === undefined) return removeOwnFile(root, path);
    makeOwnFolder(root, posix.dirname(path));
    writeFileSync(join(root, path), before);
  } catch {
    // The earlier failure is reported.
  }
}

function step<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new WriteFailure(path, error);
  }
}
