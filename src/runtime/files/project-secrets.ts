/** The project's own files, which no copy contains and no process may read or change. */
import fs from "node:fs";
import { join } from "node:path";

const names = [".env", ".skillc"] as const;

/** A file or folder of the project that holds credentials or records. */
export interface ProjectSecret {
  /** Absolute path, without links. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Returns the places of the project's credentials and ledger, also if nothing is there. */
export function secretPlaces(directory: string): readonly string[] {
  return names.map((name) => join(directory, name));
}

/** Returns the project's credentials and ledger, as far as they exist. */
export function projectSecrets(directory: string): readonly ProjectSecret[] {
  return names.flatMap((name) => {
    const place = join(directory, name);
    const found = fs.statSync(place, { throwIfNoEntry: false });
    if (found === undefined || !(found.isFile() || found.isDirectory())) return [];
    return [{ path: fs.realpathSync.native(place), isFolder: found.isDirectory() }];
  });
}

/** Returns whether a path is a folder, or below it. Both are absolute and without links. */
export function isIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? folder : `${folder}/`);
}
