import { digitsIfRounded } from "@skillc/runtime/internal";
import type { CST, Scalar } from "yaml";
import type { ScalarNode } from "../../core/syntax-node.js";

/** The used properties of the `yaml` package's scalar. */
export type YamlScalar = Pick<Scalar.Parsed, "value" | "source" | "range" | "srcToken" | "type">;

/**
 * Converts a scalar to a node, with its value by style and tag. A number that is too large becomes
 * the largest one. Other values that JSON lacks become text as written.
 */
export function scalarNode(file: string, scalar: YamlScalar): ScalarNode {
  const value = jsonValue(scalar);
  if (typeof value === "string") return textNode(file, scalar, value);
  const digits = roundedDigits(scalar);
  return {
    kind: "scalar",
    span: spanOf(file, scalar),
    value,
    ...(digits !== undefined && { digits }),
  };
}

/** Converts a scalar to text, whatever its type: `404` to `"404"`, `null` to `"null"`. */
export function keyNode(file: string, scalar: YamlScalar): ScalarNode & { readonly value: string } {
  return textNode(
    file,
    scalar,
    typeof scalar.value === "string" ? scalar.value : textOfScalar(scalar),
  );
}

/** Characters of a plain scalar as written; none for an absent one. */
function textOfScalar(scalar: YamlScalar): string {
  return scalar.source ?? "";
}

/** Checks for a number that is too large for a double. */
export function isTooLarge({ source, value }: YamlScalar): boolean {
  return Math.abs(Number(value)) === Infinity && /\d/.test(source ?? "");
}

