import type { ByteStore } from "../../kit/kind-engine.js";
import { sha256 } from "../../core/hash.js";
import { findObstacle, tellObstacle } from "@skillc/runtime/internal";
import { openByteCache, ignoringErrors } from "./byte-cache.js";
import type { CacheEntry } from "../../compiler/compile-cache.js";
import { openPacks } from "./packs.js";
import { type EntryFolder, ownNames, readEntry, removeEntry, writeEntry } from "./sealed-entry.js";
import type { UserKey } from "./user-key.js";

/**
 * Results of earlier compilations. It may forget anything at any time; what it gives is what this
 * user's skillc put in.
 */
export interface FileCache {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  /**
   * Puts in all of them at once, which takes less time. Of a key that was put in both ways with
   * different values, this one counts: each key is put in by one of them.
   */
  setAll(entries: readonly CacheEntry[]): void;
  /** Has `prune` spare entries that nobody asks for now. */
  keep(keys: readonly string[]): void;
  /** Large results: forgotten by their age, not by `prune`. */
  readonly bytes: ByteStore;
  /** Forgets what was neither asked for nor put in since the cache was opened or last pruned. */
  prune(): void;
  /** Why nothing is kept; undefined while nothing is known to keep it from that. */
  readonly problem: Problem | undefined;
}

export interface Problem {
  readonly message: string;
  /** What has to be mended, when it is below the project. */
  readonly path?: string;
}

/**
 * A cache in a folder that may be deleted whenever one likes. What is in it becomes code, so an
 * entry counts only when it is signed with the user's key. Failures of the file system only make it
 * forget; where something else stands in its place, or there is no key, it keeps nothing and says
 * why.
 *
 * @param folder made when the first entry is put in
 * @param salt everything outside the keys that decides what is stored: the compiler's own version,
 * custom kinds
 */
export function openFileCache(folder: EntryFolder, salt: string, userKey: UserKey): FileCache {
  const large: EntryFolder = { ...folder, path: `${folder.path}/large` };
  const obstacle = findObstacle(folder.root, large.path, "folder");
  if (obstacle !== undefined)
    return forgetful({ message: tellObstacle(obstacle), path: obstacle.path });
  const used = new Map<string, string>();
  /**
   * What the run before the last `prune` used: a watching process asks for nearly the same again.
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

/** What a compilation uses of it. */
export type UsedCache = Pick<FileCache, "get" | "set" | "setAll" | "keep" | "bytes">;

/** The cache for a run that writes nothing. */
export function readingOnly({ get, bytes }: FileCache): UsedCache {
  return { get, set() {}, setAll() {}, keep() {}, bytes: { get: (key) => bytes.get(key) } };
}

/**
 * The cache for a run that vouches for what the skills compile to: only engines are taken from it,
 * no module.
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
