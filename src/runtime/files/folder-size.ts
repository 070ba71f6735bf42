/** The size of folders, which the system doesn't limit. */
import fs from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "./system-code.js";

/** Size that each entry has at least, so that empty files count too. */
const entryBytes = 4096;

/** Returns the size with which a file counts. */
export function countedBytes(bytes: number): number {
  return Math.max(entryBytes, bytes);
}

/** Returns whether folders have more bytes than a limit. A path that is too long counts as more. */
export async function isLargerThan(folders: readonly string[], most: number): Promise<boolean> {
  return (await bytesIn(folders, most)) > most;
}

/**
 * Adds up the sizes of everything in folders.
 *
 * @param most limit above which the counting stops
 * @returns infinity for a path that is too long
 */
export async function bytesIn(folders: readonly string[], most: number): Promise<number> {
  const waiting = [...folders];
  let bytes = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entries = await entriesOf(at);
    if (entries === undefined) return Infinity;
    for (const each of entries) {
      const path = join(at, each.name);
      if (each.isDirectory()) waiting.push(path);
      bytes += countedBytes(each.isFile() ? await sizeOf(path) : 0);
      if (bytes > most) return bytes;
    }
  }
  return bytes;
}

/** A sparse file counts with its whole size, because it is read as if it were full. */
async function sizeOf(path: string): Promise<number> {
  return (await fs.lstat(path).catch(() => undefined))?.size ?? 0;
}

/** Returns undefined for a path that is too long. */
async function entriesOf(folder: string) {
  try {
    return await fs.readdir(folder, { withFileTypes: true });
  } catch (error) {
    // A process may have removed it, or nobody may read it.
    return systemCode(error) === "ENAMETOOLONG" ? undefined : [];
  }
}

/** Pause between two measurements, in milliseconds. */
const pauseMs = 500;

/**
 * Measures folders again and again.
 *
 * @param isTooLarge measures the folders
 * @param exceed called once if they are too large
 * @returns a function that ends the measurements
 */
export function watchSize(isTooLarge: () => Promise<boolean>, exceed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = async (): Promise<void> => {
    const isOver = await isTooLarge();
    if (isStopped) return;
    if (isOver) exceed();
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
