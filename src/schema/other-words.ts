import { suggestion } from "./suggestion.js";

/**
 * Words by which other formats know a key: each, as `plainWord` has it → the keys that it may mean,
 * or the paths to them.
 */
export type OtherWords = ReadonlyMap<string, readonly KeyPath[]>;

type KeyPath = readonly string[];

/**
 * A key → the words for it. A dot leads to a key inside another: `retry.max_attempts`. Of two keys
 * that share a word, the first is meant that is free.
 */
export type WordTable = Readonly<Record<string, readonly string[]>>;

export function wordsOf(table: WordTable): OtherWords {
  const meant = new Map<string, KeyPath[]>();
  for (const [key, words] of Object.entries(table)) {
    for (const word of words.map(plainWord)) {
      const keys = meant.get(word) ?? [];
      meant.set(word, keys);
      keys.push(key.split("."));
    }
  }
  return meant;
}

/** `inputSchema`, `input-schema`, `input.schema` and `Input_Schema` are one word. */
export function plainWord(key: string): string {
  return key
    .slice(0, 100)
    .toLowerCase()
    .replace(/[-_. ]/g, "");
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
  const meant = words.get(plainWord(written)) ?? [];
  return meant.map((path) => wordsFor(path, keys, free)).find((each) => each !== undefined);
}

function wordsFor(
  [first, ...inner]: KeyPath,
  keys: readonly string[],
  free: readonly string[],
): string | undefined {
  if (first === undefined) return undefined;
  const last = inner.at(-1) ?? first;
  const isOutside = inner.length > 0 && keys.includes(first);
  // Inside of what the path leads through, its end is all that is to be said.
  if (!isOutside && free.includes(last)) return suggestion(last);
  if (!isOutside) return undefined;
  const nested = inner.reduceRight((value, key) => `{ ${key}: ${value} }`, "…");
  return `write \`${first}: ${nested}\``;
}
