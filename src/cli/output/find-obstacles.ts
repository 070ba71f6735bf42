import { lstatSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemCode } from "../exit.js";

/** Something on disk that keeps a generated file from being written. */
export interface Obstacle {
  /** Below the output folder, with `/`; empty for the folder itself. */
  readonly path: string;
  /** What a file or folder has to make room for. */
  readonly wanted: "file" | "folder";
  /** What stands there. */
  readonly found: "file" | "folder" | "link" | "special file";
}

/**
 * What stands where a generated file or its folder goes and isn't one, each once.
 *
 * @param folder absolute path of the output folder, which may itself be a link
 * @param paths of files to be written, below it
 */
export function findObstacles(folder: string, paths: readonly string[]): readonly Obstacle[] {
  const root = look(() => statSync(folder, { throwIfNoEntry: false }));
  if (root === undefined) return [];
  if (!root.isDirectory()) return [{ path: "", wanted: "folder", found: nameOf(root) }];
  const seen = new Map<string, Obstacle | undefined>();
  for (const path of paths) {
    if (!foldersOf(path).some((each) => obstacleAt(folder, each, "folder", seen)))
      obstacleAt(folder, path, "file", seen);
  }
  return [...seen.values()].filter((each) => each !== undefined);
}

/** The folders that a path leads through, outer before inner. */
function foldersOf(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [...foldersOf(folder), folder];
}

function obstacleAt(
  root: string,
  path: string,
  wanted: Obstacle["wanted"],
  seen: Map<string, Obstacle | undefined>,
): boolean {
  if (!seen.has(path)) {
    const there = look(() => lstatSync(join(root, path), { throwIfNoEntry: false }));
    const fits = there === undefined || (wanted === "file" ? there.isFile() : there.isDirectory());
    seen.set(path, fits ? undefined : { path, wanted, found: nameOf(there) });
  }
  return seen.get(path) !== undefined;
}

/** Something that can't be looked at is for the write to report. */
function look(action: () => Stats | undefined): Stats | undefined {
  try {
    return action();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function nameOf(there: Stats): Obstacle["found"] {
  if (there.isDirectory()) return "folder";
  if (there.isSymbolicLink()) return "link";
  return there.isFile() ? "file" : "special file";
}
