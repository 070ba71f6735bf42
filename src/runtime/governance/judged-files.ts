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
export function locateFiles(
  args: unknown,
  rules: FileRules | undefined,
  directory: string,
): undefined | Promise<void> {
  if (rules === undefined) return undefined;
  const named = filesIn(args, rules).filter(({ path }) => path !== undefined);
  if (named.length === 0) return undefined;
  return Promise.all(named.map((file) => locateGiven(file, rules, directory))).then(
    () => undefined,
  );
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
export async function judgedTest(
  args: unknown,
  rules: FileRules | undefined,
  directory: string,
): Promise<unknown> {
  if (rules === undefined) return args;
  const copy = copyParameters(args, rules);
  await locateFiles(copy, rules, directory);
  return judgedArguments(copy, rules);
}
