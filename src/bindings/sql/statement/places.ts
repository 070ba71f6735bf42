import { isName, readOffsets, readTokens, type Token } from "./lexer.js";
import type { Placeholder, Statement, TextRange } from "./statement.js";

/**
 * Ranges in the author's text for PostgreSQL's positions. A range covers a whole word, a qualified
 * name (`o.total`), or a placeholder with its colon.
 */
export interface Places {
  /** Range at a `location` in the tree: UTF-8 bytes into `Statement.sql`. */
  ofByte(location: number): TextRange;
  /**
   * Range at the `position` of an error: code points into `Statement.sql`, from 1. A position after
   * the end gives the last word.
   */
  ofPosition(position: number): TextRange;
}

/** Reads the tokens of a statement once, so that each lookup is cheap. */
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

/** Maps UTF-16 ranges of a text with `$n` to the author's text with names. */
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
  /** Offset after the `$n`, in the numbered text. */
  readonly from: number;
  /** Difference to the offset in the author's text, from there on. */
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
 * The index of the first item for which `holds` is true; the length if there is none. `holds` must
 * be true for all items after that one.
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
