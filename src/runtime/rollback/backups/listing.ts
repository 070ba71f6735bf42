/**
 * The files that describe the copies of a call: `listing.json` has the states before the call, and
 * `left.json` those after it. The call's record has the digest of the first.
 */
import { createHash } from "node:crypto";
import { join, posix } from "node:path";
import { type OwnFolder, refuseObstacle } from "../../files/own-place.js";
import { readRegularFile } from "../../files/regular-file.js";
import { syncDirectory } from "../../files/sync-directory.js";
import { systemCode } from "../../files/system-code.js";
import { writeSynced } from "../../files/write-synced.js";
import type { JsonValue } from "../../json/json.js";
import { callFolder, originOf } from "./backup-folder.js";
import { BackupFault } from "./backup-fault.js";
import type { EntryState, Tree } from "./entry-state.js";
import { isPathIn, membersOf, parsedOrNull, storedPaths, storedState } from "./stored-state.js";

/** The states of what a call may change. */
export interface Listing {
  readonly strategy: "backup" | "effects";
  /**
   * Paths that were kept, absolute. None is below another, unless `isListed`.
   */
  readonly roots: readonly string[];
  /** True if only the paths of `before` were kept, and not everything below the roots. */
  readonly isListed: boolean;
  readonly before: Tree;
}

/** A listing that was read. */
export interface StoredListing extends Listing {
  /** SHA-256 of the listing, in hexadecimal. */
  readonly sha256: string;
  /** False if the copies come from another folder, for example with somebody's repository. */
  readonly isOwn: boolean;
  /** States that differ from `before` after the call; undefined if the call did not get so far. */
  readonly left: Tree | undefined;
}

/** Name of the file with the states before a call. */
export const listingName = "listing.json";
const leftName = "left.json";

/**
 * Writes the states before a call to the disk.
 *
 * @returns SHA-256 of the listing
 */
export async function writeListing(
  backups: OwnFolder,
  call: string,
  listing: Listing,
): Promise<string> {
  const facts = { format: 1, call, origin: originOf(backups), ...listing };
  const text = JSON.stringify({ ...facts, before: [...listing.before] });
  await write(backups, call, listingName, text);
  return sha256Of(text);
}

/** Writes the states after a call that differ from those before. */
export async function writeLeft(backups: OwnFolder, call: string, left: Tree): Promise<void> {
  await write(backups, call, leftName, JSON.stringify([...left]));
}

async function write(backups: OwnFolder, call: string, name: string, text: string): Promise<void> {
  const path = posix.join(callFolder(backups, call), name);
  refuseObstacle(backups.root, path, "file");
  await writeSynced(join(backups.root, path), Buffer.from(text));
  await syncDirectory(join(backups.root, callFolder(backups, call)));
}

/**
 * Reads the states of a call; undefined if there are none.
 *
 * @throws BackupFault `damaged`; also the file system's error
 */
export function readListing(backups: OwnFolder, call: string): StoredListing | undefined {
  const text = textOf(backups, call, listingName);
  if (text === undefined) return undefined;
  const members = membersOf(parsedOrNull(text));
  const { before, isListed, origin, strategy } = members;
  const roots = storedPaths(members["roots"]);
  if (members["format"] !== 1 || members["call"] !== call || roots === undefined)
    throw damaged(call);
  if ((strategy !== "backup" && strategy !== "effects") || typeof isListed !== "boolean")
    throw damaged(call);
  const left = textOf(backups, call, leftName);
  return {
    strategy,
    roots: [...roots],
    isListed,
    before: treeOf(call, before, roots),
    sha256: sha256Of(text),
    isOwn: origin === originOf(backups),
    left: left === undefined ? undefined : treeOf(call, parsedOrNull(left), roots),
  };
}

function treeOf(call: string, value: JsonValue | undefined, roots: ReadonlySet<string>): Tree {
  const tree = new Map<string, EntryState>();
  for (const entry of Array.isArray(value) ? (value as readonly JsonValue[]) : [null]) {
    const [path, stored] = Array.isArray(entry) ? (entry as readonly JsonValue[]) : [];
    const state = storedState(stored);
    if (state === undefined || !isPathIn(path, roots)) throw damaged(call);
    tree.set(String(path), state);
  }
  return tree;
}

function damaged(call: string): BackupFault {
  return new BackupFault("damaged", `the list of the copies of \`${call}\` was changed`);
}

function textOf(backups: OwnFolder, call: string, name: string): string | undefined {
  const path = posix.join(callFolder(backups, call), name);
  refuseObstacle(backups.root, path, "file");
  try {
    return readRegularFile(join(backups.root, path), { links: false }).toString("utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
