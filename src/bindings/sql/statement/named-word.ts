import { readTokens } from "./lexer.js";
import type { TextRange } from "./statement.js";

/** The word of a text that a message without a position names: `relation "ordrs" does not exist`. Undefined when it stands there more than once, or not. */
export function namedWord(text: string, message: string): TextRange | undefined {
  const name = /"(?<name>[^"]+)"/.exec(message)?.groups?.["name"];
  const found = (readTokens(text) ?? []).filter((token) => nameOf(token.text) === name);
  const [only, another] = found;
  return only === undefined || another !== undefined
    ? undefined
    : { start: only.start, end: only.end };
}

function nameOf(word: string): string {
  return /^".*"$/s.test(word) ? word.slice(1, -1).replaceAll('""', '"') : word.toLowerCase();
}
