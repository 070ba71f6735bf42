import type { Stats } from "node:fs";
import type { EntryKind, FileEntry } from "./contract.js";

/**
 * Describes an entry of a folder.
 *
 * @param path path as answers show it
 */
export function entryOf(path: string, found: Stats): FileEntry {
  return {
    path,
    kind: kindOf(found),
    bytes: found.isFile() ? found.size : 0,
    modified: new Date(found.mtimeMs).toISOString(),
  };
}

function kindOf(found: Stats): EntryKind {
  if (found.isFile()) return "file";
  if (found.isDirectory()) return "folder";
  return found.isSymbolicLink() ? "link" : "other";
}