/** Digits of an integer in any of YAML's forms, if its value lacks some of them. */
function roundedDigits({ source = "", value }: YamlScalar): string | undefined {
  if (typeof value !== "number" || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return undefined;
  return Number.isFinite(value) ? digitsIfRounded(inJson(source)) : undefined;
}

/** Writes a YAML number as JSON. `0x1F`, `+1`, `.5` and `1.` are not JSON. */
function inJson(source: string): string {
  if (/^0[xo]/.test(source)) return String(BigInt(source));
  return source
    .replace(/^\+/, "")
    .replace(/^(-?)\./, "$10.")
    .replace(/\.(?=[eE]|$)/, "");
}

function jsonValue(scalar: YamlScalar): ScalarNode["value"] {
  const { value } = scalar;
  if (typeof value === "number") {
    if (isTooLarge(scalar)) return Math.sign(value) * Number.MAX_VALUE;
    return Number.isFinite(value) ? value : textOfScalar(scalar);
  }
  return typeof value === "string" || typeof value === "boolean" ? value : null;
}

function textNode(
  file: string,
  scalar: YamlScalar,
  value: string,
): ScalarNode & { readonly value: string } {
  const spelled = scalar.srcToken ? spell(scalar.srcToken) : [];
  const span = spanOf(file, scalar);
  // A place without positions is better than a wrong one.
  if (spelled.map((each) => each.value).join("") !== value) return { kind: "scalar", span, value };
  const origin = originOf(spelled);
  return origin.length === 0
    ? { kind: "scalar", span, value }
    : { kind: "scalar", span, value, origin };
}

/** Positions of the characters of a scalar's value in the file. */
function spell(token: CST.FlowScalar | CST.BlockScalar): readonly Spelling[] {
  if (token.type === "block-scalar") return spellBlockScalar(token);
  if (token.type === "single-quoted-scalar") return spellSingleQuoted(token.source, token.offset);
  if (token.type === "double-quoted-scalar") return spellDoubleQuoted(token.source, token.offset);
  return spellPlain(token.source, token.offset);
}

function spanOf(file: string, scalar: YamlScalar) {
  return { file, start: scalar.range[0], end: scalar.range[1] };
}

/**
 * Positions of the characters of a `"…"` scalar, given with its quotes (YAML 1.2, sections 5.7 and
 * 7.3.1).
 */
function spellDoubleQuoted(source: string, offset: number): readonly Spelling[] {
  const spelled: Spelling[] = [];
  const end = source.length - 1;
  for (let at = 1; at < end;) {
    const next = spellNext(source, at, end);
    for (const each of next.spelled) spelled.push(moved(each, offset));
    at = next.to;
  }
  return spelled;
}

interface Step {
  readonly spelled: readonly Spelling[];
  /** Offset at which to continue. */
  readonly to: number;
}

function spellNext(source: string, at: number, end: number): Step {
  if (source[at] === "\\") return spellEscape(source, at);
  if (isBlank(source[at]) || lineBreakAt(source, at) > 0) return spellBlanks(source, at);
  let to = at + 1;
  while (to < end && !endsText(source, to)) to += 1;
  return { spelled: [verbatim(source.slice(at, to), at)], to };
}

function endsText(source: string, at: number): boolean {
  return source[at] === "\\" || isBlank(source[at]) || lineBreakAt(source, at) > 0;
}

/** Reads blanks. They stay unchanged, except around line breaks, which fold. */
function spellBlanks(source: string, from: number): Step {
  const breaks: Spelling[] = [];
  let at = skipBlanks(source, from);
  for (let length = lineBreakAt(source, at); length > 0; length = lineBreakAt(source, at)) {
    breaks.push({ value: "\n", start: at, end: at + length });
    at = skipBlanks(source, at + length);
  }
  if (breaks.length === 0) return { spelled: [verbatim(source.slice(from, at), from)], to: at };
  return { spelled: folded(breaks), to: at };
}

/** Length of the line break at an offset; 0 if there is none. */
function lineBreakAt(source: string, at: number): number {
  if (source[at] === "\n") return 1;
  return source[at] === "\r" && source[at + 1] === "\n" ? 2 : 0;
}

function spellEscape(source: string, at: number): Step {
  const lineBreak = lineBreakAt(source, at + 1);
  if (lineBreak > 0) return { spelled: [], to: skipBlanks(source, at + 1 + lineBreak) };
  const letter = source[at + 1] ?? "";
  const digits = hexDigits[letter] ?? 0;
  const to = at + 2 + digits;
  const value =
    digits > 0 ? fromHex(source.slice(at + 2, to)) : (escapes[letter] ?? source.slice(at, to));
  return { spelled: [{ value, start: at, end: to }], to };
}

/** Converts hexadecimal digits to a character. The `yaml` package has reported invalid ones. */
function fromHex(digits: string): string {
  const code = Number.parseInt(digits, 16);
  return code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

const escapes: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  N: "\u0085",
  _: "\u00a0",
  L: "\u2028",
  P: "\u2029",
  " ": " ",
  '"': '"',
  "/": "/",
  "\\": "\\",
  "\t": "\t",
};

function moved(spelling: Spelling, by: number): Spelling {
  return { value: spelling.value, start: spelling.start + by, end: spelling.end + by };
}

/** Positions of the characters of a plain scalar. Lines fold as in YAML 1.2, section 7.4. */
function spellPlain(source: string, offset: number): readonly Spelling[] {
  return foldLines(source, offset);
}

/**
 * Positions of the characters of a `'…'` scalar, given with its quotes. `''` stands for one quote.
 */
function spellSingleQuoted(source: string, offset: number): readonly Spelling[] {
  return foldLines(source.slice(1, -1), offset + 1).flatMap((line) =>
    line.value.includes("''") ? splitQuotes(line) : [line],
  );
}

function splitQuotes(line: Spelling): readonly Spelling[] {
  const parts: Spelling[] = [];
  let from = 0;
  for (let at = line.value.indexOf("''"); at !== -1; at = line.value.indexOf("''", from)) {
    parts.push(verbatim(line.value.slice(from, at), line.start + from));
    parts.push({ value: "'", start: line.start + at, end: line.start + at + 2 });
    from = at + 2;
  }
  return [...parts, verbatim(line.value.slice(from), line.start + from)];
}

/**
 * Folds lines. Space around a line break disappears. One break becomes a space, n breaks become n-1
 * newlines.
 */
function foldLines(source: string, offset: number): readonly Spelling[] {
  const spelled: Spelling[] = [];
  const breaks: Spelling[] = [];
  let from = 0;
  for (const { index, 0: lineBreak } of source.matchAll(/\r?\n/g)) {
    const line = trimmed(source, from, index, from > 0);
    if (line.start < line.end || from === 0) {
      spelled.push(
        ...folded(breaks),
        verbatim(source.slice(line.start, line.end), offset + line.start),
      );
      breaks.length = 0;
    }
    from = index + lineBreak.length;
    breaks.push({ value: "\n", start: offset + index, end: offset + from });
  }
  const start = from === 0 ? 0 : skipBlanks(source, from);
  spelled.push(...folded(breaks), verbatim(source.slice(start), offset + start));
  return spelled;
}

function trimmed(source: string, from: number, to: number, both: boolean) {
  const start = both ? Math.min(skipBlanks(source, from), to) : from;
  let end = to;
  while (end > start && isBlank(source[end - 1])) end -= 1;
  return { start, end };
}

/** Value of a run of line breaks: a single one is a space; otherwise the first is dropped. */
function folded(breaks: readonly Spelling[]): readonly Spelling[] {
  return breaks.length === 1 ? breaks.map((each) => ({ ...each, value: " " })) : breaks.slice(1);
}

function skipBlanks(source: string, from: number): number {
  let at = from;
  while (isBlank(source[at])) at += 1;
  return at;
}

function isBlank(char: string | undefined): boolean {
  return char === " " || char === "\t";
}

/** Positions of the characters of a `|` or `>` scalar. YAML 1.2, section 8.1. */
function spellBlockScalar(token: CST.BlockScalar): readonly Spelling[] {
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
  /** Length of the text before the first line. */
  readonly length: number;
  readonly folded: boolean;
  readonly strip: boolean;
  readonly keep: boolean;
  /** Indentation from the header; 0 if the first line decides. */
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
  /** Number of spaces at the start. */
  readonly indent: number;
  /** File offset of the line's first character. */
  readonly start: number;
  readonly content: Spelling;
  /** Line break after the line; empty at the end of the file. */
  readonly lineBreak: Spelling;
}

/** Lines of the scalar, including the text after the last line break. */
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

/**
 * Folds breaks between two lines of the same indentation. Keeps breaks beside a more indented line,
 * and those before the first line.
 */
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

/** Returns the end of the value: the line `last` and the empty lines after it. */
function chomped(lines: readonly Line[], keep: boolean): readonly Spelling[] {
  const [last, ...empty] = lines;
  if (last === undefined) return [];
  if (!keep || empty.length === 0) return [last.lineBreak];
  return lines.slice(0, -1).map((line) => line.lineBreak);
}

/** Value of a scalar of only empty lines, which `+` keeps. */
function blankLines(lines: readonly Line[]): readonly Spelling[] {
  return lines.slice(0, Math.max(1, lines.length - 1)).map((line) => line.lineBreak);
}

/**
 * A range of a scalar's value, and the range of the file that spells it: the same text, an escape,
 * or a line break.
 */
interface Spelling {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Positions as pairs. Adjacent spellings that continue character by character share a pair. At any
 * other border, one pair marks the end of the previous spelling, and another the start of the next.
 */
function originOf(spellings: readonly Spelling[]): NonNullable<ScalarNode["origin"]> {
  const pairs: [number, number][] = [];
  let value = 0;
  let expected = -1;
  let spelledTo = -1;
  for (const spelling of spellings) {
    if (spelling.value === "") continue;
    if (spelling.start !== expected || spelledTo !== expected) {
      if (pairs.length > 0) pairs.push([value, spelledTo]);
      if (spelling.start !== spelledTo) pairs.push([value, spelling.start]);
    }
    value += spelling.value.length;
    expected = spelling.start + spelling.value.length;
    spelledTo = spelling.end;
  }
  if (pairs.length > 0 && spelledTo !== expected) pairs.push([value, spelledTo]);
  return pairs;
}

/** Text that the file contains unchanged. */
function verbatim(value: string, start: number): Spelling {
  return { value, start, end: start + value.length };
}
