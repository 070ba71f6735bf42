import { type Spelling, verbatim } from "./origin.js";

/** Where each character of a plain scalar's value stands. Lines fold as in YAML 1.2, section 7.4. */
export function spellPlain(source: string, offset: number): readonly Spelling[] {
  return foldLines(source, offset);
}

/** The same for `'…'`, given with its quotes: `''` spells one. */
export function spellSingleQuoted(source: string, offset: number): readonly Spelling[] {
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

/** Space around a line break goes; one break is a space, n breaks are n-1 newlines. */
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

/** What a run of line breaks spells: the first is dropped unless it is alone, when it is a space. */
export function folded(breaks: readonly Spelling[]): readonly Spelling[] {
  return breaks.length === 1 ? breaks.map((each) => ({ ...each, value: " " })) : breaks.slice(1);
}

export function skipBlanks(source: string, from: number): number {
  let at = from;
  while (isBlank(source[at])) at += 1;
  return at;
}

export function isBlank(char: string | undefined): boolean {
  return char === " " || char === "\t";
}
