/**
 * Prints diagnostics. For people, `render.ts` lays them out with a part of the source
 * (`snippet.ts`), and `summary.ts` counts them. For programs, there is `json.ts`. `positions.ts`
 * converts offsets to lines. `secret-finder.ts` finds secrets to mask in both.
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

/** Diagnostics, and the texts of their files. */
export interface PrintedDiagnostics {
  readonly diagnostics: readonly Diagnostic[];
  /** Accepted diagnostics. People get a count, programs a list. */
  readonly accepted: readonly AcceptedDiagnostic[];
  readonly sources: Sources;
}

/**
 * Prints diagnostics for people to stderr: each with its source, then the counts.
 *
 * @param detail `brief`: only errors with their source, everything else on one line each
 * @param inFull command that shows everything with its source; null if there is none
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

/** Prints diagnostics for programs to stdout. `more` adds keys beside `diagnostics`. */
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
