import { lstat } from "node:fs/promises";
import { join, posix } from "node:path";

/**
 * The first part of a path, from the project's folder down, that is a symbolic link; undefined when none is. What skillc writes asks
 * `src/runtime/files/own-place.ts`, which this side can't import.
 *
 * @param path relative to `root`, with `/`
 */
export async function findLink(root: string, path: string): Promise<string | undefined> {
  const parts = posix.normalize(path).split("/");
  for (let count = 1; count <= parts.length; count += 1) {
    const part = parts.slice(0, count).join("/");
    const found = await lstat(join(root, part)).catch(() => undefined);
    if (found?.isSymbolicLink() === true) return part;
  }
  return undefined;
}
