import fs from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder and those above it that are missing. Node's own recursive `mkdir` never ends where the system refuses a folder as if the one above it were
 * missing, as it does below `/proc`.
 *
 * @param mode of the folders that are made
 * @returns absolute path of the first that had to be made
 * @throws the file system's error
 */
export function makeFolder(path: string, mode?: number): string | undefined {
  const missing: string[] = [];
  for (let at = resolve(path); !isFolder(at) && dirname(at) !== at; at = dirname(at))
    missing.unshift(at);
  for (const each of missing) {
    try {
      fs.mkdirSync(each, mode);
    } catch (error) {
      // Another process may have been faster.
      if (!isFolder(each)) throw error;
    }
  }
  return missing[0];
}

function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
