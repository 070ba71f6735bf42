import type { ByteStore } from "../kit/kind-engine.js";

/**
 * A store of texts by key, safe to delete at any time. It only returns texts that the same build of
 * skillc stored under the same key.
 */
export interface CompileCache {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  /** Puts in many at once; left out where that takes no less time. */
  readonly setAll?: (entries: readonly CacheEntry[]) => void;
  /**
   * Entries that are needed still, though nobody asks for them now; absent where none is ever
   * forgotten.
   */
  readonly keep?: (keys: readonly string[]) => void;
  /** Store for binding kinds. */
  readonly bytes?: ByteStore;
}

/** An entry that a run has made. */
export interface CacheEntry {
  readonly key: string;
  readonly value: string;
}

/** Stores all entries. */
export function putAll(cache: CompileCache | undefined, entries: readonly CacheEntry[]): void {
  if (cache?.setAll !== undefined) return cache.setAll(entries);
  for (const { key, value } of entries) cache?.set(key, value);
}

/**
 * The cache as one skill sees it. The skill's entries are stored only if the whole project has no
 * errors.
 */
export interface SkillCache {
  get(key: string): string | undefined;
  put(entry: CacheEntry): void;
  /** Keeps an entry that the skill needs, even if another run or skill made it. */
  keep(key: string): void;
  /** Entries made so far. */
  made(): readonly CacheEntry[];
  /** Keys of all that was made or taken: they stay as long as the skill does. */
  keys(): readonly string[];
}

export function createSkillCache(cache: CompileCache | undefined): SkillCache {
  const made: CacheEntry[] = [];
  const keys = new Set<string>();
  return {
    get(key) {
      const value = cache?.get(key);
      if (value !== undefined) keys.add(key);
      return value;
    },
    put(entry) {
      made.push(entry);
      keys.add(entry.key);
    },
    keep: (key) => void keys.add(key),
    made: () => made,
    keys: () => [...keys],
  };
}
