/**
 * The private folders in which the changes of one call lie until they are applied. Each allowed
 * folder has a numbered folder with four entries: `lower` leads to the allowed folder, `upper`
 * holds what the process changed, `work` belongs to the system, and `merged` is where the view of
 * both is mounted.
 */
import fs from "node:fs";
import { join } from "node:path";
import { removeLockDrafts, takeLock } from "../../../../runtime/files/lock-file.js";
import { makeOwnFolder } from "../../../../runtime/files/own-place.js";
import { makePrivateFolder } from "../../../../runtime/files/private-folder.js";
import { readRegularFile } from "../../../../runtime/files/regular-file.js";
import { removeTree } from "../../../../runtime/files/remove-tree.js";
import { isIn } from "../../../../runtime/files/project-secrets.js";
import {
  layersOfCall,
  layersPath,
  lockOfLayers,
  privateLayers,
  removeLayers,
} from "../../../../runtime/rollback/kept-layers.js";
import type { PlacedCommand } from "../executors/executor.js";

/** The layer of one allowed folder. All paths are absolute. */
export interface Layer {
  /** The allowed folder, without links. */
  readonly lower: string;
  /** Folder of what the process changed. */
  readonly upper: string;
  /** Folder on which the view of both is mounted, in a namespace of its own. */
  readonly merged: string;
}

/** The layers of one call. */
export interface LayerFolder {
  /** Absolute path. */
  readonly path: string;
  readonly layers: readonly Layer[];
  /** Time at which the layers were made, in nanoseconds since 1970. */
  readonly start: bigint;
  /**
   * Keeps the layers, so that `close` leaves them.
   *
   * @param text what `openKept` returns
   * @param untilMs time at which they may be removed, in milliseconds since 1970
   */
  keep(text: string, untilMs: number): void;
  /** Ends the keeping. */
  discard(): void;
  /** Removes the layers unless they are kept, and lets other processes use them. */
  close(): Promise<void>;
}

/** Maximum size of everything that the process of a call changes, in bytes. */
export const maxLayerBytes = 256 * 1024 ** 2;

const privateMode = 0o700;

/**
 * Returns the folder of all layers: that of the project, or a private folder among the temporary
 * files of the system if a process may change the project's folder itself. An upper layer must not
 * lie in a lower one.
 *
 * @throws PlaceTaken if something else has its place; also the file system's error
 */
function folderOfLayers({ directory, write }: Pick<PlacedCommand, "directory" | "write">): string {
  if (!write.some((each) => isIn(each, join(directory, layersPath)))) {
    makeOwnFolder(directory, layersPath, privateMode);
    return join(directory, layersPath);
  }
  const path = privateLayers();
  if (write.some((each) => isIn(each, path)))
    throw new Error("a process that may change the temporary files of the system has no layers");
  makePrivateFolder(path);
  return path;
}

/**
 * Creates the layers of a call, one for each folder that its process may change. It removes what
 * ended processes left behind.
 *
 * @throws as `folderOfLayers` does
 */
export async function createLayers(command: PlacedCommand): Promise<LayerFolder> {
  const all = folderOfLayers(command);
  await removeOld(all);
  const path = join(all, command.callId);
  const lock = takeLock(lockOfLayers(path));
  if (lock.kind === "taken") throw new Error("the layers of a call belong to another process");
  try {
    fs.mkdirSync(path, privateMode);
    foldersOf(command).forEach((lower, at) => createLayer(join(path, String(at)), lower));
    // By the clock of the file system, like the times of the files.
    const start = fs.lstatSync(path, { bigint: true }).ctimeNs;
    return layerFolder(command, { path, start, release: lock.release });
  } catch (error) {
    await removeTree(path);
    lock.release();
    throw error;
  }
}

/**
 * Opens the layers that an earlier call has kept.
 *
 * @param call id of that call
 * @returns undefined if they are gone, or another process uses them
 * @throws as `folderOfLayers` does
 */
