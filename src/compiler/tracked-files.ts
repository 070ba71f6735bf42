import { sha256 } from "../core/hash.js";
import type { Project } from "../core/project.js";
import type { SourceFile } from "../core/source-file.js";

/**
 * The project's files for one skill. Each access is recorded, so that later runs notice a change.
 */
export interface TrackedFiles {
  open(path: string): SourceFile | undefined;
  /** Returns every existing file that was opened so far. */
  opened(): readonly SourceFile[];
  /** Returns hashes of all accessed files, by path; null for a file that doesn't exist. */
  reads(): { readonly [path: string]: string | null };
}

export function trackFiles(project: Project): TrackedFiles {
  const asked = new Set<string>();
  return {
    open(path) {
      asked.add(path);
      return project.files.get(path);
    },
    opened: () => [...asked].flatMap((path) => project.files.get(path) ?? []),
    reads: () => Object.fromEntries([...asked].map((path) => [path, hashOfFile(project, path)])),
  };
}

/** Cached because skills share files. */
const hashes = new WeakMap<SourceFile, string>();

/** Hash of a file; null if it doesn't exist, because its creation is a change too. */
export function hashOfFile(project: Project, path: string): string | null {
  const file = project.files.get(path);
  if (file === undefined) return null;
  const hash =
    hashes.get(file) ??
    sha256(file.linkTo === undefined ? file.text : `${file.linkTo}\0${file.text}`);
  hashes.set(file, hash);
  return hash;
}
