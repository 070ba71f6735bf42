import type { Span } from "../../../../src/core/span.js";

/** `path:line text` of a span. */
export function placeOf(
  { end, file, start }: Span,
  files: Readonly<Record<string, string>>,
): string {
  const text = files[file] ?? "";
  return `${file}:${text.slice(0, start).split("\n").length} ${text.slice(start, end)}`;
}

/** The text between the marks `‹ ›`, with its line, as `placeOf` returns a place. */
export function placeOfMark(files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    const found = /‹([^›]*)›/.exec(text);
    if (found === null) continue;
    return `${path}:${text.slice(0, found.index).split("\n").length} ${found[1]}`;
  }
  throw new Error("no mark");
}
