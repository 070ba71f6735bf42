import { format } from "prettier";
import { printCode } from "../../core/code.js";
import type { DraftBody, DraftFile, OutputFile } from "../../core/output.js";
import { withHeader } from "../../core/provenance.js";
import type { Style } from "../../core/style.js";

export interface FormattedDraft {
  /** As it will stand on disk. */
  readonly file: OutputFile;
  /** What stands below the header. */
  readonly body: string;
}

/** The draft in the user's own style, under its header. */
export async function formatDraft(draft: DraftFile, style: Style): Promise<FormattedDraft> {
  const body = await formatBody(draft.body, style);
  const text = draft.body.kind === "json" ? body : withHeader(draft.source, body);
  return { file: { path: draft.path, text }, body };
}

async function formatBody(body: DraftBody, style: Style): Promise<string> {
  if (body.kind === "json") return body.text;
  const text = printCode(body.code);
  return body.kind === "verbatim" ? text : format(text, { ...style, parser: "typescript" });
}
