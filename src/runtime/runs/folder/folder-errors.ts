/** Errors of the file system, as the errors of a store of runs. */
import { PlaceTaken } from "../../files/own-place.js";
import { systemCode } from "../../files/system-code.js";
import { RunStoreError, type RunStoreProblem } from "../store.js";

interface Meaning {
  readonly problem: RunStoreProblem;
  readonly why: string;
  readonly help: string;
}

const readOnly: Meaning = {
  problem: "read-only",
  why: "it may not be written",
  help: "give the process the right to write the folder, or name another one with `directory`",
};
const full: Meaning = {
  problem: "full",
  why: "there is no space left",
  help: "make room, for example with `skillc runs prune`",
};
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

const blocked: { readonly [Found in PlaceTaken["obstacle"]["found"]]: RunStoreProblem } = {
  link: "link",
  file: "not-a-folder",
  folder: "not-a-file",
  "special file": "not-a-file",
};

/**
 * Runs work on a folder of runs.
 *
 * @param path path of the folder or file, in messages
 * @param doing `read` or `written`
 * @throws RunStoreError instead of an error of the file system
 */
export async function onFolder<Value>(
  path: string,
  doing: "read" | "written",
  work: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw folderError(path, doing, error);
  }
}

function folderError(path: string, doing: "read" | "written", error: unknown): unknown {
  if (error instanceof PlaceTaken) {
    const { found, path: place, wanted } = error.obstacle;
    const problem =
      found === "special file" && wanted === "folder" ? "not-a-folder" : blocked[found];
    const help = `move \`${place}\` elsewhere, or name another folder with \`directory\``;
    return new RunStoreError(problem, `\`${path}\` can't be ${doing}: ${error.message}`, help);
  }
  const code = systemCode(error);
  if (code === undefined) return error;
  const meaning = meanings.get(code);
  if (meaning === undefined || (doing === "read" && meaning === readOnly))
    return new RunStoreError("unavailable", `\`${path}\` can't be ${doing}: ${code}`);
  const { help, problem, why } = meaning;
  return new RunStoreError(problem, `\`${path}\` can't be ${doing}: ${why} (${code})`, help);
}
