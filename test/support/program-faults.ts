import type { JsonObject } from "../../src/core/json.js";
import { openProgram, type ProgramFault } from "../../src/compiler/verify/open-program.js";

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
