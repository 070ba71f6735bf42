import { FolderLocked } from "../../files/folder-lock.js";
import { PathChanged } from "../../files/open-judged.js";
import { PlaceTaken } from "../../files/own-place.js";
import { systemCode } from "../../files/system-code.js";

/** Reason why copies can't be made, found or restored. */
export type BackupProblem =
  /** There are no copies of the call. */
  | "missing"
  /** The copies, or what they belong to, were changed since they were made. */
  | "damaged"
  /** Another process restores or applies the same call, or changes one of the files. */
  | "busy"
  /** Somebody changed files since the call. */
  | "differs"
  /** A path holds credentials or records of the project. */
  | "own"
  /** A path is a pipe, a socket, a device, or can't be read. */
  | "special"
  /** The copies exceed their limit. */
  | "too-large"
  /** Some changes were made, and could neither be completed nor undone. */
  | "half-done"
  /** The file system refuses. */
  | "unavailable";

/**
 * The error of copies: what is wrong, and what helps. The message contains no path, because a path
 * may be a masked parameter.
 */
export class BackupFault extends Error {
  override readonly name = "BackupFault";
  readonly problem: BackupProblem;
  /** Paths that the message is about, absolute. */
  readonly paths: readonly string[];

  constructor(
    problem: BackupProblem,
    message: string,
    paths: readonly string[] = [],
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.problem = problem;
    this.paths = paths;
  }
}

/** Makes a fault of an error of the file system. Other errors are mistakes in the code. */
export function asFault(error: unknown): BackupFault | undefined {
  if (error instanceof BackupFault) return error;
  if (error instanceof PathChanged)
    return new BackupFault("differs", "a folder on the path was replaced", [], error);
  if (error instanceof FolderLocked)
    return new BackupFault("busy", error.message, [error.path], error);
  if (error instanceof PlaceTaken) return new BackupFault("unavailable", error.message, [], error);
  const code = systemCode(error);
  if (code === undefined) return undefined;
  const why =
    code === "ENOSPC" || code === "EDQUOT" ? "there is no space left" : "the file system refuses";
  return new BackupFault("unavailable", `${why} (${code})`, [], error);
}
