import { CST, Lexer } from "yaml";

/** Parts of SKILL.md, as offsets into its text. */
export type FrontMatter =
  | { readonly kind: "absent"; readonly bodyStart: number }
  /** The first `---` has text above it, so it opens no front matter. */
  | { readonly kind: "late"; readonly start: number; readonly end: number }
  | { readonly kind: "unclosed"; readonly start: number; readonly end: number }
  /** Keys of front matter come before the first `---`. The offsets are those of the first key. */
  | { readonly kind: "unopened"; readonly start: number; readonly end: number }
  | {
      readonly kind: "present";
      /** Offset of the YAML between the two lines. */
      readonly start: number;
      readonly end: number;
      readonly bodyStart: number;
    };

const opening = /\ufeff?---[ \t]*(?:\r?\n|\r|$)/y;

/** Matches front matter after blank lines. The key below distinguishes it from a Markdown rule. */
const lateOpening = /\ufeff?\s+?(---)[ \t]*\r?\n[A-Za-z_][\w-]*[ \t]*:/y;

/** Matches a key of front matter at the start of the first line that is not blank. */
const firstKey =
  /^\s*(name|description|license|metadata|allowed-tools|tools|tools_schema)[ \t]*:(?=\s)/;

/** Finds the front matter: from `---` on the first line to the next line that is `---` or `...`. */
export function splitFrontMatter(text: string): FrontMatter {
  opening.lastIndex = 0;
  const opened = opening.exec(text);
  if (opened === null) return lateFrontMatter(text);
  const start = opened[0].length;
  const mark = start - opened[0].trimStart().length;
  const closing = closingLine(text, start);
  if (closing === undefined) return { kind: "unclosed", start: mark, end: mark + 3 };
  return { kind: "present", start, ...closing };
}

function lateFrontMatter(text: string): FrontMatter {
  lateOpening.lastIndex = 0;
  const late = lateOpening.exec(text);
  if (late === null) return unopenedFrontMatter(text);
  const start = late[0].indexOf("---");
  return { kind: "late", start, end: start + 3 };
}

function unopenedFrontMatter(text: string): FrontMatter {
  const key = firstKey.exec(text)?.[1];
  if (key === undefined || !/^---[ \t]*\r?$/m.test(text)) {
    return { kind: "absent", bodyStart: text.startsWith("\ufeff") ? 1 : 0 };
  }
  const start = text.indexOf(key);
  return { kind: "unopened", start, end: start + key.length };
}

/**
 * Finds the closing `---`. The yaml library's lexer distinguishes a marker from a part of a value.
 * Lexing stops there, so that the Markdown below is never read as YAML.
 */
function closingLine(text: string, start: number) {
  let at = start;
  let inScalar = false;
  for (const lexeme of new Lexer().lex(text.slice(start))) {
    if (!inScalar && isMarker(lexeme)) {
      const rest = restOfLine(text, at + lexeme.length);
      if (rest !== undefined) return { end: at, bodyStart: rest };
    }
    inScalar = !inScalar && lexeme === CST.SCALAR;
    if (inScalar || lexeme === CST.DOCUMENT || lexeme === CST.FLOW_END) continue;
    at += lexeme.length;
  }
  return undefined;
}

function isMarker(lexeme: string): boolean {
  const type = CST.tokenType(lexeme);
  return type === "doc-start" || type === "doc-end";
}

/** Returns the start of the next line, if only blanks follow on this one. */
function restOfLine(text: string, from: number): number | undefined {
  const blank = /[ \t]*(?:\r?\n|$)/y;
  blank.lastIndex = from;
  return blank.test(text) ? blank.lastIndex : undefined;
}
