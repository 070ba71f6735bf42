/** The size of layers, which the system doesn't limit. */
import fs from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../../../runtime/files/system-code.js";
import type { LayerFolder } from "./place.js";

/** Maximum size of everything that the process of a call changes, in bytes. */
export const maxLayerBytes = 256 * 1024 ** 2;

/** Size that each entry has at least, so that empty files count too. */
const entryBytes = 4096;

/** Pause between two measurements, in milliseconds. */
const pauseMs = 500;

/**
 * Measures layers again and again.
 *
 * @param exceed called once if they are larger than a limit
 * @returns a function that ends the measurements
 */
export function watchSize(
  { layers }: Pick<LayerFolder, "layers">,
  exceed: () => void,
  most = maxLayerBytes,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = async (): Promise<void> => {
    const isLarger = await isLargerThan(
      layers.map(({ upper }) => upper),
      most,
    );
    if (isStopped) return;
    if (isLarger) exceed();
    else wait();
  };
  const wait = (): void => {
    timer = setTimeout(() => void look(), pauseMs);
  };
  wait();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Returns whether folders have more bytes than a limit. A path that is too long counts as more. */
export async function isLargerThan(folders: readonly string[], most: number): Promise<boolean> {
  const waiting = [...folders];
  let bytes = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entries = await entriesOf(at);
    if (entries === undefined) return true;
    for (const each of entries) {
      const path = join(at, each.name);
      if (each.isDirectory()) waiting.push(path);
      bytes += Math.max(entryBytes, each.isFile() ? await sizeOf(path) : 0);
      if (bytes > most) return true;
    }
  }
  return false;
}

/** A sparse file counts with its whole size, because it is read as if it were full. */
async function sizeOf(path: string): Promise<number> {
  return (await fs.promises.lstat(path).catch(() => undefined))?.size ?? 0;
}

/** Returns undefined for a path that is too long. */
async function entriesOf(folder: string): Promise<readonly fs.Dirent[] | undefined> {
  try {
    return await fs.promises.readdir(folder, { withFileTypes: true });
  } catch (error) {
    // The process may have removed it. The list of effects reports what can't be read.
    return systemCode(error) === "ENAMETOOLONG" ? undefined : [];
  }
}
