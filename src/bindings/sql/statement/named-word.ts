import { readTokens } from "./lexer.js";
import type { TextRange } from "./statement.js";

/** The word of a text that is this name, for what is refused without a position. Undefined when it stands there more than once, or not. */
export function namedWord(text: string, name: string): TextRange | undefined {
  const found = (readTokens(text) ?? []).filter((token) => nameOf(token.text) === name);
  const [only, another] = found;
  return only === undefined || another !== undefined
    ? undefined
    : { start: only.start, end: only.end };
}

/** The word of a text that a message quotes. */
export function quotedWord(text: string, message: string): TextRange | undefined {
  const name = quotedName(message);
  return name === undefined ? undefined : namedWord(text, name);
}

/** The name that a message quotes, in the marks of any language. */
function quotedName(message: string): string | undefined {
  return /["\u201c-\u201f\u00ab\u00bb\u300c\u300e](?<name>[^"\u201c-\u201f\u00ab\u00bb\u300c-\u300f]+)/u
    .exec(message)
    ?.groups?.["name"]?.trim();
}

function nameOf(word: string): string {
  return /^".*"$/s.test(word) ? word.slice(1, -1).replaceAll('""', '"') : word.toLowerCase();
}
