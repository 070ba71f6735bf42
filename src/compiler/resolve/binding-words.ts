import type { BindingKind } from "../../kit/binding.js";
import type { KindRegistry } from "../../bindings/registry.js";
import { type OtherWords, wordsOf, type WordTable } from "../../schema/other-words.js";

/** Other words that authors use for the keys of all kinds. */
const commonKeys: WordTable = {
  effect: ["read_only", "read_only_hint", "side_effect", "side_effects", "safe"],
  timeout_ms: ["timeout", "timeout_seconds", "timeout_sec"],
  "retry.max_attempts": ["retries", "max_retries", "max_attempts", "attempts"],
  "retry.backoff_ms": ["backoff", "backoff_ms", "retry_delay"],
};

/** Words from other tools that authors use in bindings of one kind. */
interface BindingWords {
  readonly keys: OtherWords;
  /** Values of the kind, by other words for them. */
  readonly values: ReadonlyMap<string, string>;
}

const made = new WeakMap<BindingKind, BindingWords>();

/**
 * Returns the other words for all keys and values of a kind's bindings. Always returns the same
 * object for the same kind.
 */
export function wordsFor(kind: BindingKind): BindingWords {
  const known = made.get(kind);
  if (known !== undefined) return known;
  const { keys = {}, values = {} } = kind.otherWords ?? {};
  const words = {
    keys: wordsOf({ ...keys, ...commonKeys }),
    values: new Map(
      Object.entries(values).flatMap(([value, others]) =>
        others.map((word) => [word, value] as const),
      ),
    ),
  };
  made.set(kind, words);
  return words;
}

/** Returns the keys to write instead of an unknown type, in backticks: `type: queue`. */
export function meantByType(written: string, { all }: KindRegistry): string | undefined {
  const word = written.toLowerCase();
  for (const { otherWords, type } of all) {
    const meant = otherWords?.types?.find(({ words }) => words.includes(word));
    if (meant === undefined) continue;
    return [`type: ${type}`, ...(meant.beside ?? [])].map((line) => `\`${line}\``).join(" and ");
  }
  return undefined;
}
