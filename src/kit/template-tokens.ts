/** A stretch of a template's text. */
export interface Token {
  readonly raw: string;
  /** What literal text stands for; absent for a placeholder or a lone brace. */
  readonly literal?: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Plain text, a run of `$`, an escaped brace, a placeholder, a brace that belongs to nothing:
 * together the whole text.
 */
const tokenPattern = /[^{}$]+|\$+|\{\{|\}\}|\{[^{}]*\}|[{}]/y;

/**
 * A run of `$` before a brace is taken in pairs, each a literal `$`; one left over before `{` opens
 * a credential. Time grows with the text's length, whatever it holds.
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

/** Where the match that starts at `at` ends; the caller knows that there is one. */
function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}
