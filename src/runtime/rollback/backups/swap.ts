/** Moves the entries of a swap. Each step can be repeated, after a crash too. */
import fs, { type BigIntStats } from "node:fs";
import { basename, dirname } from "node:path";
import { systemCode } from "../../files/system-code.js";
import { BackupFault } from "./backup-fault.js";
import { type EntryState, sameTime } from "./entry-state.js";
import type { OpenFolders } from "./open-folders.js";
import { newName, oldName } from "./stage.js";
import type { Swap } from "./tree-change.js";

/** Paths of a swap that lead through open folders. They must not be kept. */
interface SwapPlaces {
  readonly target: string;
  readonly old: string;
  readonly new: string;
}

async function placesOf(swap: Swap, folders: OpenFolders): Promise<SwapPlaces> {
  const stage = await folders.at(swap.stage);
  const parent = await folders.at(dirname(swap.path));
  return {
    target: parent.at(basename(swap.path)),
    old: stage.at(oldName(swap)),
    new: stage.at(newName(swap)),
  };
}

/**
 * Puts the new entry of a swap in place of the old one, unless that is done.
 *
 * @throws BackupFault if the old entry is in another state; also the file system's error
 */
export async function performSwap(swap: Swap, folders: OpenFolders): Promise<void> {
  const places = await placesOf(swap, folders);
  if (swap.from.kind !== "absent" && look(places.old) === undefined) takeOld(swap, places);
  if (swap.to.kind === "absent") return;
  const staged = look(places.new);
  const there = look(places.target);
  // It was moved, or linked.
  if (staged === undefined || isSame(staged, there)) return;
  const old = look(places.old);
  if (old !== undefined && isSame(old, there)) fs.renameSync(places.new, places.target);
  else placeNew(swap, places, there);
}

function takeOld({ from, path, to }: Swap, places: SwapPlaces): void {
  if (!looksLike(look(places.target), from)) throw changedMeanwhile(path);
  // A second name for the old file makes the change atomic: there is a file at each moment.
  const isReplaced = from.kind === "file" && (to.kind === "file" || to.kind === "link");
  if (!isReplaced || !isLinked(places.target, places.old)) fs.renameSync(places.target, places.old);
}

function placeNew({ path, to }: Swap, places: SwapPlaces, there: BigIntStats | undefined): void {
  if (there !== undefined) throw changedMeanwhile(path);
  // A second name fails if somebody takes the name now.
  if (to.kind !== "file" || !isLinked(places.new, places.target))
    fs.renameSync(places.new, places.target);
}

/**
 * Puts the old entry of a swap back, unless that is done.
 *
 * @throws BackupFault if somebody changed the new entry; also the file system's error
 */
export async function undoSwap(swap: Swap, folders: OpenFolders): Promise<void> {
  const places = await placesOf(swap, folders);
  const old = look(places.old);
  const staged = look(places.new);
  const there = look(places.target);
  const isPlaced = swap.to.kind !== "absent" && (staged === undefined || isSame(staged, there));
  if (isPlaced && there !== undefined) {
    if (!looksLike(there, swap.to)) throw changedMeanwhile(swap.path);
    if (staged === undefined) fs.renameSync(places.target, places.new);
    else fs.unlinkSync(places.target);
  }
  if (old === undefined) return;
  const left = look(places.target);
  if (isSame(old, left)) fs.unlinkSync(places.old);
  else if (left === undefined) fs.renameSync(places.old, places.target);
  else throw changedMeanwhile(swap.path);
}

/** Makes the error for an entry that is in an unexpected state. */
export function changedMeanwhile(path: string): BackupFault {
  return new BackupFault("differs", "somebody changed a file at the same time", [path]);
}

/** Checks if an entry seems to be in a state. It reads no content. */
export function looksLike(found: BigIntStats | undefined, state: EntryState): boolean {
  if (found === undefined) return state.kind === "absent";
  switch (state.kind) {
    case "file":
      return (
        found.isFile() &&
        found.size === BigInt(state.bytes) &&
        sameTime(String(found.mtimeNs), state.modified)
      );
    case "folder":
      return found.isDirectory();
    case "link":
      return found.isSymbolicLink() && sameTime(String(found.mtimeNs), state.modified);
    case "other":
      return true;
    case "absent":
      return false;
  }
}

/** Returns undefined for a missing entry. */
export function look(path: string): BigIntStats | undefined {
  return fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

function isSame(one: BigIntStats, other: BigIntStats | undefined): boolean {
  return one.ino === other?.ino && one.dev === other.dev;
}

/** Gives a file a second name. Returns false if the file system has no hard links. */
function isLinked(path: string, second: string): boolean {
  try {
    fs.linkSync(path, second);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === "EPERM" || code === "ENOTSUP" || code === "EOPNOTSUPP" || code === "EMLINK")
      return false;
    throw error;
  }
}
