import type { CommandContext } from "../command-context.js";
import { printDiagnostics, printDiagnosticsJson } from "../diagnostics/print-diagnostics.js";
import type { Outcome } from "../../compiler/cached-outcome.js";
import type { CompiledProject } from "../project/compile-project.js";
import type { Timings } from "./compile-with-progress.js";

/**
 * Prints diagnostics: as JSON if requested, otherwise errors with their source and the others on
 * one line each.
 */
export function reportBriefly(
  context: CommandContext,
  compiled: CompiledProject<Outcome>,
  options: {
    readonly json?: true;
    readonly timings?: Timings | undefined;
    /** Packages that the project lacks. */
    readonly missing?: readonly string[] | undefined;
  },
): void {
  const { json, missing, timings } = options;
  if (json === true)
    printDiagnosticsJson(context, compiled, {
      ...(timings === undefined ? {} : { timings }),
      ...(missing === undefined ? {} : { missingPackages: missing }),
    });
  else printDiagnostics(context, compiled, "brief");
}
