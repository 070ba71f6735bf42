/** The folders in which a trial keeps what it would change, until somebody decides about it. */
import fs from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { takeLock } from "../files/lock-file.js";
import { findObstacle } from "../files/own-place.js";
import { isPrivate, privateFolder } from "../files/private-folder.js";
import { removeTree } from "../files/remove-tree.js";
import { systemCode } from "../files/system-code.js";
import type { TrialDetails } from "./trial.js";

/** Folder of all layers, relative to the project's folder. */
export const layersPath = ".skillc/layers";

/** Returns the folder of all layers of commands that may change the project's folder itself. */
export function privateLayers(): string {
  return privateFolder("layers");
}

/**
 * Returns the path of the layers of a call; undefined for an id that no call has. The id may come
 * from a store, which others may write.
 */
export function layersOfCall(folder: string, call: string): string | undefined {
  return /^[\da-f-]{36}$/.test(call) ? join(folder, call) : undefined;
}

/** Returns the path of the lock of layers, which names the process that uses them. */
export function lockOfLayers(path: string): string {
  return `${path}.lock`;
}

/** Removes the layers of a call, unless another process uses them. */
export async function removeLayers(folder: string, call: string): Promise<void> {
  const path = layersOfCall(folder, call);
  if (path === undefined || !fs.existsSync(path)) return;
  const lock = takeLock(lockOfLayers(path));
  if (lock.kind === "taken") return;
  await removeTree(path);
  lock.release();
}

/**
 * Removes the layers of a trial that somebody has denied, if this machine keeps them. Layers that
 * can't be removed stay until their time is over.
 *
 * @param directory the project's folder
 */
export async function discardLayers(
  directory: string,
  trial: Pick<TrialDetails, "call" | "host"> | undefined,
): Promise<void> {
  if (trial?.host !== hostname()) return;
  try {
    // Don't follow a link that came with the project.
    if (findObstacle(directory, layersPath, "folder") === undefined)
      await removeLayers(join(directory, layersPath), trial.call);
    if (isPrivate(privateLayers())) await removeLayers(privateLayers(), trial.call);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}
