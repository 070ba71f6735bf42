import { statSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns whether the project has a policy, and so governance.
 *
 * @param out the output folder, relative to `root`
 */
export function isGoverned(root: string, out: string): boolean {
  // Loading a pipe would wait for its other end.
  return statSync(join(root, out, "policy.ts"), { throwIfNoEntry: false })?.isFile() === true;
}
