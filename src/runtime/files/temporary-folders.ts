/**
 * Temporary folders that tools of one plan, call or trace share: their owner. They are in a private
 * folder of this user among the temporary files of the system. The name of each folder says whose it
 * is, how much it may hold and until when, so that nothing else has to be kept.
 */
import { hash, randomBytes } from "node:crypto";
import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Caller } from "../caller.js";
import { countedBytes } from "./folder-size.js";
import { realFolder } from "./judged-path.js";
import { lockNameOf } from "./names-beside.js";
import { PlaceTaken } from "./own-place.js";
import { isPrivate, makePrivateFolder, privateFolder } from "./private-folder.js";
import { removeTree } from "./remove-tree.js";
import { systemCode } from "./system-code.js";

/** Default size of a temporary folder, in bytes. */
export const usualTemporaryBytes = 16 * 1024 ** 2;

/** Maximum size of all temporary folders of one owner, in bytes. */
export const maxTemporaryBytes = 1024 ** 3;

/** Time after which a temporary folder is removed, in milliseconds. */
const temporaryMs = 3_600_000;

/** Returns whether the time of a folder is over, or further away than any: the clock was put back. */
function isOver({ expiresMs }: TemporaryPlace): boolean {
  const leftMs = expiresMs - Date.now();
  return leftMs <= 0 || leftMs > 2 * temporaryMs;
}

/** A temporary folder. */
export interface TemporaryPlace {
  /** Absolute path, without links. */
  readonly path: string;
  /** Maximum size of everything in the folder, in bytes. */
  readonly bytes: number;
  /** Time at which the folder is removed, in milliseconds since 1970. */
  readonly expiresMs: number;
}

/** The plan, call or trace whose tools share temporary folders. */
export interface TemporaryOwner {
  /** Identifies the owner on this machine, also in another process. */
  readonly key: string;
  /** Id of the call whose end removes the folders; undefined for a run or a trace. */
  readonly call?: string;
}

/** The error for a temporary folder that can't be made, or is full. */
export class TemporaryFault extends Error {
  override readonly name = "TemporaryFault";
  readonly reason: "NO_OWNER" | "NO_SPACE" | "PLACE_TAKEN" | "TEMPORARY_FULL";

