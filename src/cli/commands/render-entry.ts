import type { ProjectFiles } from "../../core/diagnostic-entry.js";

/** A file of an example, or a change of one. */
export interface ExampleFile {
  readonly path: string;
  readonly lines: readonly ExampleLine[];
}

export interface ExampleLine {
  readonly kind: "same" | "removed" | "added" | "skipped";
  readonly text: string;
}

/** Lists whole files. */
export function exampleFiles(files: ProjectFiles): readonly ExampleFile[] {
  return Object.entries(files).map(([path, text]) => ({
    path,
    lines: linesOf(text).map((each) => ({ kind: "same", text: each })),
  }));
}

/**
 * Changes between two versions of a project, with two lines around each change. Unchanged files are
 * left out.
 */
export function changedFiles(before: ProjectFiles, after: ProjectFiles): readonly ExampleFile[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return paths
    .filter((path) => before[path] !== after[path])
    .map((path) => ({
      path,
      lines: changedLines(linesOf(before[path] ?? ""), linesOf(after[path] ?? "")),
    }));
}

const context = 2;

/**
 * Compares two versions. Everything between the common first and last lines counts as changed,
 * because examples differ in one place.
 */
function changedLines(before: readonly string[], after: readonly string[]): readonly ExampleLine[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const as =
    (kind: ExampleLine["kind"]) =>
    (text: string): ExampleLine => ({ kind, text });
  const end = before.length - tail;
  return [
    ...(head > context ? [as("skipped")("")] : []),
    ...before.slice(Math.max(head - context, 0), head).map(as("same")),
    ...before.slice(head, end).map(as("removed")),
    ...after.slice(head, after.length - tail).map(as("added")),
    ...before.slice(end, end + context).map(as("same")),
    ...(tail > context ? [as("skipped")("")] : []),
  ];
}

/** Maximum number of lines to show, because some examples need huge files. */
const maxLines = 60;
const longestLine = 200;

function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text
    .slice(0, maxLines * longestLine)
    .replace(/\r?\n$/, "")
    .split(/\r?\n/);
  const shown = lines
    .slice(0, maxLines)
    .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line));
  return lines.length > maxLines || text.length > maxLines * longestLine ? [...shown, "…"] : shown;
}
