/** Runs the imports of one command, and reports them. */
import type { CommandContext } from "../command-context.js";
import { paletteFor } from "../console/palette.js";
import { printFailure } from "../console/print-failure.js";
import { printJson } from "../console/print-json.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { projectRoot } from "../project/project-root.js";
import { withProjectLock } from "../commands/write-project.js";

/** Result of an import. */
export interface ImportResult {
  readonly code: ExitCode;
  /** Data for `--json`; absent if the result was printed for people. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** An import with `--list` or `--check` writes nothing. */
export function isReading({
  check,
  list,
}: {
  readonly check?: true;
  readonly list?: true;
}): boolean {
  return list === true || check === true;
}

/** Runs an import in its project. It locks the project, unless the import only reads. */
export function runImport(
  context: CommandContext,
  options: Parameters<typeof isReading>[0],
  run: (root: string) => Promise<ExitCode>,
): Promise<ExitCode> {
  return isReading(options)
    ? projectRoot(context.directory).then(run)
    : withProjectLock(context, run);
}

/**
 * Runs imports one after the other. If all earlier imports are repeated, a failing one doesn't stop
 * the others.
 *
 * @param areAll true if `imports` has all earlier imports, even if there is only one
 * @returns the first exit code that reports a failure
 */
export async function makeImports(
  { io }: CommandContext,
  imports: readonly (() => Promise<ImportResult>)[],
  areAll: boolean,
  wantsJson: boolean,
): Promise<ExitCode> {
  const results: ImportResult[] = [];
  for (const make of imports) {
    try {
      results.push(await make());
    } catch (error) {
      if (!areAll || !(error instanceof CommandFailure)) throw error;
      const { exit: code, help, message } = error;
      printFailure(io.stderr, paletteFor(io.stderr, io.env), message, help);
      const data = { error: { message, ...(help !== undefined && { help }) } };
      results.push({ code, ...(wantsJson && { data }) });
    }
  }
  const data = results.flatMap((each) => each.data ?? []);
  if (areAll && data.length > 0) printJson(io.stdout, { imports: data });
  else for (const each of data) printJson(io.stdout, each);
  return results.find(({ code }) => code !== exitCode.fine)?.code ?? exitCode.fine;
}