export function openKept(
  command: PlacedCommand,
  call: string,
): { readonly folder: LayerFolder; readonly text: string } | undefined {
  const path = layersOfCall(folderOfLayers(command), call);
  if (path === undefined || !fs.existsSync(path)) return undefined;
  const lock = takeLock(lockOfLayers(path));
  if (lock.kind === "taken") return undefined;
  const kept = readKept(path);
  if (kept === undefined) {
    lock.release();
    return undefined;
  }
  // Nobody knows what changed meanwhile, so states are compared, and not times.
  const folder = layerFolder(command, {
    path,
    start: endOfTime,
    release: lock.release,
    isKept: true,
  });
  return { folder, text: kept.text };
}

/** Removes the layers that an earlier call has kept. It never rejects. */
export async function discardKept(command: PlacedCommand, call: string): Promise<void> {
  await removeLayers(folderOfLayers(command), call);
}

const endOfTime = 2n ** 63n;

function foldersOf({ write }: Pick<PlacedCommand, "write">): readonly string[] {
  return [...new Set(write)];
}

interface Held {
  readonly path: string;
  readonly start: bigint;
  readonly release: () => void;
  readonly isKept?: true;
}

function layerFolder(command: PlacedCommand, held: Held): LayerFolder {
  let isKept = held.isKept === true;
  const { path, release, start } = held;
  return {
    path,
    start,
    layers: foldersOf(command).map((lower, at) => ({
      lower,
      upper: join(path, String(at), "upper"),
      merged: join(path, String(at), "merged"),
    })),
    keep(text, untilMs) {
      const kept: Kept = { text, untilMs };
      fs.writeFileSync(join(path, keptName), JSON.stringify(kept), { flag: "wx", mode: 0o600 });
      isKept = true;
    },
    discard() {
      isKept = false;
    },
    async close() {
      if (!isKept) await removeTree(path);
      release();
    },
  };
}

/** File that marks layers as kept. */
const keptName = "kept.json";

interface Kept {
  readonly text: string;
  readonly untilMs: number;
}

function readKept(path: string): Kept | undefined {
  try {
    const file = readRegularFile(join(path, keptName), { links: false }).toString();
    // The file may come from somebody's repository.
    const { text, untilMs } = (JSON.parse(file) ?? {}) as Partial<Kept>;
    return typeof text === "string" && typeof untilMs === "number" ? { text, untilMs } : undefined;
  } catch {
    return undefined;
  }
}

function createLayer(folder: string, lower: string): void {
  fs.mkdirSync(folder, privateMode);
  for (const each of ["upper", "work", "merged"]) fs.mkdirSync(join(folder, each), privateMode);
  looksLike(join(folder, "upper"), lower);
  // A path in the options of a mount must not contain `:` or `,`.
  fs.symlinkSync(lower, join(folder, "lower"));
}

/** The folder of the layer is the folder that the process sees, with its mode and its owner. */
function looksLike(upper: string, lower: string): void {
  const { gid, mode, uid } = fs.statSync(lower);
  if (process.getuid?.() === 0) fs.chownSync(upper, uid, gid);
  fs.chmodSync(upper, mode & 0o7777);
}

/**
 * Removes layers that processes left behind when they were killed, and kept ones after their time.
 * The lock of each call names its process.
 */
async function removeOld(all: string): Promise<void> {
  removeLockDrafts(all);
  const calls = fs
    .readdirSync(all)
    .flatMap((each) => /^([\da-f-]{36})(?:\.lock)?$/.exec(each)?.[1] ?? []);
  for (const call of new Set(calls)) {
    const path = join(all, call);
    if (!isOver(readKept(path))) continue;
    const lock = takeLock(lockOfLayers(path));
    if (lock.kind === "taken") continue;
    if (isOver(readKept(path))) await removeTree(path);
    lock.release();
  }
}

/** Layers that are not kept are over as soon as nobody uses them. */
function isOver(kept: Kept | undefined): boolean {
  return kept === undefined || kept.untilMs <= Date.now();
}
