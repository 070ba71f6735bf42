import type { CommandContext } from "../command-context.js";
import { printDiagnostics, printDiagnosticsJson } from "../diagnostics/print-diagnostics.js";
import type { CompiledProject } from "../project/compile-project.js";

/** What was found: as JSON when asked for, else errors with their source and the rest on a line each. */
export function reportBriefly(
  context: CommandContext,
  { diagnostics, sources }: CompiledProject,
  options: { readonly json?: true },
): void {
  if (options.json === true) printDiagnosticsJson(context, diagnostics, sources);
  else printDiagnostics(context, diagnostics, sources, "brief");
}
