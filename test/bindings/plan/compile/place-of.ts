import type { Span } from "../../../../src/core/span.js";

/** `path:line text` of a span. */
export function placeOf(
  { end, file, start }: Span,
  files: Readonly<Record<string, string>>,
): string {
  const text = files[file] ?? "";
  return `${file}:${text.slice(0, start).split("\n").length} ${text.slice(start, end)}`;
}
