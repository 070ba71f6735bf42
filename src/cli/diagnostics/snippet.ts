import stringWidth from "string-width";
import type { Palette } from "../console/palette.js";
import { graphemes, visible, visibleGrapheme } from "../console/visible.js";
import type { Lines, SourceLine } from "./positions.js";

/** A range to underline. */
export interface Mark extends Range {
  readonly label: string;
  /** True for the problem itself (`^`), false for a related place (`-`). */
  readonly primary: boolean;
}

export interface SnippetStyle {
  readonly palette: Palette;
  /** Colour of the problem. */
  readonly accent: (text: string) => string;
  /** Width of a row, in display columns. */
  readonly width: number;
  /** Width of line numbers, in columns. */
  readonly numberWidth: number;
}

interface PlacedMark extends Mark {
  readonly firstLine: number;
  readonly lastLine: number;
}

/**
 * Draws source lines with carets under the marks. A mark over several lines becomes a bracket at
 * the left; a snippet has at most one of these.
 *
 * @param hidden ranges whose text must not be shown
 */
export function drawSnippet(
  lines: Lines,
  marks: readonly Mark[],
  hidden: readonly Range[],
  style: SnippetStyle,
): readonly string[] {
  const placed = marks.map((mark) => place(mark, lines));
  const bracket = placed.find(isLong);
  const rows: string[] = [];
  let previous: number | undefined;
  for (const number of linesToShow(placed)) {
    if (previous !== undefined && number > previous + 1) rows.push(skipRow(bracket, number, style));
    rows.push(...lineRows(number, lines, placed, bracket, hidden, style));
    previous = number;
  }
  return rows;
}

/** Checks if a mark covers several lines and needs the bracket. */
export function spansLines(mark: Mark, lines: Lines): boolean {
  return isLong(place(mark, lines));
}

/** Number of the last line that a mark touches. */
export function lastLineOf(mark: Mark, lines: Lines): number {
  return place(mark, lines).lastLine;
}

function isLong(mark: PlacedMark): boolean {
  return mark.lastLine > mark.firstLine;
}

/** Excludes blank text at a mark's end, such as a line end. */
function place(mark: Mark, lines: Lines): PlacedMark {
  const firstLine = lines.position(mark.start).line;
  let { end } = mark;
  let lastLine = lines.position(end).line;
  while (lastLine > firstLine) {
    const line = lines.line(lastLine);
    const used = line.text.slice(0, Math.max(end - line.start, 0)).trimEnd().length;
    if (used > 0) return { ...mark, end: line.start + used, firstLine, lastLine };
    lastLine -= 1;
    end = lines.line(lastLine).start + lines.line(lastLine).text.length;
  }
  return { ...mark, end: Math.max(end, mark.start), firstLine, lastLine };
}

/**
 * Chooses the lines to show: all lines of short marks, the first two and the last of a long mark.
 * Fills a gap of one line.
 */
function linesToShow(marks: readonly PlacedMark[]): readonly number[] {
  const wanted = marks.flatMap(({ firstLine, lastLine }) =>
    lastLine - firstLine < 5
      ? Array.from({ length: lastLine - firstLine + 1 }, (_, index) => firstLine + index)
      : [firstLine, firstLine + 1, lastLine],
  );
  const sorted = [...new Set(wanted)].toSorted((a, b) => a - b);
  return sorted.flatMap((number, index) =>
    sorted[index + 1] === number + 2 ? [number, number + 1] : [number],
  );
}

function lineRows(
  number: number,
  lines: Lines,
  marks: readonly PlacedMark[],
  bracket: PlacedMark | undefined,
  hidden: readonly Range[],
  style: SnippetStyle,
): readonly string[] {
  const line = lines.line(number);
  const short = marks.filter((each) => !isLong(each) && each.firstLine === number);
  const focus = focusOf(short, bracket, number, line.start);
  const room = style.width - style.numberWidth - 5 - (bracket === undefined ? 0 : 2);
  const view = viewLine(line, focus, hidden, room);
  const opens = bracket?.firstLine === number;
  const opensInside = opens && line.text.slice(0, bracket.start - line.start).trim() !== "";
  const side = bracketSide(bracket, number, opensInside, style);
  const rows = [row(String(number), `${side.before}${view.text}`, style)];
  if (opensInside) rows.push(row("", openingRow(view, bracket, style), style));
  for (const mark of short.toSorted(byPlace)) {
    rows.push(row("", `${side.after}${underline(view, mark, style)}`, style));
  }
  if (bracket?.lastLine === number) rows.push(row("", closingRow(view, bracket, style), style));
  return rows;
}

