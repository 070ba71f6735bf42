/** What one command tells of the imports that it made. */
import type { CommandContext } from "../command-context.js";
import { paletteFor } from "../console/palette.js";
import { printFailure } from "../console/print-failure.js";
import { printJson } from "../console/print-json.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";

/** How an import ended. */
export interface ToldImport {
  readonly code: ExitCode;
  /** What `--json` prints of it; absent where it was told to people. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** An import writes nothing with `--list` or `--check`. */
export function isReading({
  check,
  list,
}: {
  readonly check?: true;
  readonly list?: true;
}): boolean {
  return list === true || check === true;
}

/**
 * Makes imports one after the other, and tells of them. Where all that were made before are meant, one
 * that can't be made keeps none of the others from being made, and told.
 *
 * @param areAll then `imports` has each, be it one
 * @returns the code of the first that is not fine
 */
export async function makeImports(
  { io }: CommandContext,
  imports: readonly (() => Promise<ToldImport>)[],
  areAll: boolean,
  wantsJson: boolean,
): Promise<ExitCode> {
  const told: ToldImport[] = [];
  for (const make of imports) {
    try {
      told.push(await make());
    } catch (error) {
      if (!areAll || !(error instanceof CommandFailure)) throw error;
      const { exit: code, help, message } = error;
      printFailure(io.stderr, paletteFor(io.stderr, io.env), message, help);
      const data = { error: { message, ...(help !== undefined && { help }) } };
      told.push({ code, ...(wantsJson && { data }) });
    }
  }
  const data = told.flatMap((each) => each.data ?? []);
  if (areAll && data.length > 0) printJson(io.stdout, { imports: data });
  else for (const each of data) printJson(io.stdout, each);
  return told.find(({ code }) => code !== exitCode.fine)?.code ?? exitCode.fine;
}
