import type { ByteStore } from "../../kit/kind-engine.js";
import {
  type EntryFolder,
  lastUsed,
  markUsed,
  ownNames,
  readEntry,
  removeEntry,
  writeEntry,
} from "./sealed-entry.js";
import type { UserKey } from "./user-key.js";

/** Maximum number of entries. A project has few databases, and an entry takes some megabytes. */
const maxEntries = 8;

/**
 * A store of large results in a folder that may be deleted at any time. It keeps the most recently
 * used entries. File system errors only lose entries.
 *
 * @param nameOf returns the file name of a key's entry
 */
export function openByteCache(
  folder: EntryFolder,
  nameOf: (key: string) => string,
  userKey: UserKey,
): Required<ByteStore> {
  return {
    get: async (key) =>
      ignoringErrors(() => {
        const secret = userKey.read();
        const value = secret && readEntry(folder, nameOf(key), secret);
        if (value !== undefined) markUsed(folder, nameOf(key));
        return value;
      }),
    set: async (key, value) =>
      ignoringErrors(() => {
        const secret = userKey.make();
        if (secret === undefined) return;
        writeEntry(folder, nameOf(key), value, secret);
        dropOldest(folder);
      }),
  };
}

function dropOldest(folder: EntryFolder): void {
  const times = ownNames(folder).map((name) => ({ name, at: lastUsed(folder, name) }));
  const old = times.toSorted((a, b) => b.at - a.at).slice(maxEntries);
  for (const { name } of old) removeEntry(folder, name);
}

export function ignoringErrors<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
