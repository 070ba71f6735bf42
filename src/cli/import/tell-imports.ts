/** What one command tells of the imports that it made. */
import type { CommandContext } from "../command-context.js";
import { printJson } from "../console/print-json.js";
import { type ExitCode, exitCode } from "../exit.js";

/** How an import ended. */
export interface ToldImport {
  readonly code: ExitCode;
  /** What `--json` prints of it; absent where it was told to people. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * @param areAll whether all that were imported before are meant: then `imports` has each, be it one
 * @returns the code of the worst
 */
export function tellImports(
  { io }: CommandContext,
  told: readonly ToldImport[],
  areAll: boolean,
): ExitCode {
  const data = told.flatMap((each) => each.data ?? []);
  if (areAll && data.length > 0) printJson(io.stdout, { imports: data });
  else for (const each of data) printJson(io.stdout, each);
  return told.find(({ code }) => code !== exitCode.fine)?.code ?? exitCode.fine;
}
