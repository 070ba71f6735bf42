import type { Span } from "../../../core/span.js";

/** A word, a mark or a text of a .proto file, without comments. */
export interface Token {
  readonly text: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/** Ends where the library's own tokens end; it keeps no places. */
const pattern =
  /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|"[^"\\]*(?:\\[^][^"\\]*)*"|'[^'\\]*(?:\\[^][^'\\]*)*'|[{}=;:[\],()<>"']|[^\s{}=;:[\],'"()<>]+/g;

/** @returns undefined when there are more than so many */
export function tokensOf(text: string, most: number): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (const match of text.matchAll(pattern)) {
    const [found] = match;
    if (found.startsWith("//") || found.startsWith("/*")) continue;
    if (tokens.length === most) return undefined;
    tokens.push({ text: found, start: match.index, end: match.index + found.length });
  }
  return tokens;
}

export function spanOf(file: string, { start, end }: Token): Span {
  return { file, start, end };
}

/** What a quoted token says, if it is without escapes. */
export function unquoted({ text }: Token): string {
  return text.slice(1, -1);
}
