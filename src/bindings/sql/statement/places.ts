import { isName, readOffsets, readTokens, type Token } from "./lexer.js";
import type { Placeholder, Statement, TextRange } from "./statement.js";

/**
 * Where in the author's text a thing of PostgreSQL's stands: the whole word, a qualified name as
 * one (`o.total`), a placeholder with its colon.
 */
export interface Places {
  /** Of a `location` in the tree: UTF-8 bytes into `Statement.sql`. */
  ofByte(location: number): TextRange;
  /**
   * Of the `position` of an error: code points into `Statement.sql`, from 1. Behind the end: the
   * last word.
   */
  ofPosition(position: number): TextRange;
}

/** Reads the words of a statement once, so that asking for places is cheap. */
export function readPlaces(statement: Statement): Places {
  const offsets = readOffsets(statement.sql);
  const tokens = readTokens(statement.sql) ?? [];
  const toAuthor = authorRanges(statement.placeholders);
  const at = (offset: number) => toAuthor(wordAt(tokens, offset));
  return {
    ofByte: (location) => at(offsets.ofByte(location)),
    ofPosition: (position) => at(offsets.ofCodePoint(position - 1)),
  };
}

/** From UTF-16 ranges of a text with `$n` to those of the author's, which has names instead. */
export function authorRanges(
  placeholders: readonly Placeholder[],
): (range: TextRange) => TextRange {
  const shifts = readShifts(placeholders);
  return ({ start, end }) => ({
    start: start + shiftAt(shifts, start),
    end: end + shiftAt(shifts, end),
  });
}

interface Shift {
  /** Behind the `$n`, in the numbered text. */
  readonly from: number;
  /** How much further the author's text is, from there on. */
  readonly by: number;
}

function readShifts(placeholders: readonly Placeholder[]): readonly Shift[] {
  const all = placeholders
    .flatMap(({ at }, index) => at.map((range) => ({ range, length: `$${index + 1}`.length })))
    .toSorted((one, other) => one.range.start - other.range.start);
  let by = 0;
  return all.map(({ range, length }) => {
    const from = range.start - by + length;
    by = range.end - from;
    return { from, by };
  });
}

function shiftAt(shifts: readonly Shift[], offset: number): number {
  const behind = firstWhere(shifts, ({ from }) => from > offset);
  return shifts[behind - 1]?.by ?? 0;
}

function wordAt(tokens: readonly Token[], offset: number): TextRange {
  const index = Math.min(
    firstWhere(tokens, ({ end }) => end > offset),
    tokens.length - 1,
  );
  const first = tokens[index];
  if (first === undefined) return { start: 0, end: 0 };
  let last = index;
  while (isPart(tokens[last]) && tokens[last + 1]?.text === "." && isPart(tokens[last + 2]))
    last += 2;
  return { start: first.start, end: tokens[last]?.end ?? first.end };
}

function isPart(token: Token | undefined): boolean {
  return (
    token !== undefined && (token.kind === "identifier" || token.text === "*" || isName(token))
  );
}

/**
 * The index of the first item for which `holds`, where it then holds for all that follow; the
 * length when there is none.
 */
function firstWhere<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && holds(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
