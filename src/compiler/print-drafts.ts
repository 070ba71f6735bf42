import { type Code, printCode } from "../core/code.js";
import { sha256 } from "../core/hash.js";
import type { DraftFile, OutputFile } from "../core/output.js";
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
  /** Keeps printed modules; left out where the caller keeps what they become. */
  readonly cache?: Pick<CompileCache, "get" | "set">;
}

/** Formats drafts and reads each back: what can't be read back as it was meant never gets further. */
export async function printDrafts(
  drafts: readonly DraftFile[],
  printing: Printing,
): Promise<PrintedFiles> {
  const files: OutputFile[] = [];
  const modules: PrintedModule[] = [];
  for (const draft of drafts) {
    const { body } = draft;
    if (body.kind === "json") {
      const { formatDraft } = await import("./emit/format-draft.js");
      files.push((await formatDraft(draft, printing.style)).file);
      continue;
    }
    const file = await printModule(draft, body.code, printing);
    files.push(file);
    if (body.kind === "typescript") modules.push({ file, draft: body.code });
  }
  return { files, modules };
}

async function printModule(
  draft: DraftFile,
  code: Code,
  { cache, stopwatch, style }: Printing,
): Promise<OutputFile> {
  const key = cache && sha256(JSON.stringify([draft.source, style, printCode(code)]));
  const kept = key === undefined ? undefined : cache?.get(key);
  if (kept !== undefined) return { path: draft.path, text: kept };
  // Most runs print little or nothing: prettier and TypeScript are loaded for what is new.
  const { formatDraft } = await import("./emit/format-draft.js");
  const { readBack } = await import("./verify/read-back.js");
  const { file, body } = await stopwatch.time("format", () => formatDraft(draft, style));
  stopwatch.time("verify", () => readBack(draft.path, code, body));
  if (key !== undefined) cache?.set(key, file.text);
  return file;
}
