import { findProjectRoot } from "../../compiler/read/find-root.js";
import { requireOneRuntime } from "./one-runtime.js";

/**
 * Finds the root of the project that contains a folder. The project must use this process's
 * runtime.
 *
 * @throws CommandFailure if the project has another copy of the runtime
 */
export async function projectRoot(directory: string): Promise<string> {
  const root = await findProjectRoot(directory);
  requireOneRuntime(root);
  return root;
}
