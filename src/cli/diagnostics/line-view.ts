import stringWidth from "string-width";
import { graphemes, visibleGrapheme } from "../console/visible.js";
import type { SourceLine } from "./positions.js";

/** A stretch of a file, as offsets; `end` exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A source line as it is shown: harmless, cut to the width there is. */
export interface LineView {
  readonly text: string;
  /** Display column, from 0, at which the character at that offset begins; for one that was cut off, the nearest that is shown. */
  columnOf(offset: number): number;
}

interface Cell {
  readonly text: string;
  readonly width: number;
  readonly offset: number;
}

/** Characters beyond this distance from the focus are never looked at, however long the line is. */
const farthest = 400;
const tab = "    ";
const bullet = "•";

/**
 * @param focus the stretch that must stay in sight when the line is cut
 * @param hidden stretches whose text must not be shown
 * @param width display columns there are
 */
export function viewLine(
  line: SourceLine,
  focus: Range,
  hidden: readonly Range[],
  width: number,
): LineView {
  const cells = cellsNear(line, focus, hidden);
  const { from, to } = windowOf(cells, focus, width);
  const shown = cells.slice(from, to);
  const cutBefore = from > 0 || (cells[0]?.offset ?? line.start) > line.start;
  const last = cells.at(-1);
  const cutAfter =
    to < cells.length || (last !== undefined && last.offset < lastOffset(line, last));
  const text = `${cutBefore ? "…" : ""}${shown.map((each) => each.text).join("")}${cutAfter ? "…" : ""}`;
  return { text: text.trimEnd(), columnOf: (offset) => columnIn(shown, offset, cutBefore ? 1 : 0) };
}

function lastOffset(line: SourceLine, last: Cell): number {
  const end = line.start + line.text.length;
  return last.offset + farthest < end ? end : last.offset;
}

function cellsNear(line: SourceLine, focus: Range, hidden: readonly Range[]): readonly Cell[] {
  const { text } = line;
  const begin = beforePair(text, Math.max(focus.start - line.start - farthest, 0));
  const end = beforePair(text, Math.min(focus.start - line.start + farthest, text.length));
  const cells: Cell[] = [];
  let offset = line.start + begin;
  for (const grapheme of graphemes(text.slice(begin, end))) {
    const masked = hidden.some(
      (each) => offset < each.end && offset + grapheme.length > each.start,
    );
    const shown = masked ? bullet : grapheme === "\t" ? tab : visibleGrapheme(grapheme);
    cells.push({ text: shown, width: stringWidth(shown), offset });
    offset += grapheme.length;
  }
  return cells;
}

/** Never between the halves of a surrogate pair. */
function beforePair(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return at > 0 && at < text.length && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

/** The cells to show: all when they fit, else the focus with a third of the width before it. */
function windowOf(
  cells: readonly Cell[],
  focus: Range,
  width: number,
): { readonly from: number; readonly to: number } {
  if (widthOf(cells) <= width) return { from: 0, to: cells.length };
  const focused = cells.findIndex((each) => each.offset >= focus.start);
  const centre = focused === -1 ? cells.length : focused;
  const from = backFrom(cells, centre, Math.floor(width / 3));
  return { from, to: forthFrom(cells, from, width - 2) };
}

function backFrom(cells: readonly Cell[], index: number, room: number): number {
  let at = index;
  for (let left = room; at > 0; at -= 1) {
    left -= cells[at - 1]?.width ?? 0;
    if (left < 0) break;
  }
  return at;
}

function forthFrom(cells: readonly Cell[], index: number, room: number): number {
  let at = index;
  for (let left = room; at < cells.length; at += 1) {
    left -= cells[at]?.width ?? 0;
    if (left < 0) break;
  }
  return at;
}

function columnIn(cells: readonly Cell[], offset: number, before: number): number {
  let column = before;
  for (const cell of cells) {
    if (cell.offset >= offset) return column;
    column += cell.width;
  }
  return column;
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, each) => sum + each.width, 0);
}
