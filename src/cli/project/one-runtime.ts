import { join } from "node:path";
import { runtimeEntry } from "../../core/runtime-entry.js";
import { CommandFailure } from "../exit.js";
import { findRuntime, type InstalledPackage } from "./entry-points.js";

/**
 * Checks that the project and this process use the same copy of the runtime, because credentials,
 * binding kinds and ledgers don't work across copies. A project without a runtime passes, and the
 * type check of the generated code reports it.
 *
 * @param root absolute
 * @throws CommandFailure if the project has its own copy, or one that doesn't fit the generated
 * code
 */
export function requireOneRuntime(root: string): void {
  const theirs = findRuntime(join(root, "skillc.yaml"));
  const ours = findRuntime();
  if (theirs === undefined || ours === undefined) return;
  if (theirs.folder !== ours.folder) throw twoCopies(theirs, ours);
  if (!Object.hasOwn(theirs.exports, `.${runtimeEntry().slice("@skillc/runtime".length)}`))
    throw otherContract(theirs);
}

function twoCopies(theirs: InstalledPackage, ours: InstalledPackage): CommandFailure {
  const versions =
    theirs.version === ours.version
      ? `both of version ${ours.version}`
      : `the project's is version ${theirs.version}, that of skillc version ${ours.version}`;
  return CommandFailure.input(
    `there are two copies of \`@skillc/runtime\`: ${versions}`,
    theirs.version === ours.version
      ? "run skillc of the project itself: `npx skillc`, with skillc among its devDependencies"
      : "install both packages in one version: `npm install -D skillc@latest && npm install @skillc/runtime@latest`",
  );
}

function otherContract({ version }: InstalledPackage): CommandFailure {
  return CommandFailure.input(
    `\`@skillc/runtime\` ${version} does not support the code that this skillc generates`,
    "install both packages in one version: `npm install -D skillc@latest && npm install @skillc/runtime@latest`",
  );
}
