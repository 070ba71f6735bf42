import { findObstacle, type Obstacle, type SeenPlaces } from "@skillc/runtime/internal";
import { stagingFolder } from "./write-output.js";

/**
 * What stands where a generated file or its folder goes and isn't one, each once; files are written by way of a folder of their own, which counts too.
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
