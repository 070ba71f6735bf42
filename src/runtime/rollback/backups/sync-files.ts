/** Writes many files to the disk. */
import { execFile } from "node:child_process";
import fs from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "../../files/system-code.js";
import type { Breath } from "./breath.js";

/** Number of files from which on the whole file system is synced: one `fsync` takes about 1 ms. */
const many = 24;

/**
 * Writes files and folders to the disk. For many of them, one sync of the file system is faster.
 * Node.js has no function for that, so the program `sync` does it, if it is there.
 *
 * @param paths paths of files and folders; missing ones are fine
 * @throws the file system's error
 */
export async function syncFiles(paths: readonly string[], breath: Breath): Promise<void> {
  if (paths.length >= many && process.platform === "linux" && (await areSynced(paths))) return;
  for (const path of paths) {
    await breath.take();
    syncOne(path);
  }
}

/** Syncs the file systems of paths. */
async function areSynced(paths: readonly string[]): Promise<boolean> {
  const systems = new Map<number, string>();
  for (const path of paths) {
    const found = fs.lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined) systems.set(found.dev, dirname(path));
  }
  for (const folder of systems.values()) if (!(await isSynced(folder))) return false;
  return true;
}

function syncOne(path: string): void {
  let fd: number;
  try {
    fd = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0));
  } catch {
    // It is a link, it is missing, or it may not be read. Only its folder can be synced then.
    return;
  }
  try {
    fs.fsyncSync(fd);
  } catch (error) {
    // Not every system can sync a folder.
    if (["EDQUOT", "EIO", "ENOSPC"].includes(systemCode(error) ?? "")) throw error;
  } finally {
    fs.closeSync(fd);
  }
}

/** Returns false if the program is missing, or does not know file systems. */
function isSynced(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile("sync", ["-f", "--", folder], (error) => resolve(error === null));
  });
}
