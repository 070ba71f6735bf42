import { readFileSync } from "node:fs";
import type { JsonObject } from "../../src/core/json.js";
import { openProgram, type ProgramFault } from "../../src/compiler/verify/open-program.js";
import { repository } from "./repository.js";

/**
 * Type-checks texts by absolute path, and returns the errors of each text. Writes no file.
 *
 * @param folder folder of the compiler options; any folder if they contain no relative path
 */
export function programFaults(
  texts: ReadonlyMap<string, string>,
  options: JsonObject,
  folder = "/none",
): ReadonlyMap<string, readonly ProgramFault[]> {
  const program = openProgram(folder, texts, options);
  try {
    return new Map([...texts.keys()].map((path) => [path, program.faultsIn(path)]));
  } finally {
    void program.close();
  }
}

/** Type-checks texts like files of this repository, with the options of its tsconfig.json. */
export function repositoryFaults(
  texts: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly ProgramFault[]> {
  const options = { ...optionsIn("tsconfig.base.json"), ...optionsIn("tsconfig.json") };
  return programFaults(texts, options, repository.slice(0, -1));
}

function optionsIn(file: string): JsonObject {
  return JSON.parse(readFileSync(`${repository}${file}`, "utf8")).compilerOptions;
}
