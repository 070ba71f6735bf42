import { suggestion } from "./suggestion.js";

/** Words by which other formats know a key: each, as `plainWord` has it → the key, or the path to it. */
export type OtherWords = ReadonlyMap<string, readonly string[]>;

/** `inputSchema`, `input-schema` and `Input_Schema` are one word. */
export function plainWord(key: string): string {
  return key.slice(0, 100).toLowerCase().replace(/[-_ ]/g, "");
}

/**
 * What to write instead of a key that has another name here.
 *
 * @param keys those that exist: a word for any other says nothing
 * @param free those that do not stand there yet; one that holds more keys may
 */
export function inOurWords(
  written: string,
  words: OtherWords,
  keys: readonly string[],
  free: readonly string[],
): string | undefined {
  const [first, ...inner] = words.get(plainWord(written)) ?? [];
  if (first === undefined) return undefined;
  const last = inner.at(-1) ?? first;
  // Inside of what the path leads through, its end is all that is to be said.
  if (free.includes(last)) return suggestion(last);
  if (inner.length === 0) return undefined;
  if (!keys.includes(first)) return undefined;
  const nested = inner.reduceRight((value, key) => `{ ${key}: ${value} }`, "…");
  return `write \`${first}: ${nested}\``;
}
