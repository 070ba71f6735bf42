/** The project's own files, which no copy contains and no process may read or change. */
import fs from "node:fs";
import { join } from "node:path";
import { type JudgedPath, realFolder } from "./judged-path.js";
import { makeOwnFolder, PlaceTaken } from "./own-place.js";
import { systemCode } from "./system-code.js";

const names = [".env", ".skillc"] as const;

/** A file or folder of the project that holds credentials or records. */
export interface ProjectSecret {
  /** Absolute path, without links. */
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * Returns a test for paths that belong to the project's credentials or ledger. A file that is not
 * there counts too, because the project would read a new one. Paths are absolute, without links.
 */
export function projectSecretTest(directory: string): (path: string) => boolean {
  const project = realFolder(directory);
  // A link may lead to a missing file, which the project would read too.
  const all = names.map((name) => join(project, name)).flatMap((each) => [each, realFolder(each)]);
  return (path) => all.some((each) => isIn(each, path));
}

/** Words that follow the name of a path that `isOwnPath` rejects. */
export const ownPathReason = "is a path to credentials or records of the project";

/**
 * Returns whether a path that an allowed folder holds belongs to the project's credentials or
 * ledger. An author may allow a folder in `.skillc` itself, such as that of downloads.
 */
export function isOwnPath(directory: string, { folder, path }: OwnPath): boolean {
  const isSecret = projectSecretTest(directory);
  return isSecret(path) && !isSecret(folder.real);
}

type OwnPath = Pick<JudgedPath, "path"> & { readonly folder: Pick<JudgedPath["folder"], "real"> };

/**
 * Creates the folder of the project's records if it is missing and one of these folders would hold
 * it. Otherwise a process that may change the folders could create it, with approvals in it.
 *
 * @param folders absolute paths, without links
 */
export function makeRecords(directory: string, folders: readonly string[]): void {
  if (!folders.some((each) => isIn(each, join(directory, ".skillc")))) return;
  try {
    makeOwnFolder(directory, ".skillc", 0o700);
  } catch (error) {
    // Something is there, or the process can't create it either.
    if (!(error instanceof PlaceTaken) && systemCode(error) === undefined) throw error;
  }
}

/**
 * Returns a name of the project's credentials or records in whose place a process could put its own
 * file, although all that exist are covered: the file is missing, or it is a link. Undefined if
 * there is none.
 *
 * @param folders absolute paths of the folders that the process may change, without links
 */
export function replaceableSecret(
  directory: string,
  folders: readonly string[],
): string | undefined {
  const project = realFolder(directory);
  return names.find((name) => {
    const place = join(project, name);
    return [place, realFolder(place)].some((path) => {
      const found = fs.lstatSync(path, { throwIfNoEntry: false });
      const isCoverable = found?.isFile() === true || found?.isDirectory() === true;
      return !isCoverable && folders.some((each) => isIn(each, path));
    });
  });
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
