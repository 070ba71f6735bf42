import { readFileSync } from "node:fs";
import type { JsonObject } from "../../src/core/json.js";
import { openProgram, type ProgramFault } from "../../src/compiler/verify/open-program.js";
import { repository } from "./repository.js";

/**
 * What TypeScript finds in each of the texts, by absolute path. None of them is ever written to disk.
 *
 * @param folder where options are written that say nothing of a place
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

/** What TypeScript finds in each of the texts, by absolute path, as files of this repository: with the options of its tsconfig.json. */
export function repositoryFaults(
  texts: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly ProgramFault[]> {
  const options = { ...optionsIn("tsconfig.base.json"), ...optionsIn("tsconfig.json") };
  return programFaults(texts, options, repository.slice(0, -1));
}

function optionsIn(file: string): JsonObject {
  return JSON.parse(readFileSync(`${repository}${file}`, "utf8")).compilerOptions;
}
