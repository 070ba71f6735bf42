import type { Diagnostic } from "../../core/diagnostic.js";
import type { SourceFile } from "../../core/source-file.js";

/** Line and column of an offset. */
interface Position {
  /** Number of the line, from 1. */
  readonly line: number;
  /**
   * Column in UTF-16 units, from 1. A byte order mark doesn't count, because editors don't show it.
   */
  readonly column: number;
}

export interface SourceLine {
  /** Number of the line, from 1. */
  readonly number: number;
  /** Text without line end and byte order mark. */
  readonly text: string;
  /** Offset of `text` in the file. */
  readonly start: number;
}

/** A file's text by line. */
export interface Lines {
  readonly count: number;
  position(offset: number): Position;
  /** @param number from 1 to `count` */
  line(number: number): SourceLine;
}

/**
 * Splits a text into lines, at LF or CRLF like editors and YAML's library. A lone CR is a character
 * of its line.
 */
export function linesOf(text: string): Lines {
  const starts = [text.startsWith("\ufeff") ? 1 : 0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const line = (number: number): SourceLine => {
    const start = starts[number - 1] ?? text.length;
    const next = starts[number];
    const raw = text.slice(start, next === undefined ? text.length : next - 1);
    return {
      number,
      start,
      text: next !== undefined && raw.endsWith("\r") ? raw.slice(0, -1) : raw,
    };
  };
  return {
    count: starts.length,
    line,
    position(offset) {
      const at = Math.min(Math.max(offset, 0), text.length);
      const number = lastAtMost(starts, at) + 1;
      return { line: number, column: Math.max(at - line(number).start, 0) + 1 };
    },
  };
}

/** Index of the last entry that is not above `value`; 0 if all are. */
function lastAtMost(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ascending[middle] ?? Infinity) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Text of the files that diagnostics point into. */
export type Sources = ReadonlyMap<string, SourceFile>;

/** Adds the files of diagnostics that are not part of the project. */
export function withOwnSources(diagnostics: readonly Diagnostic[], sources: Sources): Sources {
  const own = diagnostics.flatMap(({ source }) => source ?? []);
  if (own.length === 0) return sources;
  return new Map([...sources, ...own.map((each) => [each.path, each] as const)]);
}
