/** Shows policies the file that is actually read, whatever path a caller wrote. */
import { copyParameters } from "../call/copy-parameters.js";
import { locateGiven } from "../files/read-given.js";
import { type FileRules, filesIn, withFiles } from "../files/tool-file.js";

/**
 * Resolves the paths among the arguments, before anybody decides about the call. It reads no file
 * content, and denies nothing.
 *
 * @param directory the project's folder
 */
export function locateFiles(args: unknown, rules: FileRules | undefined, directory: string): void {
  if (rules === undefined) return;
  for (const file of filesIn(args, rules))
    if (file.path !== undefined) locateGiven(file, rules, directory);
}

/** Returns the arguments with each file replaced by the facts that policies use. */
export function judgedArguments(args: unknown, rules: FileRules): unknown {
  return withFiles(args, rules, (file) => file.judged);
}

/**
 * Does the same for the arguments in a file of policy tests.
 *
 * @throws RefusedValue if a value is not a file
 */
export function judgedTest(
  args: unknown,
  rules: FileRules | undefined,
  directory: string,
): unknown {
  if (rules === undefined) return args;
  const copy = copyParameters(args, rules);
  locateFiles(copy, rules, directory);
  return judgedArguments(copy, rules);
}
