import { type Code, printCode, statementsOf } from "../core/code.js";
import { sha256 } from "../core/hash.js";
import type { DraftBody, DraftFile, OutputFile } from "../core/output.js";
import { withHeader } from "../core/provenance.js";
import type { Style } from "../core/style.js";
import type { CompileCache } from "./compile-cache.js";
import type { Stopwatch } from "./stopwatch.js";
import type { PrintedModule } from "./unit.js";

export interface PrintedFiles {
  readonly files: readonly OutputFile[];
  /** Those of the files that are to be type-checked. */
  readonly modules: readonly PrintedModule[];
}

/** How drafts are printed. */
export interface Printing {
  readonly style: Style;
  readonly stopwatch: Stopwatch;
  /** Keeps printed statements; left out where the caller keeps what they become. */
  readonly cache?: Pick<CompileCache, "get" | "set">;
}

/**
 * Formats drafts and reads each back: what can't be read back as it was meant never gets further.
 */
export async function printDrafts(
  drafts: readonly DraftFile[],
  printing: Printing,
): Promise<PrintedFiles> {
  const files: OutputFile[] = [];
  const modules: PrintedModule[] = [];
  for (const { body, path, source } of drafts) {
    const text = await printModule(path, body, printing);
    const file = { path, text: withLineEnds(withHeader(source, text), printing.style) };
    files.push(file);
    if (body.kind === "typescript" || body.isChecked === true)
      modules.push({ file, draft: body.code });
  }
  return { files, modules };
}

/** A module's text below its header, statement by statement. */
async function printModule(
  path: string,
  { code, kind }: DraftBody,
  printing: Printing,
): Promise<string> {
  const printed: string[] = [];
  for (const statement of statementsOf(code))
    printed.push(await printStatement(path, statement, kind, printing));
  return printed.join("\n");
}

async function printStatement(
  path: string,
  code: Code,
  kind: "typescript" | "verbatim",
  { cache, stopwatch, style }: Printing,
): Promise<string> {
  const text = printCode(code);
  // What is not formatted is printed as fast as it would be read.
  const key = kind === "typescript" && cache && sha256(JSON.stringify(["statement", style, text]));
  const kept = typeof key === "string" ? cache?.get(key) : undefined;
  if (kept !== undefined) return kept;
  // Most runs print little or nothing: prettier and TypeScript are loaded for what is new.
  const { readBack } = await import("./verify/read-back.js");
  const formatted =
    kind === "verbatim"
      ? withSemicolons(text, style)
      : await stopwatch.time("format", async () => {
          const { formatCode } = await import("./emit/format-code.js");
          return formatCode(text, style);
        });
  stopwatch.time("verify", () => readBack(path, code, formatted));
  if (typeof key === "string") cache?.set(key, formatted);
  return formatted;
}

/**
 * Of a statement that it is told to ignore, prettier still takes the last semicolon away. Each
 * statement of verbatim code stands below a comment that says so, and none begins so that it could
 * go on the one before.
 */
function withSemicolons(text: string, { semi }: Style): string {
  return semi === false ? text.replace(/;(?=\n(?:\/\/ prettier-ignore\n|$(?![^])))/g, "") : text;
}

/** Checksums are of texts with line feeds: git may change them. */
function withLineEnds(text: string, { endOfLine }: Style): string {
  return endOfLine === "crlf" ? text.replaceAll("\n", "\r\n") : text;
}