function focusOf(
  short: readonly PlacedMark[],
  bracket: PlacedMark | undefined,
  number: number,
  lineStart: number,
): Range {
  const chosen = short.find((each) => each.primary) ?? short[0];
  if (chosen !== undefined) return chosen;
  if (bracket?.firstLine === number) return bracket;
  if (bracket?.lastLine === number) return { start: bracket.end - 1, end: bracket.end };
  return { start: lineStart, end: lineStart };
}

function byPlace(a: PlacedMark, b: PlacedMark): number {
  return Number(b.primary) - Number(a.primary) || a.start - b.start;
}

function bracketSide(
  bracket: PlacedMark | undefined,
  number: number,
  opensInside: boolean,
  style: SnippetStyle,
): { readonly before: string; readonly after: string } {
  if (bracket === undefined) return { before: "", after: "" };
  const colour = colourOf(bracket, style);
  const bar = `${colour("|")} `;
  if (number < bracket.firstLine || number > bracket.lastLine) return { before: "  ", after: "  " };
  if (number > bracket.firstLine) return { before: bar, after: bar };
  return { before: opensInside ? "  " : `${colour("/")} `, after: opensInside ? "  " : bar };
}

function openingRow(view: LineView, mark: PlacedMark, style: SnippetStyle): string {
  return ` ${colourOf(mark, style)(`${"_".repeat(view.columnOf(mark.start) + 1)}${caret(mark)}`)}`;
}

function closingRow(view: LineView, mark: PlacedMark, style: SnippetStyle): string {
  const line = `|${"_".repeat(view.columnOf(mark.end - 1) + 1)}${caret(mark)}`;
  return colourOf(mark, style)(withLabel(line, mark));
}

function underline(view: LineView, mark: PlacedMark, style: SnippetStyle): string {
  const from = view.columnOf(mark.start);
  const length = Math.max(view.columnOf(mark.end) - from, 1);
  return `${" ".repeat(from)}${colourOf(mark, style)(withLabel(caret(mark).repeat(length), mark))}`;
}

function withLabel(drawn: string, mark: Mark): string {
  return mark.label === "" ? drawn : `${drawn} ${visible(mark.label)}`;
}

function caret(mark: Mark): string {
  return mark.primary ? "^" : "-";
}

function colourOf(mark: Mark, style: SnippetStyle): (text: string) => string {
  return mark.primary ? style.accent : (text) => style.palette.bold(style.palette.blue(text));
}

function row(number: string, content: string, style: SnippetStyle): string {
  const { blue, bold } = style.palette;
  const gutter = `${number.padStart(style.numberWidth)} |`;
  return `${bold(blue(gutter))} ${content}`.trimEnd();
}

function skipRow(bracket: PlacedMark | undefined, next: number, style: SnippetStyle): string {
  const inside = bracket !== undefined && next > bracket.firstLine && next <= bracket.lastLine;
  const dots = style.palette.bold(style.palette.blue("...".padEnd(style.numberWidth + 2)));
  return inside ? `${dots} ${colourOf(bracket, style)("|")}` : dots.trimEnd();
}

/** A range of a file, as offsets. `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A source line as shown: safe for a terminal, cut to the available width. */
interface LineView {
  readonly text: string;
  /**
   * Returns the display column, from 0, at which the character at an offset begins. For a cut
   * character, returns that of the nearest shown character.
   */
  columnOf(offset: number): number;
}

interface Cell {
  readonly text: string;
  readonly width: number;
  readonly offset: number;
}

/** Maximum distance from the focus of a character that is examined, however long the line is. */
const farthest = 400;
const tab = "    ";
const bullet = "•";

/**
 * @param focus range that stays visible if the line is cut
 * @param hidden ranges whose text must not be shown
 * @param width available display columns
 */
function viewLine(
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

/** Moves an offset out of the middle of a surrogate pair. */
function beforePair(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return at > 0 && at < text.length && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

/**
 * Chooses the cells to show: all if they fit. Otherwise the focus, with a third of the width before
 * it.
 */
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
