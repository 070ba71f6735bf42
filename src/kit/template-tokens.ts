/** A stretch of a template's text. */
export interface Token {
  readonly raw: string;
  /** The text that a literal stands for; absent for a placeholder or a lone brace. */
  readonly literal?: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Plain text, a run of `$`, an escaped brace, a placeholder, or a lone brace; together they cover
 * the whole text.
 */
const tokenPattern = /[^{}$]+|\$+|\{\{|\}\}|\{[^{}]*\}|[{}]/y;

/**
 * Splits a text into tokens. In a run of `$` before a brace, each pair is a literal `$`; a
 * remaining `$` before `{` opens a credential. The time is linear in the text's length.
 */
export function* tokensOf(text: string): Iterable<Token> {
  let at = 0;
  while (at < text.length) {
    const end = endOfMatch(tokenPattern, text, at);
    if (text.charAt(at) === "$" && /[{}]/.test(text.charAt(end))) {
      const paired = end - ((end - at) % 2);
      for (; at < paired; at += 2) yield { raw: "$$", literal: "$", start: at, end: at + 2 };
      if (paired === end) continue;
      at = endOfMatch(/\$(?:\{\{[^{}]*\}\}|\{[^{}]*\}|\{)?/y, text, paired);
      yield tokenAt(text, paired, at);
    } else {
      yield tokenAt(text, at, end);
      at = end;
    }
  }
}

function tokenAt(text: string, start: number, end: number): Token {
  const raw = text.slice(start, end);
  if (raw === "{{" || raw === "}}") return { raw, literal: raw.charAt(0), start, end };
  return /^\$?[{}]/.test(raw) ? { raw, start, end } : { raw, literal: raw, start, end };
}

/** End of the match at `at`; the caller knows that there is a match. */
function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}
