import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ByteStore } from "../../bindings/binding.js";
import { sha256 } from "../../core/hash.js";
import { openByteCache } from "./byte-cache.js";

/** Results of earlier compilations. It may forget anything at any time; what it gives is what was put in. */
export interface FileCache {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  /** Large results: forgotten by their age, not by `prune`. */
  readonly bytes: ByteStore;
  /** Forgets what was neither asked for nor put in since the cache was opened or last pruned. */
  prune(): void;
}

/**
 * A cache in a folder that may be deleted whenever one likes: an entry is a file that opens with the hash of the rest, so that a damaged one
 * is no entry. Failures of the file system only make it forget.
 *
 * @param folder absolute; made when the first entry is put in
 * @param salt everything outside the keys that decides what is stored: the compiler's own version, custom kinds
 */
export function openFileCache(folder: string, salt: string): FileCache {
  const used = new Map<string, string>();
  /** What the run before the last `prune` used: a watching process asks for nearly the same again. */
  let recent: ReadonlyMap<string, string> = new Map();
  let ready = false;
  const nameOf = (key: string): string => sha256(`${salt}\0${key}`);
  return {
    bytes: openByteCache(join(folder, "large"), salt),
    get(key) {
      const name = nameOf(key);
      const value = used.get(name) ?? recent.get(name) ?? readEntry(join(folder, name));
      if (value !== undefined) used.set(name, value);
      return value;
    },
    set(key, value) {
      const name = nameOf(key);
      used.set(name, value);
      quietly(() => {
        if (!ready) mkdirSync(folder, { recursive: true });
        ready = true;
        writeEntry(join(folder, name), value);
      });
    },
    prune() {
      quietly(() => {
        for (const entry of readdirSync(folder, { withFileTypes: true })) {
          if (entry.isFile() && !used.has(entry.name))
            rmSync(join(folder, entry.name), { force: true });
        }
      });
      recent = new Map(used);
      used.clear();
    },
  };
}

/** The cache for a run that writes nothing. */
export function readingOnly({ get, bytes }: FileCache): Pick<FileCache, "get" | "set" | "bytes"> {
  return { get, set() {}, bytes: { get: (key) => bytes.get(key) } };
}

function readEntry(path: string): string | undefined {
  const text = quietly(() => readFileSync(path, "utf8"));
  if (text === undefined || text.charAt(hashLength) !== "\n") return undefined;
  const value = text.slice(hashLength + 1);
  return sha256(value) === text.slice(0, hashLength) ? value : undefined;
}

const hashLength = 64;

function writeEntry(path: string, value: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, `${sha256(value)}\n${value}`);
  renameSync(temporary, path);
}

function quietly<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