  constructor(reason: TemporaryFault["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Returns the key of an owner. Projects, tenants and subjects never share one.
 *
 * @param kind what the id identifies
 */
export function temporaryKey(
  directory: string,
  { subject = null, tenant = null }: { readonly [Key in keyof Caller]?: Caller[Key] | null } = {},
  kind: "call" | "run" | "trace",
  id: string,
): string {
  const parts = [realFolder(directory), tenant, subject, kind, id];
  return hash("sha256", JSON.stringify(parts)).slice(0, 32);
}

/** Returns the folders of an owner that are not over. It follows no link. */
export function temporaryFolders(owner: TemporaryOwner | undefined): readonly TemporaryPlace[] {
  if (owner === undefined) return [];
  return placesOf((key) => key === owner.key).filter(
    // A command may have changed its mode, as `tar` does. The folder around it is private.
    (place) => !isOver(place) && isFolder(place.path),
  );
}

/**
 * Creates a temporary folder.
 *
 * @throws TemporaryFault if it can't be made; also the file system's error
 */
export function createTemporary(owner: TemporaryOwner, wanted: number): TemporaryPlace {
  const bytes = countedBytes(wanted);
  const root = openRoot();
  const promised = temporaryFolders(owner).reduce((sum, each) => sum + each.bytes, 0);
  if (promised + bytes > maxTemporaryBytes)
    throw new TemporaryFault(
      "TEMPORARY_FULL",
      `the temporary folders of its plan, call or trace would have more than ${maxTemporaryBytes} bytes`,
    );
  const { bavail, bsize } = fs.statfsSync(root);
  if (bavail * bsize < bytes)
    throw new TemporaryFault("NO_SPACE", `the system has no space for ${bytes} bytes`);
  const expiresMs = Date.now() + temporaryMs;
  const name = `${owner.key}-${bytes}-${expiresMs}-${randomBytes(8).toString("hex")}`;
  const path = join(root, name);
  fs.mkdirSync(path, 0o700);
  const place = { path, bytes, expiresMs };
  removeLater(owner, place);
  return place;
}

/** Returns the temporary folder at a path; undefined for another path. */
export function temporaryAt(path: string): TemporaryPlace | undefined {
  return dirname(path) === privateFolder(purpose) ? readName(path)?.place : undefined;
}

/** Returns whether a path is in a temporary folder. It is absolute and without links. */
export function isTemporary(path: string): boolean {
  return path.startsWith(join(privateFolder(purpose), "/"));
}

/**
 * Keys of owners whose folders a call of this process removes, by the id of the call. The calls of a
 * handler may have several callers.
 */
const endings = new Map<string, Set<string>>();

/** Returns whether the end of a call removes temporary folders. */
export function isOwner(call: string): boolean {
  return endings.size > 0 && endings.has(call);
}

/** Removes the folders of a call that ends. It never rejects. */
export async function removeAtEnd(call: string): Promise<void> {
  const keys = endings.get(call) ?? [];
  endings.delete(call);
  for (const key of keys) await removeTemporary(key);
}

/** Removes all folders of an owner. It never rejects. */
export function removeTemporary(key: string): Promise<void> {
  return removeAll(placesOf((each) => each === key));
}

/** Removes the folders whose time is over, also those of processes that were killed. */
export function removeOldTemporary(): Promise<void> {
  return removeAll(placesOf(() => true).filter(isOver));
}

async function removeAll(places: readonly TemporaryPlace[]): Promise<void> {
  // A later call removes the folders that stay now, once their time is over.
  await Promise.allSettled(places.map(removeFolder));
}

/** A process that was killed may have left the lock of the folder. */
async function removeFolder({ path }: TemporaryPlace): Promise<void> {
  await removeTree(path);
  fs.rmSync(join(dirname(path), lockNameOf(basename(path))), { force: true });
}

/** The timer keeps no process alive. Without it, a later call removes the folder. */
function removeLater({ call, key }: TemporaryOwner, place: TemporaryPlace): void {
  if (call !== undefined) endings.set(call, (endings.get(call) ?? new Set()).add(key));
  const timer = setTimeout(() => {
    if (call !== undefined) endings.delete(call);
    void removeAll([place]).then(removeOldTemporary);
  }, temporaryMs + 1);
  timer.unref();
}

const purpose = "temporary";

function openRoot(): string {
  const root = privateFolder(purpose);
  try {
    makePrivateFolder(root);
  } catch (error) {
    if (!(error instanceof PlaceTaken)) throw error;
    throw new TemporaryFault(
      "PLACE_TAKEN",
      `\`${root}\` must be a folder that only this user can use: remove what is there`,
    );
  }
  return root;
}

function placesOf(isWanted: (key: string) => boolean): readonly TemporaryPlace[] {
  const root = privateFolder(purpose);
  return namesIn(root).flatMap((name) => {
    const found = readName(join(root, name));
    return found !== undefined && isWanted(found.key) ? [found.place] : [];
  });
}

function isFolder(path: string): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function namesIn(root: string): readonly string[] {
  try {
    return isPrivate(root) ? fs.readdirSync(root) : [];
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}

function readName(
  path: string,
): { readonly key: string; readonly place: TemporaryPlace } | undefined {
  const [, key, bytes, expiresMs] =
    /^([\da-f]{32})-(\d{1,10})-(\d{1,15})-[\da-f]{16}$/.exec(basename(path)) ?? [];
  if (key === undefined) return undefined;
  return { key, place: { path, bytes: Number(bytes), expiresMs: Number(expiresMs) } };
}
