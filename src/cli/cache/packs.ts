import { createHash } from "node:crypto";
import { isJsonObject, type JsonValue } from "../../core/json.js";
import { ignoringErrors } from "./byte-cache.js";
import { type EntryFolder, readEntry, removeEntry, writeEntry } from "./sealed-entry.js";
import type { UserKey } from "./user-key.js";

/**
 * Small entries, many to a file: a run that compiles a thousand tools has thousands of them, and to
 * write a file takes longer than to make what is in it.
 */
export interface Packs {
  get(name: string): string | undefined;
  /** Puts entries in; those that belong together lie together. */
  add(entries: ReadonlyMap<string, string>): void;
  /** Forgets entries. */
  prune(isNeeded: (name: string) => boolean): void;
  /** Names of all files in use. */
  files(): ReadonlySet<string>;
}

/** Where an entry lies. */
interface Place {
  readonly pack: string;
  /** In bytes, from the start of the pack's content. */
  readonly start: number;
  readonly end: number;
}

/** Packs are read as a whole: a run with an edit takes entries of few skills. */
const packBytes = 1024 * 1024;
/** Each run with an edit adds a small pack; so many of them are joined. */
const mostSmall = 8;
const smallBytes = packBytes / 8;

/** @param indexName of the file that says where entries lie: an entry itself, as each pack is */
export function openPacks(folder: EntryFolder, indexName: string, userKey: UserKey): Packs {
  const read = (name: string): Buffer | undefined =>
    ignoringErrors(() => {
      const secret = userKey.read();
      const bytes = secret && readEntry(folder, name, secret);
      return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    });
  let known: Map<string, Place> | undefined;
  const places = (): Map<string, Place> =>
    (known ??= placesIn(read(indexName)?.toString("utf8") ?? "{}"));
  const loaded = new Map<string, Buffer | undefined>();
  const contentOf = (pack: string): Buffer | undefined => {
    if (!loaded.has(pack)) loaded.set(pack, read(pack));
    return loaded.get(pack);
  };
  const get = (name: string): string | undefined => {
    const place = places().get(name);
    return place && contentOf(place.pack)?.toString("utf8", place.start, place.end);
  };
  const write = (entries: Iterable<readonly [string, string]>): void => {
    const secret = userKey.make();
    if (secret === undefined) return;
    for (const each of inPacks(entries)) {
      const content = Buffer.concat(each.map(({ bytes }) => bytes));
      // Another run may read by another index: a pack is never written over with another content.
      const pack = createHash("sha256").update(indexName).update(content).digest("hex");
      writeEntry(folder, pack, content, secret);
      let start = 0;
      for (const { bytes, name } of each) {
        places().set(name, { pack, start, end: (start += bytes.length) });
      }
    }
    writeEntry(folder, indexName, Buffer.from(indexText(places())), secret);
  };
  return {
    get,
    add: (entries) => void ignoringErrors(() => write(entries)),
    prune(isNeeded) {
      const before = new Map(places());
      for (const name of before.keys()) if (!isNeeded(name)) places().delete(name);
      const moved = toBeMoved(before, places()).flatMap((name) => {
        const value = get(name);
        places().delete(name);
        return value === undefined ? [] : [[name, value] as const];
      });
      if (places().size === before.size) return;
      ignoringErrors(() => write(moved));
      loaded.clear();
      const left = packsOf(places());
      for (const pack of packsOf(before).keys())
        if (!left.has(pack)) ignoringErrors(() => removeEntry(folder, pack));
    },
    files: () =>
      places().size === 0 ? new Set() : new Set([indexName, ...packsOf(places()).keys()]),
  };
}

interface PackedEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

function* inPacks(entries: Iterable<readonly [string, string]>): Iterable<readonly PackedEntry[]> {
  let pack: PackedEntry[] = [];
  let size = 0;
  for (const [name, value] of entries) {
    const bytes = Buffer.from(value);
    pack.push({ name, bytes });
    size += bytes.length;
    if (size < packBytes) continue;
    yield pack;
    [pack, size] = [[], 0];
  }
  if (pack.length > 0) yield pack;
}

/** Entries of packs of which less than half is needed, and of small ones where there are many. */
function toBeMoved(
  before: ReadonlyMap<string, Place>,
  now: ReadonlyMap<string, Place>,
): readonly string[] {
  const whole = packsOf(before);
  const left = packsOf(now);
  const small = [...left.keys()].filter((pack) => (whole.get(pack) ?? 0) < smallBytes);
  const moved = new Set(small.length > mostSmall ? small : []);
  for (const [pack, bytes] of left) if (bytes * 2 < (whole.get(pack) ?? 0)) moved.add(pack);
  return [...now].flatMap(([name, { pack }]) => (moved.has(pack) ? [name] : []));
}

/** Packs, with the bytes of their entries. */
function packsOf(places: ReadonlyMap<string, Place>): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { end, pack, start } of places.values())
    found.set(pack, (found.get(pack) ?? 0) + end - start);
  return found;
}

/** By pack the names of its entries, each with where it begins and ends. */
function indexText(places: ReadonlyMap<string, Place>): string {
  const packs: Record<string, (string | number)[]> = {};
  for (const [name, { end, pack, start }] of places) (packs[pack] ??= []).push(name, start, end);
  return JSON.stringify(packs);
}

/** What this build wrote: nothing else is read as an entry. */
function placesIn(text: string): Map<string, Place> {
  const found = new Map<string, Place>();
  const packs = JSON.parse(text) as JsonValue;
  for (const [pack, entries] of Object.entries(isJsonObject(packs) ? packs : {})) {
    const list = Array.isArray(entries) ? entries : [];
    for (let at = 0; at < list.length; at += 3)
      found.set(String(list[at]), { pack, start: Number(list[at + 1]), end: Number(list[at + 2]) });
  }
  return found;
}
