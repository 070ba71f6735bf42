import { posix } from "node:path";
import { sha256OfBytes } from "../../core/hash.js";
import { findObstacle, readUpTo, systemCode } from "@skillc/runtime/internal";
import { join } from "node:path";
import { CommandFailure } from "../exit.js";

/**
 * The record of written files, in the folder of packed skills: each path with the SHA-256 of its
 * content. A file that is not in it, or has another content, belongs to somebody else.
 */
export const packRecord = ".skillc-pack.json";

/** Content of files by path below a folder. */
export type PackedFiles = ReadonlyMap<string, Uint8Array>;

/** Differences between a folder and the files that it should have. */
export interface PackChanges {
  readonly changed: ReadonlyMap<string, Uint8Array>;
  readonly removed: readonly string[];
}

/**
 * Compares the folder with the files that it should have.
 *
 * @param folder absolute
 * @param isOwn tells if a path that was written before may be removed
 * @throws CommandFailure if another file, or an edit by hand, would be lost
 */
export function packChanges(
  folder: string,
  wanted: PackedFiles,
  isOwn: (path: string) => boolean,
): PackChanges {
  const known = readRecord(folder);
  const removed = [...known.keys()].filter((path) => !wanted.has(path) && isOwn(path));
  const changed = new Map<string, Uint8Array>();
  for (const [path, bytes] of wanted) {
    const found = hashAt(folder, path);
    if (found === sha256OfBytes(bytes)) continue;
    if (found !== undefined && found !== known.get(path)) throw foreign(path);
    changed.set(path, bytes);
  }
  for (const path of removed) {
    const found = hashAt(folder, path);
    if (found !== undefined && found !== known.get(path)) throw foreign(path);
  }
  const kept = [...known].filter(([path]) => !wanted.has(path) && !removed.includes(path));
  const all = [
    ...kept,
    ...[...wanted].map(([path, bytes]) => [path, sha256OfBytes(bytes)] as const),
  ];
  const record = recordText(new Map(all));
  if (hashAt(folder, packRecord) !== sha256OfBytes(record)) changed.set(packRecord, record);
  return { changed, removed };
}

function foreign(path: string): CommandFailure {
  return CommandFailure.input(
    `\`${path}\` is in the folder, and \`skillc pack\` didn't write it in this form`,
    "move it elsewhere, or name another folder with `--out`",
  );
}

function recordText(files: ReadonlyMap<string, string>): Uint8Array {
  const sorted = [...files].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const lines = sorted.map(([path, hash]) => `  ${JSON.stringify(path)}: "${hash}"`);
  return Buffer.from(`{\n${lines.join(",\n")}\n}\n`);
}

/** Reads the record. Another text counts as a record of nothing, so that nothing is replaced. */
function readRecord(folder: string): ReadonlyMap<string, string> {
  try {
    const text = bytesAt(folder, packRecord)?.toString("utf8") ?? "{}";
    const record: unknown = JSON.parse(text);
    if (typeof record !== "object" || record === null) return new Map();
    return new Map(
      Object.entries(record).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string" && isBelow(entry[0]),
      ),
    );
  } catch (error) {
    if (error instanceof SyntaxError) return new Map();
    throw error;
  }
}

/** Checks a path of the record, which anybody may have edited. */
function isBelow(path: string): boolean {
  const parts = path.split("/");
  return posix.normalize(path) === path && !path.startsWith("/") && !parts.includes("..");
}

function hashAt(folder: string, path: string): string | undefined {
  const bytes = bytesAt(folder, path);
  return bytes && sha256OfBytes(bytes);
}

const largest = 16 * 1024 * 1024;

function bytesAt(folder: string, path: string): Buffer | undefined {
  // The write reports the obstacle.
  if (findObstacle(folder, path, "file") !== undefined) return undefined;
  try {
    return readUpTo(join(folder, path), largest, { links: false }) ?? Buffer.from("too large");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
