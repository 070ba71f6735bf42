import type { Diagnostic, RelatedSpan } from "../../core/diagnostic.js";
import type { Span } from "../../core/span.js";
import { type Palette, plain, severityColour, withCodeSpans } from "../console/palette.js";
import { visible, visibleLines } from "../console/visible.js";
import { wrap } from "../console/wrap.js";
import {
  drawSnippet,
  lastLineOf,
  type Mark,
  type Range,
  type SnippetStyle,
  spansLines,
} from "./snippet.js";
import { type Lines, linesOf, type Sources, withOwnSources } from "./positions.js";
import { secretFinder, secretsIn, withoutSecrets } from "./secret-finder.js";

export interface RenderOptions {
  readonly palette?: Palette;
  /** Width in display columns. Longer source lines are cut around the problem. */
  readonly width?: number;
  /** Places of secrets that these diagnostics don't report. */
  readonly hidden?: readonly Span[];
}

/**
 * Renders diagnostics for people, in the given order, separated by blank lines. The text is safe
 * for a terminal, whatever the authors wrote.
 */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources: Sources,
  options: RenderOptions = {},
): string {
  const context = contextOf(diagnostics, sources, options);
  return context.shown.map((each) => `${renderOne(each, context).join("\n")}\n`).join("\n");
}

/** Renders each diagnostic on one line: severity, code, place, message. */
export function renderBriefly(
  diagnostics: readonly Diagnostic[],
  sources: Sources,
  options: RenderOptions = {},
): string {
  const { linesIn, palette, shown } = contextOf(diagnostics, sources, options);
  const lines = shown.map(({ code, message, severity, span }) => {
    const { line, column } = linesIn(span.file)?.position(span.start) ?? { line: 1, column: 1 };
    const head = severityColour(palette, severity)(`${severity}[${code}]`);
    const place = palette.dim(`${visible(span.file)}:${line}:${column}`);
    return `${head} ${place} ${withCodeSpans(visible(message), palette)}\n`;
  });
  return lines.join("");
}

interface Context {
  /** The diagnostics with masked secrets. */
  readonly shown: readonly Diagnostic[];
  readonly palette: Palette;
  readonly width: number;
  readonly linesIn: (file: string) => Lines | undefined;
  readonly hiddenIn: (file: string) => readonly Range[];
}

function contextOf(
  diagnostics: readonly Diagnostic[],
  given: Sources,
  { palette = plain, width = 100, hidden = [] }: RenderOptions,
): Context {
  const sources = withOwnSources(diagnostics, given);
  const known = new Map<string, Lines | undefined>();
  const linesIn = (file: string): Lines | undefined => {
    const source = sources.get(file);
    if (!known.has(file)) known.set(file, source && linesOf(source.text));
    return known.get(file);
  };
  // A secret is hidden in the frame of every diagnostic that shows its line, not only in its own.
  const secrets = [...secretsIn(diagnostics), ...hidden];
  const finder = secretFinder(secrets, sources);
  return {
    shown: withoutSecrets(diagnostics, finder),
    palette,
    width,
    linesIn,
    hiddenIn: (file) => [
      ...secrets.filter((each) => each.file === file),
      ...finder.placesIn(sources.get(file)?.text ?? ""),
      ...(sources.get(file)?.hidden ?? []),
    ],
  };
}

