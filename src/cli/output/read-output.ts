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
 * Reads all files in the output folder, by path below it with `/`; empty if there is no such
 * folder. Links are not followed, neither in the folder nor on the path to it, because their
 * targets don't belong to skillc.
 *
 * @param out below `root`, with `/`
 * @throws Error of the file system if an existing file can't be read
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

/** Files larger than any generated file belong to others, and count as empty. */
const largest = 64 * 1024 * 1024;

function textOf(path: string): string {
  return readUpTo(path, largest, { links: false })?.toString("utf8") ?? "";
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // The later write reports a file at the folder's path.
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return [];
    throw error;
  }
}

/**
 * Finds obstacles at the paths of generated files and their folders, each once. Includes the
 * staging folder.
 *
 * @param out the output folder, below `root`
 * @param paths files to write or remove, below the output folder
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
