import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import {
  makeOwnFolder,
  readRegularFile,
  refuseObstacle,
  removeEmptyOwnFolders,
  removeOwnFile,
  systemCode,
} from "@skillc/runtime/internal";
import { WriteFailure } from "./write-output.js";

/** What is written and removed together. Paths are relative to the project's folder, with `/`. */
export interface FileChanges {
  readonly changed: ReadonlyMap<string, string>;
  readonly removed: readonly string[];
}

/**
 * Writes and removes files, wholly or not at all: every file is first written beside the folder that
 * they are in, then all are moved into place; when anything fails, what was moved is put back.
 *
 * @param folder the folder that all of them are below
 * @throws WriteFailure, or PlaceTaken, when everything was left as it was
 */
export function writeFiles(root: string, folder: string, { changed, removed }: FileChanges): void {
  const undo: (() => void)[] = [];
  const paths = [...changed.keys()];
  for (const path of [...paths, ...removed]) refuseObstacle(root, path, "file");
  const made = step(join(root, folder), () => makeOwnFolder(root, folder));
  if (made !== undefined) undo.push(() => removeMade(root, made, folder));
  const staging = step(join(root, folder), () => mkdtempSync(join(root, folder, ".writing-")));
  try {
    for (const [index, path] of paths.entries())
      step(join(root, path), () =>
        writeFileSync(join(staging, String(index)), changed.get(path) ?? "", { flag: "wx" }),
      );
    for (const [index, path] of paths.entries())
      step(join(root, path), () => {
        const before = bytesAt(join(root, path));
        const first = makeOwnFolder(root, posix.dirname(path));
        undo.push(() => {
          put(join(root, path), before);
          if (first !== undefined) removeMade(root, first, posix.dirname(path));
        });
        renameSync(join(staging, String(index)), join(root, path));
      });
    for (const path of removed)
      step(join(root, path), () => {
        const before = bytesAt(join(root, path));
        if (before === undefined) return;
        removeOwnFile(root, path);
        undo.push(() => put(join(root, path), before));
      });
  } catch (error) {
    for (const back of undo.toReversed()) back();
    throw error;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  for (const path of removed)
    removeEmptyOwnFolders(
      { root, path: folder },
      posix.relative(folder, posix.dirname(path)) || ".",
    );
}

/** Removes a folder and those above it, up to the first that had to be made. */
function removeMade(root: string, first: string, folder: string): void {
  const within = relative(root, dirname(first)) || ".";
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

/** As it was before; what can't be put back must not keep the rest from it. */
function put(path: string, before: Uint8Array | undefined): void {
  try {
    if (before === undefined) rmSync(path, { force: true });
    else writeFileSync(path, before);
  } catch {
    // The failure that led here is the one to report.
  }
}

function step<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new WriteFailure(path, error);
  }
}
