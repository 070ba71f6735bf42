import type { ByteStore } from "../kit/kind-engine.js";

/**
 * A store of texts by key. It may be deleted at any time. It only returns texts that the same build
 * of skillc stored under the same key.
 */
export interface CompileCache {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  /** Stores many entries at once. Absent if that is not faster. */
  readonly setAll?: (entries: readonly CacheEntry[]) => void;
  /** Protects entries that the run does not read. Absent if entries are never removed. */
  readonly keep?: (keys: readonly string[]) => void;
  /** Store for binding kinds. */
  readonly bytes?: ByteStore;
}

/** An entry that a run has made. */
export interface CacheEntry {
  readonly key: string;
  readonly value: string;
}

/** Stores all entries, at once if possible. */
export function putAll(cache: CompileCache | undefined, entries: readonly CacheEntry[]): void {
  if (cache?.setAll !== undefined) return cache.setAll(entries);
  for (const { key, value } of entries) cache?.set(key, value);
}

/** The cache for one skill. Its entries are stored only if the whole project has no errors. */
export interface SkillCache {
  get(key: string): string | undefined;
  put(entry: CacheEntry): void;
  /** Keeps an entry that the skill needs, even if another run or skill made it. */
  keep(key: string): void;
  /** Entries made so far. */
  made(): readonly CacheEntry[];
  /** Keys of all entries that the skill made or read. They stay as long as the skill. */
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
