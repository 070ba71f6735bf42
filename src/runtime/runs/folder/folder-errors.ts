/** Errors of the file system, as the errors of a store of runs. */
import { folderFault } from "../../files/folder-fault.js";
import { RunStoreError } from "../store.js";

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
    const fault = folderFault(path, doing, error);
    if (fault === undefined) throw error;
    const { help, message, problem } = fault;
    const more = problem === "full" ? ", for example with `skillc runs prune`" : "";
    throw new RunStoreError(problem, message, help === undefined ? undefined : help + more);
  }
}
