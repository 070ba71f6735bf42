import { folded, isBlank, skipBlanks } from "./flow-scalar-spelling.js";
import { type Spelling, verbatim } from "./origin.js";

/** Where each character of a `"…"` scalar's value stands, given with its quotes. YAML 1.2, sections 5.7 and 7.3.1. */
export function spellDoubleQuoted(source: string, offset: number): readonly Spelling[] {
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
  /** Where to go on. */
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

/** Spaces stay as they are, unless they stand around line breaks, which fold. */
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

/** 0 where no line ends. */
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

/** Digits that don't make a character were reported by the yaml library. */
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
