import type { CommandContext } from "../command-context.js";
import { printDiagnostics, printDiagnosticsJson } from "../diagnostics/print-diagnostics.js";
import type { CompiledProject } from "../project/compile-project.js";
import type { Timings } from "./run-clock.js";

/** What was found: as JSON when asked for, else errors with their source and the rest on a line each. */
export function reportBriefly(
  context: CommandContext,
  { diagnostics, sources }: CompiledProject,
  options: { readonly json?: true; readonly timings?: Timings | undefined },
): void {
  const { json, timings } = options;
  if (json === true)
    printDiagnosticsJson(context, diagnostics, sources, timings === undefined ? {} : { timings });
  else printDiagnostics(context, diagnostics, sources, "brief");
}
