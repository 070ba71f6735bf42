import {
  findObstacle,
  type Obstacle,
  readUpTo,
  type SeenPlaces,
  systemCode,
} from "@skillc/runtime/internal";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { stagingFolder } from "./write-output.js";

/**
 * Files that are in the output folder now, by path below it with `/`; empty when there is no such
 * folder. Links are not followed, on the way to the folder either: what is behind one is not ours.
 *
 * @param out below `root`, with `/`
 * @throws Error of the file system when something that is there can't be read
 */
export function readOutput(root: string, out: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  if (findObstacle(root, out, "folder") === undefined) collect(join(root, out), "", files);
  return files;
}

function collect(folder: string, prefix: string, files: Map<string, string>): void {
  for (const entry of entriesOf(folder)) {
    const path = `${prefix}${entry.name}`;
    if (path === stagingFolder) continue;
    if (entry.isDirectory()) collect(join(folder, entry.name), `${path}/`, files);
    else if (entry.isFile()) files.set(path, textOf(join(folder, entry.name)));
  }
}

/** What is larger than any generated file counts as empty: somebody else's. */
const largest = 64 * 1024 * 1024;

function textOf(path: string): string {
  return readUpTo(path, largest, { links: false })?.toString("utf8") ?? "";
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // A file in the folder's place is for the write to report.
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return [];
    throw error;
  }
}

/**
 * What stands where a generated file or its folder goes and isn't one, each once; files are written
 * by way of a folder of their own, which counts too.
 *
 * @param out the output folder, below `root`
 * @param paths of files to be written or removed, below the output folder
 */
export function findObstacles(
  root: string,
  out: string,
  paths: readonly string[],
): readonly Obstacle[] {
  if (paths.length === 0) return [];
  const seen: SeenPlaces = new Map();
  findObstacle(root, `${out}/${stagingFolder}`, "folder", seen);
  for (const path of paths) findObstacle(root, `${out}/${path}`, "file", seen);
  return [...seen.values()].filter((each) => each !== undefined);
}
