import { isUpToDate } from "../../compiler/verify/compare-output.js";
import type { CommandContext } from "../command-context.js";
import { type ExitCode, exitCode } from "../exit.js";
import { soundOutput } from "../project/compile-project.js";
import type { OpenProject } from "../project/open-project.js";
import { compileWithProgress } from "./compile-with-progress.js";
import type { GenerateOptions } from "./generate-options.js";
import type { GenerateSession } from "./generate-once.js";
import { driftFindings, protectedFindings } from "./output-findings.js";
import { printDrift } from "./print-generated.js";
import { reportBriefly } from "./report-briefly.js";

/** `--check`: the same, but for writing. Not even the cache is written to. */
export async function checkOutput(
  context: CommandContext,
  open: OpenProject,
  session: GenerateSession,
  options: GenerateOptions,
): Promise<ExitCode> {
  const { get } = session.cacheFor(open);
  const compiled = await compileWithProgress(context, open, { get, set() {} });
  const output = soundOutput(compiled);
  const refused = protectedFindings(compiled, open.config.out);
  const drift =
    output === undefined || options.json !== true ? [] : driftFindings(output, open.config.out);
  const findings = [...compiled.diagnostics, ...refused, ...drift];
  reportBriefly(context, { ...compiled, diagnostics: findings }, options);
  if (output === undefined) return exitCode.inputErrors;
  if (options.json !== true) printDrift(context, open, compiled, output);
  return isUpToDate(output) ? exitCode.fine : exitCode.inputErrors;
}
