import { suggestion } from "./suggestion.js";

/**
 * Names of keys in other formats. Each word, in the form of `plainWord`, has the keys or paths that
 * it may mean.
 */
export type OtherWords = ReadonlyMap<string, readonly KeyPath[]>;

type KeyPath = readonly string[];

/**
 * A key → other words for it. A dot leads to a key inside another: `retry.max_attempts`. If two
 * keys share a word, it means the first one that is free.
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
 * Suggests the right key for a key with another name.
 *
 * @param keys the existing keys; words for other keys are ignored
 * @param free the keys that aren't used yet, or that can hold more keys
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
  // Inside an object of the path, only the last key matters.
  if (!isOutside && free.includes(last)) return suggestion(last);
  if (!isOutside) return undefined;
  const nested = inner.reduceRight((value, key) => `{ ${key}: ${value} }`, "…");
  return `write \`${first}: ${nested}\``;
}
