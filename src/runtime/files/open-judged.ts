/**
 * Opens paths that `judgePath` allowed. Somebody may put a link in place of a folder between the
 * decision and the use. So the parent folder is opened first, the open folder is compared with the
 * decision, and all further steps go through the open folder.
 *
 * On Linux the path `/proc/self/fd/N/name` names an entry of an open folder, whatever happens to the
 * folder's own path. Other systems have no such path. There, `check` compares inodes before and
 * after each step, which detects an exchange and can't prevent it.
 */
import fs from "node:fs/promises";
import { constants } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { JudgedPath } from "./judged-path.js";
import { openRegularHandle } from "./regular-file.js";
import { systemCode } from "./system-code.js";

/** The error for a path that leads elsewhere since it was judged. */
export class PathChanged extends Error {
  override readonly name = "PathChanged";

  constructor() {
    super("the path leads elsewhere since it was checked");
  }
}

/** The open parent folder of a judged path. Close it after use. */
export interface OpenParent {
  /** Name of the path's last part. */
  readonly name: string;
  /** Absolute path of the folder, without links. */
  readonly path: string;
  /** Returns a path that leads to an entry of the open folder. It must not be kept. */
  at(name: string): string;
  /**
   * Checks that the folder is still in its place, on systems that can't go through an open folder.
   *
   * @throws PathChanged
   */
  check(): Promise<void>;
  /** Writes the folder's entries to the disk, if the system can. */
  sync(): Promise<void>;
  /** Closes the folder. */
  close(): Promise<void>;
}

/** A path to open: absolute, without links. */
export type OpenedPath = Pick<JudgedPath, "path"> & Partial<JudgedPath>;

/** Options of opening a parent folder. */
export interface OpenParentOptions {
  /** `true` creates missing folders. */
  readonly create?: boolean;
}

/**
 * Opens the parent folder of a path. The path must not be an allowed folder itself.
 *
 * @throws PathChanged if it leads elsewhere; also the file system's error, such as `ENOENT`
 */
export async function openParent(
  { path }: OpenedPath,
  { create = false }: OpenParentOptions = {},
): Promise<OpenParent> {
  const parent = dirname(path);
  const handle = await openFolder(parent, create);
  return opened(handle, parent, basename(path));
}

/**
 * Opens a judged path as a folder. Its `name` is empty.
 *
 * @throws as `openParent` does
 */
export async function openJudgedFolder({ path }: OpenedPath): Promise<OpenParent> {
  return opened(await openExisting(path), path, "");
}

/** Opens a folder that nobody else can exchange. Its `name` is empty. */
export async function openOwnFolder(path: string): Promise<OpenParent> {
  const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_RDONLY } = constants;
  return opened(await fs.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path, "");
}

/**
 * Opens a folder in an open folder. It follows no link.
 *
 * @throws as `openParent` does
 */
export async function openBelow(parent: OpenParent, name: string): Promise<OpenParent> {
  const path = join(parent.path, name);
  if (!isProcUsed) return opened(await openExisting(path), path, "");
  const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_RDONLY } = constants;
  const handle = await fs.open(parent.at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  return opened(handle, path, "");
}

function opened(handle: fs.FileHandle, path: string, name: string): OpenParent {
  return {
    name,
    path,
    at: (entry) => (isProcUsed ? `/proc/self/fd/${handle.fd}/${entry}` : join(path, entry)),
    check: () => (isProcUsed ? Promise.resolve() : requireSame(handle, path)),
    sync: () => handle.sync().catch(() => undefined),
    close: () => handle.close(),
  };
}

/**
 * Opens a judged path as a regular file for reading. Pipes, devices and sockets are rejected
 * without waiting for them.
 *
 * @throws PathChanged if it leads elsewhere, NotAFile if it is not a regular file; also the file
 * system's error
 */
export async function openJudged(judged: OpenedPath): Promise<fs.FileHandle> {
  const parent = await openParent(judged);
  try {
    return await openEntry(parent, parent.name);
  } finally {
    await parent.close();
  }
}

/**
 * Opens a regular file in an open folder for reading.
 *
 * @throws as `openJudged` does
 */
export async function openEntry(parent: OpenParent, name: string): Promise<fs.FileHandle> {
  await parent.check();
  const handle = await openRegularHandle(parent.at(name), { links: false }).catch(
    (error: unknown) => {
      // The judged path has no links, so this one is new.
      throw systemCode(error) === "ELOOP" ? new PathChanged() : error;
    },
  );
  try {
    await parent.check();
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const isProcUsed = process.platform === "linux";

/** @param create creates missing folders */
async function openFolder(path: string, create: boolean): Promise<fs.FileHandle> {
  try {
    return await openExisting(path);
  } catch (error) {
    if (systemCode(error) !== "ENOENT" || !create || dirname(path) === path) throw error;
  }
  const parent = await openFolder(dirname(path), create);
  try {
    const place = isProcUsed ? `/proc/self/fd/${parent.fd}/${basename(path)}` : path;
    await fs.mkdir(place).catch((error: unknown) => {
      // Another process may have created the folder.
      if (systemCode(error) !== "EEXIST") throw error;
    });
    await parent.sync().catch(() => undefined);
  } finally {
    await parent.close();
  }
  return openExisting(path);
}

async function openExisting(path: string): Promise<fs.FileHandle> {
  const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_RDONLY } = constants;
  const handle = await fs
    .open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    .catch(async (error: unknown) => {
      // A link in the last part: ELOOP, or ENOTDIR on Linux together with O_DIRECTORY.
      throw (await isLink(path)) ? new PathChanged() : error;
    });
  try {
    await requireSame(handle, path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Checks that an open folder is the folder at a path without links. */
async function requireSame(handle: fs.FileHandle, path: string): Promise<void> {
  // Linux knows the path of what is open, so no other process can interfere.
  const real = await (isProcUsed ? fs.readlink(`/proc/self/fd/${handle.fd}`) : fs.realpath(path));
  if (real !== path) throw new PathChanged();
  if (isProcUsed) return;
  const [opened, named] = await Promise.all([
    handle.stat({ bigint: true }),
    fs.lstat(path, { bigint: true }),
  ]);
  if (opened.ino !== named.ino || opened.dev !== named.dev) throw new PathChanged();
}

async function isLink(path: string): Promise<boolean> {
  return (await fs.lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
}
