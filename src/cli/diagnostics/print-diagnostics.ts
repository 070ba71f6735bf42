import type { Diagnostic } from "../../core/diagnostic.js";
import type { CommandContext } from "../command-context.js";
import { printJson } from "../console/print-json.js";
import { widthOf } from "../io.js";
import { diagnosticsAsData } from "./json.js";
import { renderDiagnostics, type Sources } from "./render.js";
import { summarize } from "./summary.js";

/** For people, on stderr: every diagnostic with its source, then the counts. */
export function printDiagnostics(
  { io, err }: CommandContext,
  diagnostics: readonly Diagnostic[],
  sources: Sources,
): void {
  const summary = summarize(diagnostics, err);
  if (summary === undefined) return;
  const options = { palette: err, width: widthOf(io.stderr) };
  io.stderr.write(`${renderDiagnostics(diagnostics, sources, options)}\n${summary}\n`);
}

/** For programs, on stdout. `more` stands beside `diagnostics`. */
export function printDiagnosticsJson(
  { io }: CommandContext,
  diagnostics: readonly Diagnostic[],
  sources: Sources,
  more: Readonly<Record<string, unknown>> = {},
): void {
  printJson(io.stdout, { ...diagnosticsAsData(diagnostics, sources), ...more });
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((each) => each.severity === "error");
}
