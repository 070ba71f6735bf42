import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ByteStore } from "../../bindings/binding.js";
import { sha256, sha256OfBytes } from "../../core/hash.js";

/** A project has few databases; each entry is some megabytes. */
const mostEntries = 8;

/**
 * A store of large results in a folder that may be deleted whenever one likes. It keeps those used last; an entry opens with the hash of the rest,
 * so that a damaged one is no entry. Failures of the file system only make it forget.
 *
 * @param folder absolute; made when the first entry is put in
 * @param salt everything outside the keys that decides what is stored
 */
export function openByteCache(folder: string, salt: string): Required<ByteStore> {
  const pathOf = (key: string): string => join(folder, sha256(`${salt}\0${key}`));
  return {
    get: (key) => quietly(() => readEntry(pathOf(key))),
    set: async (key, value) => {
      await quietly(async () => {
        await mkdir(folder, { recursive: true });
        await writeEntry(pathOf(key), value);
        await dropOldest(folder);
      });
    },
  };
}

const hashLength = 64;

async function readEntry(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const bytes = new Uint8Array(await readFile(path));
  const value = bytes.subarray(hashLength);
  const hash = Buffer.from(bytes.subarray(0, hashLength)).toString("latin1");
  if (sha256OfBytes(value) !== hash) return undefined;
  const now = new Date();
  await utimes(path, now, now);
  return value;
}

async function writeEntry(path: string, value: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, [Buffer.from(sha256OfBytes(value), "latin1"), value]);
  await rename(temporary, path);
}

async function dropOldest(folder: string): Promise<void> {
  const paths = (await readdir(folder)).map((name) => join(folder, name));
  const times = await Promise.all(
    paths.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })),
  );
  const old = times.toSorted((a, b) => b.at - a.at).slice(mostEntries);
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
}

async function quietly<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch {
    return undefined;
  }
}
