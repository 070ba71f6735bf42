/** Explains errors of the file system in a folder that an application names with `directory`. */
import { PlaceTaken } from "./own-place.js";
import { systemCode } from "./system-code.js";

/** Reason why a folder or a file in it can't be read or written. */
export type FolderProblem =
  "read-only" | "full" | "not-a-folder" | "not-a-file" | "link" | "unavailable";

/** A problem of a folder, for a person. */
export interface FolderFault {
  readonly problem: FolderProblem;
  readonly message: string;
  /** A remedy, if known. */
  readonly help: string | undefined;
}

interface Meaning {
  readonly problem: FolderProblem;
  readonly why: string;
  readonly help: string;
}

const readOnly: Meaning = {
  problem: "read-only",
  why: "it may not be written",
  help: "give the process the right to write the folder, or name another one with `directory`",
};
const full: Meaning = { problem: "full", why: "there is no space left", help: "make room" };
const notAFolder: Meaning = {
  problem: "not-a-folder",
  why: "something else is in the place of the folder",
  help: "move it elsewhere, or name another folder with `directory`",
};
const link: Meaning = {
  problem: "link",
  why: "a link is in its place, and no link is followed there",
  help: "remove the link, or name the folder behind it with `directory`",
};
const notAFile: Meaning = {
  problem: "not-a-file",
  why: "something else is in the place of the file",
  help: "move it elsewhere",
};

const meanings: ReadonlyMap<string, Meaning> = new Map([
  ["EROFS", readOnly],
  ["EACCES", readOnly],
  ["EPERM", readOnly],
  ["ENOSPC", full],
  ["EDQUOT", full],
  ["EFBIG", full],
  ["ENOTDIR", notAFolder],
  ["EEXIST", notAFolder],
  ["ELOOP", link],
  ["EISDIR", notAFile],
  ["ENXIO", notAFile],
  ["ENOTFILE", notAFile],
]);

const blocked: { readonly [Found in PlaceTaken["obstacle"]["found"]]: FolderProblem } = {
  link: "link",
  file: "not-a-folder",
  folder: "not-a-file",
  "special file": "not-a-file",
};

/**
 * Explains an error of the file system; undefined for another error.
 *
 * @param path path of the folder or file, in messages
 * @param doing `read` or `written`
 */
export function folderFault(
  path: string,
  doing: "read" | "written",
  error: unknown,
): FolderFault | undefined {
  if (error instanceof PlaceTaken) {
    const { found, path: place, wanted } = error.obstacle;
    const problem =
      found === "special file" && wanted === "folder" ? "not-a-folder" : blocked[found];
    const help = `move \`${place}\` elsewhere, or name another folder with \`directory\``;
    return { problem, message: `\`${path}\` can't be ${doing}: ${error.message}`, help };
  }
  const code = systemCode(error);
  if (code === undefined) return undefined;
  const meaning = meanings.get(code);
  if (meaning === undefined || (doing === "read" && meaning === readOnly)) {
    const message = `\`${path}\` can't be ${doing}: ${code}`;
    return { problem: "unavailable", message, help: undefined };
  }
  const { help, problem, why } = meaning;
  return { problem, message: `\`${path}\` can't be ${doing}: ${why} (${code})`, help };
}
