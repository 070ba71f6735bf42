import { findProjectRoot } from "../../compiler/read/find-root.js";
import { requireOneRuntime } from "./one-runtime.js";

/**
 * The root of the project that a folder is in, whose runtime is this process's.
 *
 * @throws CommandFailure when the project has another copy of the runtime
 */
export async function projectRoot(directory: string): Promise<string> {
  const root = await findProjectRoot(directory);
  requireOneRuntime(root);
  return root;
}
