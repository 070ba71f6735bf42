/** The paths that a tool's declaration names for copies. */
import type { Call } from "../../call/call.js";
import { boundCaller } from "../../caller.js";
import { addCredentialNames, isCredential, isCredentialText } from "../../values/text.js";
import type { KeptPath } from "../tool-rollback.js";

/** Returns the paths that a call keeps; empty if the tool names none. */
export function declaredPaths({ args, caller, tool }: Call): readonly KeptPath[] {
  const { rollback } = tool;
  if (rollback?.strategy !== "backup" || rollback.paths === undefined) return [];
  // The arguments are those that the tool's validator accepted.
  const paths = rollback.paths(args as never, boundCaller({ caller }));
  return paths.filter((each) => each !== undefined);
}

/** Returns the names of the settings in the paths that a call keeps. */
export function keptCredentials(call: Call): readonly string[] {
  const names: string[] = [];
  for (const each of declaredPaths(call)) {
    if (isCredentialText(each)) addCredentialNames(names, each.parts);
    else if (isCredential(each)) addCredentialNames(names, [each]);
  }
  return names;
}