function renderOne(diagnostic: Diagnostic, context: Context): readonly string[] {
  const { palette } = context;
  const accent = severityColour(palette, diagnostic.severity);
  const frames = framesOf(diagnostic, context);
  const numberWidth = Math.max(1, ...frames.map((each) => String(each.lastLine).length));
  const style: SnippetStyle = { palette, accent, width: context.width, numberWidth };
  const head = `${accent(`${diagnostic.severity}[${diagnostic.code}]`)}${palette.bold(`: ${visible(diagnostic.message)}`)}`;
  const bar = palette.bold(palette.blue(`${" ".repeat(numberWidth)} |`));
  const body = frames.flatMap((frame, index) => {
    const arrow = palette.bold(
      palette.blue(`${" ".repeat(numberWidth)}${index === 0 ? "-->" : ":::"}`),
    );
    const place = `${arrow} ${visible(frame.place)}`;
    if (frame.lines === undefined)
      return [place, ...frame.marks.flatMap((mark) => note(mark, style))];
    return [place, bar, ...drawSnippet(frame.lines, frame.marks, frame.hidden, style)];
  });
  return [head, ...body, ...notesOf(diagnostic, frames, style)];
}

/** Marks of one file that appear together. */
interface Frame {
  readonly place: string;
  readonly marks: readonly Mark[];
  /** Absent if the file's text is unknown. */
  readonly lines: Lines | undefined;
  readonly hidden: readonly Range[];
  readonly lastLine: number;
}

/**
 * Makes a frame for the problem with all places in the same file. Places in other files, and those
 * of several lines, get their own frames.
 */
function framesOf(diagnostic: Diagnostic, context: Context): readonly Frame[] {
  const { file } = diagnostic.span;
  const primary: Mark = { ...rangeOf(diagnostic.span), label: "", primary: true };
  const related = diagnostic.related ?? [];
  const lines = context.linesIn(file);
  const joins = (each: RelatedSpan): boolean =>
    each.span.file === file && lines !== undefined && !spansLines(markOf(each), lines);
  const first = frameOf(file, [primary, ...related.filter(joins).map(markOf)], context);
  const others = related.filter((each) => !joins(each));
  return [first, ...others.map((each) => frameOf(each.span.file, [markOf(each)], context))];
}

function frameOf(file: string, marks: readonly Mark[], context: Context): Frame {
  const lines = context.linesIn(file);
  const start = marks[0]?.start ?? 0;
  if (lines === undefined) return { place: file, marks, lines, hidden: [], lastLine: 0 };
  const { line, column } = lines.position(start);
  const lastLine = Math.max(...marks.map((each) => lastLineOf(each, lines)));
  return {
    place: `${file}:${line}:${column}`,
    marks,
    lines,
    hidden: context.hiddenIn(file),
    lastLine,
  };
}

function markOf({ span, message }: RelatedSpan): Mark {
  return { ...rangeOf(span), label: message, primary: false };
}

function rangeOf({ start, end }: Range): Range {
  return { start, end };
}

/** Prints the label of a mark on its own line, if there is no source. */
function note(mark: Mark, { palette, numberWidth }: SnippetStyle): readonly string[] {
  return mark.label === ""
    ? []
    : [`${" ".repeat(numberWidth)} ${palette.blue("=")} ${visible(mark.label)}`];
}

function notesOf(
  diagnostic: Diagnostic,
  frames: readonly Frame[],
  { palette, numberWidth, width }: SnippetStyle,
): readonly string[] {
  const notes: string[] = [];
  const indent = " ".repeat(numberWidth + 1);
  const add = (word: string, text: string): void => {
    const margin = `${indent}${" ".repeat(word.length + 4)}`;
    const lines = visibleLines(text)
      .split("\n")
      .flatMap((line) => wrap(line, width - margin.length));
    const body = withCodeSpans(lines.join("\n"), palette).replaceAll("\n", `\n${margin}`);
    notes.push(`${indent}${palette.bold(palette.blue("="))} ${palette.bold(`${word}:`)} ${body}`);
  };
  const owner = [diagnostic.skill, diagnostic.tool].filter((each) => each !== undefined).join("/");
  if (diagnostic.help !== undefined) add("help", diagnostic.help);
  if (owner !== "") add(diagnostic.tool === undefined ? "skill" : "tool", owner);
  if (notes.length === 0 || frames.every((each) => each.lines === undefined)) return notes;
  return [palette.bold(palette.blue(`${indent}|`)), ...notes];
}
