import type { CST } from "yaml";
import { folded } from "./flow-scalar-spelling.js";
import { type Spelling, verbatim } from "./origin.js";

/** Where each character of a `|` or `>` scalar's value stands. YAML 1.2, section 8.1. */
export function spellBlockScalar(token: CST.BlockScalar): readonly Spelling[] {
  const header = headerOf(token);
  const lines = linesOf(token.source, token.offset + header.length);
  const written = lines.findLastIndex((line) => line.content.value !== "") + 1;
  if (written === 0) return header.keep ? blankLines(lines) : [];
  const first = lines.findIndex((line) => line.content.value !== "");
  const indent = header.indent > 0 ? token.indent + header.indent : (lines[first]?.indent ?? 0);
  const end = lines.findLastIndex((line, at) => at < written || line.indent > indent) + 1;
  const text = header.folded
    ? fold(lines.slice(0, end), indent, first)
    : keepLines(lines.slice(0, end), indent);
  if (header.strip) return text;
  return [...text, ...chomped(lines.slice(end - 1), header.keep)];
}

interface Header {
  /** Of everything before the first line. */
  readonly length: number;
  readonly folded: boolean;
  readonly strip: boolean;
  readonly keep: boolean;
  /** As the header says; 0 when the first line decides. */
  readonly indent: number;
}

function headerOf(token: CST.BlockScalar): Header {
  const sources = token.props.map((each) => ("source" in each ? each.source : ""));
  const marks = sources[0] ?? "";
  return {
    length: sources.join("").length,
    folded: marks.startsWith(">"),
    strip: marks.includes("-"),
    keep: marks.includes("+"),
    indent: Number(/[1-9]/.exec(marks)?.[0] ?? 0),
  };
}

interface Line {
  /** Spaces at the start. */
  readonly indent: number;
  /** File offset of the line's first character. */
  readonly start: number;
  readonly content: Spelling;
  /** The line break after it; of no length at the end of the file. */
  readonly lineBreak: Spelling;
}

/** The lines of the scalar; what follows the last line break is one too. */
function linesOf(source: string, offset: number): readonly Line[] {
  const lines: Line[] = [];
  if (source === "") return lines;
  for (let from = 0; ;) {
    const feed = source.indexOf("\n", from);
    const end =
      feed === -1 ? source.length : source[feed - 1] === "\r" && feed > from ? feed - 1 : feed;
    const next = feed === -1 ? source.length : feed + 1;
    lines.push(lineOf(source.slice(from, end), offset + from, offset + next));
    if (feed === -1) return lines;
    from = next;
  }
}

function lineOf(text: string, start: number, next: number): Line {
  const indent = /^ */.exec(text)?.[0].length ?? 0;
  return {
    indent,
    start,
    content: verbatim(text.slice(indent), start + indent),
    lineBreak: { value: "\n", start: start + text.length, end: next },
  };
}

/** The line without the scalar's indentation. */
function lineText(line: Line, indent: number): readonly Spelling[] {
  if (line.indent <= indent) return [line.content];
  return [verbatim(" ".repeat(line.indent - indent), line.start + indent), line.content];
}

function keepLines(lines: readonly Line[], indent: number): readonly Spelling[] {
  return lines.flatMap((line, at) => {
    const before = lines[at - 1];
    return before ? [before.lineBreak, ...lineText(line, indent)] : lineText(line, indent);
  });
}

/** Breaks between two lines of the same indentation fold; those beside an indented line, and those before the first line, stay. */
function fold(lines: readonly Line[], indent: number, first: number): readonly Spelling[] {
  const spelled: Spelling[] = [];
  let breaks: Spelling[] = [];
  let indentedBefore = false;
  lines.forEach((line, at) => {
    const indented = line.indent > indent || line.content.value.startsWith("\t");
    if (at < first) {
      spelled.push(...lineText(line, indent), line.lineBreak);
      return;
    }
    if (line.content.value !== "" || indented) {
      spelled.push(...(indentedBefore || indented ? breaks : folded(breaks)));
      spelled.push(...lineText(line, indent));
      breaks = [];
      indentedBefore = indented;
    }
    breaks.push(line.lineBreak);
  });
  return spelled;
}

/** The end of the value: `last` and the empty lines after it. */
function chomped(lines: readonly Line[], keep: boolean): readonly Spelling[] {
  const [last, ...empty] = lines;
  if (last === undefined) return [];
  if (!keep || empty.length === 0) return [last.lineBreak];
  return lines.slice(0, -1).map((line) => line.lineBreak);
}

/** A scalar of empty lines alone, kept by `+`. */
function blankLines(lines: readonly Line[]): readonly Spelling[] {
  return lines.slice(0, Math.max(1, lines.length - 1)).map((line) => line.lineBreak);
}
