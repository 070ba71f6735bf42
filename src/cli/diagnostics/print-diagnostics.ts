/**
 * Prints diagnostics. For people, `render.ts` lays them out with a piece of the source
 * (`snippet.ts`) and `summary.ts` counts them; for programs, `json.ts`. `positions.ts` turns
 * offsets into lines. `secret-finder.ts` finds what must be masked in both.
 * `all-diagnostic-entries.ts` has every code.
 */
import type { AcceptedDiagnostic, Diagnostic } from "../../core/diagnostic.js";
import type { CommandContext } from "../command-context.js";
import { printJson } from "../console/print-json.js";
import { widthOf } from "../io.js";
import { diagnosticsAsData } from "./json.js";
import { renderBriefly, renderDiagnostics } from "./render.js";
import { secretsIn } from "./secret-finder.js";
import type { Sources } from "./positions.js";
import { summarize } from "./summary.js";

/** What was found, and the texts that it is about. */
export interface PrintedDiagnostics {
  readonly diagnostics: readonly Diagnostic[];
  /** Those that authors accept: counted, and listed for programs. */
  readonly accepted: readonly AcceptedDiagnostic[];
  readonly sources: Sources;
}

/**
 * For people, on stderr: every diagnostic with its source, then the counts.
 *
 * @param detail `brief`: only errors with their source, everything else on a line each
 * @param inFull what shows the rest with its source; null where nothing does
 */
export function printDiagnostics(
  { io, err }: CommandContext,
  { accepted, diagnostics, sources }: PrintedDiagnostics,
  detail: "full" | "brief" = "full",
  inFull: string | null = "skillc check",
): void {
  const summary = summarize(diagnostics, accepted, err);
  if (summary === undefined) return;
  const options = {
    palette: err,
    width: widthOf(io.stderr),
    hidden: secretsIn([...accepted, ...diagnostics]),
  };
  const isShort = (each: Diagnostic) => detail === "brief" && each.severity !== "error";
  const short = diagnostics.filter(isShort);
  const long = diagnostics.filter((each) => !isShort(each));
  const frames = long.length === 0 ? "" : `${renderDiagnostics(long, sources, options)}\n`;
  const which = long.length === 0 ? "them with their" : "the rest with its";
  const isMore = short.length > 0 && inFull !== null;
  const more = isMore ? err.dim(`; \`${inFull}\` shows ${which} source`) : "";
  io.stderr.write(`${renderBriefly(short, sources, options)}${frames}${summary}${more}\n`);
}

/** For programs, on stdout. `more` stands beside `diagnostics`. */
export function printDiagnosticsJson(
  { io }: CommandContext,
  { accepted, diagnostics, sources }: PrintedDiagnostics,
  more: Readonly<Record<string, unknown>> = {},
): void {
  printJson(io.stdout, { ...diagnosticsAsData(diagnostics, accepted, sources), ...more });
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((each) => each.severity === "error");
}
