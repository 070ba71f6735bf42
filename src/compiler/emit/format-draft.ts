import { format } from "prettier";
import { printCode } from "../../core/code.js";
import type { DraftBody, DraftFile, OutputFile } from "../../core/output.js";
import { withHeader } from "../../core/provenance.js";
import { jsonStyle, type Style } from "../../core/style.js";

export interface FormattedDraft {
  /** As it will stand on disk. */
  readonly file: OutputFile;
  /** What stands below the header, its lines ended by line feeds. */
  readonly body: string;
}

/** The draft in the user's own style, under its header. */
export async function formatDraft(draft: DraftFile, style: Style): Promise<FormattedDraft> {
  const body = await formatBody(draft.body, style);
  if (draft.body.kind === "json")
    return { file: { path: draft.path, text: withLineEnds(body, jsonStyle(style)) }, body };
  const text = withLineEnds(withHeader(draft.source, body), style);
  return { file: { path: draft.path, text }, body };
}

async function formatBody(body: DraftBody, style: Style): Promise<string> {
  if (body.kind === "json") return body.text;
  const text = printCode(body.code);
  if (body.kind === "verbatim") return withSemicolons(text, style);
  const { json: _, ...options } = style;
  const layOut = (code: string) =>
    format(code, { ...options, endOfLine: "lf", parser: "typescript", filepath: moduleName });
  const once = await layOut(text);
  return objectInChain.test(once) ? layOut(once) : once;
}

/** Without it prettier searches the text for JSX, by a pattern that takes time in the square of a long line. */
const moduleName = "module.ts";

/**
 * An object over several lines in a chain of calls. Whether prettier breaks such a chain depends on how the object stood before, so that it would
 * change its own output; it leaves that of its second try.
 */
const objectInChain = /\.\w+\([^()\n]*\{$/m;

/**
 * Of a statement that it is told to ignore, prettier still takes the last semicolon away. Each statement of verbatim code stands on a line
 * of its own, and none begins so that it could go on the one before.
 */
function withSemicolons(text: string, { semi }: Style): string {
  return semi === false ? text.replace(/;$/gm, "") : text;
}

/** The checksum in a header is of the text with line feeds: git may change them. */
function withLineEnds(text: string, { endOfLine }: Style): string {
  return endOfLine === "crlf" ? text.replaceAll("\n", "\r\n") : text;
}
