/** Files of a call as policies see them: by the file that is read, whatever a caller wrote for it. */
import { copyParameters } from "../call/copy-parameters.js";
import { locateGiven } from "../files/read-given.js";
import { type FileRules, filesIn, withFiles } from "../files/tool-file.js";

/**
 * Finds out which files the paths among the arguments lead to, before anybody decides about the
 * call. Nothing of them is read, and nothing is refused.
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

/** The arguments with the facts of each file that policies decide by. */
export function judgedArguments(args: unknown, rules: FileRules): unknown {
  return withFiles(args, rules, (file) => file.judged);
}

/**
 * The same of arguments in a file of tests, which no call has taken.
 *
 * @throws RefusedValue for what is no file
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
