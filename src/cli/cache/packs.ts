import { createHash } from "node:crypto";
import { isJsonObject, type JsonValue } from "../../core/json.js";
import { ignoringErrors } from "./byte-cache.js";
import { type EntryFolder, readEntry, writeEntry } from "./sealed-entry.js";
import type { UserKey } from "./user-key.js";

/**
 * Stores small entries together in larger files. Compiling a thousand tools makes thousands of
 * entries, and writing a file takes longer than computing its content.
 */
export interface Packs {
  get(name: string): string | undefined;
  /** Adds entries. Entries of one call are stored together. */
  add(entries: ReadonlyMap<string, string>): void;
  /** Removes entries. Unused files remain; the caller removes them. */
  prune(isNeeded: (name: string) => boolean): void;
  /** Names of all files in use. */
  files(): ReadonlySet<string>;
}

/** Location of an entry. */
interface EntryLocation {
  readonly pack: string;
  /** Size of the whole pack, in bytes. */
  readonly packBytes: number;
  /** Offset from the start of the pack's content, in bytes. */
  readonly start: number;
  readonly end: number;
}

/**
 * Size of a pack. Packs are read as a whole, and a run after an edit needs entries of few skills.
 */
const usualBytes = 1024 * 1024;
/** Maximum number of small packs before they are merged. Each run with a change adds one. */
const maxSmall = 8;
const smallBytes = usualBytes / 8;

/** @param indexName name of the entry with the locations; each pack is an entry too */
export function openPacks(folder: EntryFolder, indexName: string, userKey: UserKey): Packs {
  const read = (name: string): Buffer | undefined =>
    ignoringErrors(() => {
      const secret = userKey.read();
      const bytes = secret && readEntry(folder, name, secret);
      return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    });
  let known: Map<string, EntryLocation> | undefined;
  const places = (): Map<string, EntryLocation> =>
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
  /** @throws errors of the file system */
  const write = (entries: Iterable<readonly [string, string]>): void => {
    const secret = userKey.make();
    if (secret === undefined) return;
    for (const each of inPacks(entries)) {
      const content = Buffer.concat(each.map(({ bytes }) => bytes));
      // The name depends on the content, because another run may read the pack by another index.
      const pack = createHash("sha256").update(indexName).update(content).digest("hex");
      writeEntry(folder, pack, content, secret);
      let start = 0;
      for (const { bytes, name } of each) {
        const end = start + bytes.length;
        places().set(name, { pack, packBytes: content.length, start, end });
        start = end;
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
      const moved = toBeMoved(places()).flatMap((name) => {
        const value = get(name);
        places().delete(name);
        return value === undefined ? [] : [[name, value] as const];
      });
      loaded.clear();
      if (places().size === before.size) return;
      try {
        write(moved);
      } catch {
        // After a failed write, the entries are still at their old locations.
        known = before;
      }
    },
    files: () =>
      places().size === 0
        ? new Set()
        : new Set([indexName, ...[...places().values()].map(({ pack }) => pack)]),
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
    if (size < usualBytes) continue;
    yield pack;
    [pack, size] = [[], 0];
  }
  if (pack.length > 0) yield pack;
}

/**
 * Lists the entries to move: those of packs that are less than half used, and those of small packs
 * if there are many.
 */
function toBeMoved(places: ReadonlyMap<string, EntryLocation>): readonly string[] {
  const needed = new Map<string, number>();
  const small = new Set<string>();
  for (const { end, pack, packBytes, start } of places.values()) {
    needed.set(pack, (needed.get(pack) ?? 0) + end - start);
    if (packBytes < smallBytes) small.add(pack);
  }
  const isMoved = ({ pack, packBytes }: EntryLocation): boolean =>
    (needed.get(pack) ?? 0) * 2 < packBytes || (small.size > maxSmall && small.has(pack));
  return [...places].flatMap(([name, place]) => (isMoved(place) ? [name] : []));
}

/** Prints each pack with its size in bytes, and its entries with name, start and end. */
function indexText(places: ReadonlyMap<string, EntryLocation>): string {
  const packs: Record<string, (string | number)[]> = {};
  for (const [name, { end, pack, packBytes, start }] of places)
    (packs[pack] ??= [packBytes]).push(name, start, end);
  return JSON.stringify(packs);
}

/** Parses an index that this build wrote; other values are ignored. */
function placesIn(text: string): Map<string, EntryLocation> {
  const found = new Map<string, EntryLocation>();
  const packs = JSON.parse(text) as JsonValue;
  for (const [pack, listed] of Object.entries(isJsonObject(packs) ? packs : {})) {
    const [packBytes, ...entries] = Array.isArray(listed) ? listed : [];
    for (let at = 0; at < entries.length; at += 3)
      found.set(String(entries[at]), {
        pack,
        packBytes: Number(packBytes),
        start: Number(entries[at + 1]),
        end: Number(entries[at + 2]),
      });
  }
  return found;
}
