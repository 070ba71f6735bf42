import type { DraftFile, OutputFile } from "../core/output.js";
import type { Style } from "../core/style.js";
import { formatDraft } from "./emit/format-draft.js";
import type { Stopwatch } from "./stopwatch.js";
import type { PrintedModule } from "./unit.js";
import { readBack } from "./verify/read-back.js";

export interface PrintedFiles {
  readonly files: readonly OutputFile[];
  /** Those of the files that are to be type-checked. */
  readonly modules: readonly PrintedModule[];
}

/** Formats drafts and reads each back: what can't be read back as it was meant never gets further. */
export async function printDrafts(
  drafts: readonly DraftFile[],
  style: Style,
  stopwatch: Stopwatch,
): Promise<PrintedFiles> {
  const files: OutputFile[] = [];
  const modules: PrintedModule[] = [];
  for (const draft of drafts) {
    const { file, body } = await stopwatch.time("format", () => formatDraft(draft, style));
    files.push(file);
    if (draft.body.kind === "json") continue;
    const { code, kind } = draft.body;
    stopwatch.time("verify", () => readBack(draft.path, code, body));
    if (kind === "typescript") modules.push({ file, draft: code });
  }
  return { files, modules };
}
