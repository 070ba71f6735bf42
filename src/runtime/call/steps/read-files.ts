import { tooLong } from "../../files/give-file.js";
import { readGiven } from "../../files/read-given.js";
import { type FileRules, filesIn, type GivenFile, maxBytesOf } from "../../files/tool-file.js";
import type { Call } from "../call.js";

/**
 * Reads files that are given by path, before the request is built. So the request's fingerprint
 * contains their digests, and the content that is sent is the content that was read.
 *
 * @throws RefusedValue if a file may not be read, can't be read or is too large
 */
export function readFiles(call: Call): undefined | Promise<void> {
  const { files: rules } = call.tool;
  if (rules === undefined) return undefined;
  const files = filesIn(call.args, rules);
  return files.length === 0 ? undefined : readAll(files, rules, call.runtime.directory);
}

async function readAll(
  files: readonly GivenFile[],
  rules: FileRules,
  directory: string,
): Promise<void> {
  const most = maxBytesOf(rules);
  let room = most;
  for (const file of files) {
    if (file.stream === undefined && file.bytes === undefined)
      await readGiven(file, rules, directory, room);
    room -= file.size ?? 0;
    if (room < 0) throw file.refused(tooLong(most));
  }
}
