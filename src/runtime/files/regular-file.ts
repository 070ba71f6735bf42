import fs from "node:fs";

/**
 * The error for a path that is not a regular file. Somebody else may have put anything there: a
 * pipe waits for its other end, a device may never end, and a terminal waits for a person. So only
 * regular files are read, and opening never waits. The check uses the open file, so that the path
 * can't be exchanged in between.
 */
export class NotAFile extends Error {
  override readonly name = "NotAFile";
  readonly code = "ENOTFILE";
  /** Set like in errors of the file system, because callers handle both alike. */
  readonly syscall = "open";

  constructor(path: string) {
    super(`${path} is not a regular file`);
  }
}

/** Options of reading a file. */
export interface ReadOptions {
  /** `false` rejects links too. By default links are followed. */
  readonly links?: false;
}

/** Returns the flags for opening. Windows has neither flag, and no such pipes. */
function flagsFor({ links }: ReadOptions): number {
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants;
  return O_RDONLY | O_NONBLOCK | (links === false ? O_NOFOLLOW : 0);
}

/**
 * Opens a regular file.
 *
 * @returns the file descriptor
 * @throws NotAFile if it is not a regular file; also the file system's error
 */
export function openRegularFile(path: string, options: ReadOptions = {}): number {
  return openFile(path, options).fd;
}

/** An open regular file, with its size in bytes when it was opened. */
interface OpenFile {
  readonly fd: number;
  readonly size: number;
}

function openFile(path: string, options: ReadOptions): OpenFile {
  const fd = fs.openSync(path, flagsFor(options));
  try {
    const found = fs.fstatSync(fd);
    if (!found.isFile()) throw new NotAFile(path);
    return { fd, size: found.size };
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

/**
 * Reads a regular file.
 *
 * @throws NotAFile if it is not a regular file; also the file system's error
 */
export function readRegularFile(path: string, options: ReadOptions = {}): Buffer {
  return readUpTo(path, Infinity, options) ?? Buffer.alloc(0);
}

/**
 * Reads a regular file; undefined if it is larger than `most`.
 *
 * @param most maximum size, in bytes
 * @throws NotAFile if it is not a regular file; also the file system's error
 */
export function readUpTo(
  path: string,
  most: number,
  options: ReadOptions = {},
): Buffer | undefined {
  const { fd, size } = openFile(path, options);
  try {
    if (size > most) return undefined;
    const bytes = readOpen(fd, size);
    return bytes.length > most ? undefined : bytes;
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Reads an open file, usually with one read. A file that reports no size, as in `/proc`, is read to
 * its end.
 */
function readOpen(fd: number, size: number): Buffer {
  if (size === 0) return fs.readFileSync(fd);
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = fs.readSync(fd, bytes, length, size - length, null);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

/**
 * Opens a regular file asynchronously.
 *
 * @throws NotAFile if it is not a regular file; also the file system's error
 */
export async function openRegularHandle(
  path: string,
  options: ReadOptions = {},
): Promise<fs.promises.FileHandle> {
  const handle = await fs.promises.open(path, flagsFor(options));
  try {
    if (!(await handle.stat()).isFile()) throw new NotAFile(path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
