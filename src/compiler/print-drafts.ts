import { statementsOf } from "../core/code.js";
import { sha256 } from "../core/hash.js";
import type { CodeBody, DraftBody, DraftFile, OutputFile } from "../core/output.js";
import { withHeader } from "../core/provenance.js";
import type { Style } from "../core/style.js";
import type { CompileCache } from "./compile-cache.js";
import type { Runner } from "./runner.js";
import { runHere } from "./run-here.js";
import { type DraftStatement, draftStatement } from "../core/draft-statement.js";
import type { Stopwatch } from "./stopwatch.js";
import type { PrintedModule } from "./unit.js";

export interface PrintedFiles {
  readonly files: readonly OutputFile[];
  /** Modules to type-check. */
  readonly modules: readonly PrintedModule[];
}

/** Options for printing drafts. */
export interface Printing {
  readonly style: Style;
  readonly stopwatch: Stopwatch;
  /** Absent if little is printed. */
  readonly runner?: Pick<Runner, "each" | "print">;
  /** Cache of printed statements; absent if the caller caches the files instead. */
  readonly cache?: Pick<CompileCache, "get" | "set">;
}

/** Formats drafts, and reads each back. Code that can't be read back exactly is never written. */
export async function printDrafts(
  drafts: readonly DraftFile[],
  printing: Printing,
): Promise<PrintedFiles> {
  const texts = await runnerOf(printing).each(drafts, ({ body, path }) =>
    printBody(path, body, printing),
  );
  const files = drafts.map(({ body, path, source }, index) => {
    const text = texts[index] ?? "";
    if (body.kind === "carried") return { path, text };
    if (body.kind === "data") return { path, text: withLineEnds(text, printing.style) };
    return { path, text: withLineEnds(withHeader(source, text), printing.style) };
  });
  const modules = drafts.flatMap(({ body }, index) => {
    const file = files[index];
    return file !== undefined && isTypeChecked(body) ? [{ file, draft: body.code }] : [];
  });
  return { files, modules };
}

async function printBody(path: string, body: DraftBody, printing: Printing): Promise<string> {
  if (body.kind === "carried") return body.text;
  if (body.kind !== "data") return printModule(path, body, printing);
  const { cache, style } = printing;
  const key = cache && sha256(JSON.stringify(["json", style, body.text]));
  const kept = key && cache.get(key);
  if (kept !== undefined) return kept;
  const { formatJson } = await import("./emit/format-json.js");
  const formatted = await formatJson(body.text, style);
  if (key !== undefined) cache?.set(key, formatted);
  return formatted;
}

/** Checks if the body is code whose types are checked. */
export function isTypeChecked(body: DraftBody): body is CodeBody {
  return body.kind === "typescript" || (body.kind === "verbatim" && body.isChecked === true);
}

/**
 * Prints a module's text below its header. Prints single statements if a cache stores them for
 * later runs.
 */
async function printModule(
  path: string,
  { code, kind }: CodeBody,
  printing: Printing,
): Promise<string> {
  const isWhole = kind === "typescript" && printing.cache === undefined;
  const statements = isWhole ? [code] : statementsOf(code);
  const printed = await runnerOf(printing).each(statements, (statement) =>
    printOrTake(draftStatement(path, statement, kind), printing),
  );
  return printed.join("\n");
}

async function printOrTake(statement: DraftStatement, printing: Printing): Promise<string> {
  const { cache, style } = printing;
  const { kind, text } = statement;
  // Unformatted code prints as fast as a cache returns it.
  const key = kind === "typescript" && cache && sha256(JSON.stringify(["statement", style, text]));
  const kept = typeof key === "string" ? cache?.get(key) : undefined;
  if (kept !== undefined) return kept;
  const formatted = await runnerOf(printing).print(statement, style);
  if (typeof key === "string") cache?.set(key, formatted);
  return formatted;
}

function runnerOf({ runner, stopwatch }: Printing): Pick<Runner, "each" | "print"> {
  return runner ?? runHere(stopwatch);
}

/**
 * Applies the user's line ends. Checksums are those of texts with line feeds, because Git may
 * change them.
 */
function withLineEnds(text: string, { endOfLine }: Style): string {
  return endOfLine === "crlf" ? text.replaceAll("\n", "\r\n") : text;
}
