import type { ByteStore } from "../../kit/kind-engine.js";
import { sha256 } from "../../core/hash.js";
import { findObstacle, tellObstacle } from "@skillc/runtime/internal";
import { openByteCache, ignoringErrors } from "./byte-cache.js";
import type { CacheEntry } from "../../compiler/compile-cache.js";
import { openPacks } from "./packs.js";
import { type EntryFolder, ownNames, readEntry, removeEntry, writeEntry } from "./sealed-entry.js";
import type { UserKey } from "./user-key.js";

/**
 * Results of earlier compilations. Entries may be lost at any time, and every returned entry was
 * written by this user's skillc.
 */
export interface FileCache {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  /**
   * Stores all entries at once, which is faster. If a key was also stored by `set`, this value
   * wins; normally only one of the two stores a key.
   */
  setAll(entries: readonly CacheEntry[]): void;
  /** Protects entries from `prune` although this run does not read them. */
  keep(keys: readonly string[]): void;
  /** Store for large results. It removes old entries itself; `prune` doesn't. */
  readonly bytes: ByteStore;
  /**
   * Removes entries that were neither read nor written since the cache was opened or last pruned.
   */
  prune(): void;
  /** Reason why nothing is stored; undefined if no reason is known. */
  readonly problem: Problem | undefined;
}

export interface Problem {
  readonly message: string;
  /** Path to repair, if it is below the project. */
  readonly path?: string;
}

/**
 * Opens a cache in a folder that may be deleted at any time. Its entries become code, so an entry
 * only counts if it is signed with the user's key. File system errors only lose entries. If
 * something else is at its path, or there is no key, the cache stores nothing and has a `problem`.
 *
 * @param folder created with the first entry
 * @param salt everything besides the keys that determines the entries: the compiler's version,
 * custom kinds
 */
export function openFileCache(folder: EntryFolder, salt: string, userKey: UserKey): FileCache {
  const large: EntryFolder = { ...folder, path: `${folder.path}/large` };
  const obstacle = findObstacle(folder.root, large.path, "folder");
  if (obstacle !== undefined)
    return forgetful({ message: tellObstacle(obstacle), path: obstacle.path });
  const used = new Map<string, string>();
  /**
   * Entries that the run before the last `prune` used. A watching process reads nearly the same
   * ones again.
   */
  let recent: ReadonlyMap<string, string> = new Map();
  const spared = new Set<string>();
  const entryFileName = (key: string): string => sha256(`${salt}\0${key}`);
  const packs = openPacks(folder, entryFileName("packs"), userKey);
  return {
    bytes: openByteCache(large, entryFileName, userKey),
    get(key) {
      const name = entryFileName(key);
      const value =
        used.get(name) ?? recent.get(name) ?? packs.get(name) ?? readText(folder, name, userKey);
      if (value !== undefined) used.set(name, value);
      return value;
    },
    set(key, value) {
      const name = entryFileName(key);
      used.set(name, value);
      ignoringErrors(() => {
        const secret = userKey.make();
        if (secret !== undefined) writeEntry(folder, name, Buffer.from(value), secret);
      });
    },
    setAll(entries) {
      const named = new Map(entries.map(({ key, value }) => [entryFileName(key), value]));
      for (const [name, value] of named) used.set(name, value);
      packs.add(named);
    },
    keep(keys) {
      for (const key of keys) spared.add(entryFileName(key));
    },
    prune() {
      const isNeeded = (name: string): boolean => used.has(name) || spared.has(name);
      packs.prune(isNeeded);
      const files = packs.files();
      ignoringErrors(() => {
        for (const name of ownNames(folder))
          if (!isNeeded(name) && !files.has(name)) ignoringErrors(() => removeEntry(folder, name));
      });
      recent = new Map(used);
      used.clear();
      spared.clear();
    },
    get problem() {
      return userKey.problem === undefined ? undefined : { message: userKey.problem };
    },
  };
}

/** The methods that a compilation uses. */
export type UsedCache = Pick<FileCache, "get" | "set" | "setAll" | "keep" | "bytes">;

/** Returns a cache for a run that writes nothing. */
export function readingOnly({ get, bytes }: FileCache): UsedCache {
  return { get, set() {}, setAll() {}, keep() {}, bytes: { get: (key) => bytes.get(key) } };
}

/**
 * Returns a cache for a run that must compile every module itself. It contains only the engines'
 * results.
 */
export function enginesOnly(cache: FileCache): UsedCache {
  return { ...readingOnly(cache), get: () => undefined };
}

function forgetful(problem: Problem): FileCache {
  const bytes = { get: async () => undefined };
  const nothing = { set() {}, setAll() {}, keep() {}, prune() {} };
  return { ...nothing, get: () => undefined, bytes, problem };
}

function readText(folder: EntryFolder, name: string, userKey: UserKey): string | undefined {
  return ignoringErrors(() => {
    const secret = userKey.read();
    const value = secret && readEntry(folder, name, secret);
    return value && Buffer.from(value.buffer, value.byteOffset, value.length).toString("utf8");
  });
}
