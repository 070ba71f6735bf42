import fs from "node:fs";

/**
 * Opening what somebody else may have put there. A pipe waits for its other end, a device may never
 * end, a terminal waits for a person: only a regular file is read, and opening waits for nothing.
 * The open file is looked at, not its name, so that nothing can take its place in between.
 */
export class NotAFile extends Error {
  override readonly name = "NotAFile";
  readonly code = "ENOTFILE";
  /** As errors of the file system have it: callers treat the two alike. */
  readonly syscall = "open";

  constructor(path: string) {
    super(`${path} is not a regular file`);
  }
}

export interface ReadOptions {
  /** `false`: a link is refused too, wherever it leads. Links are followed when not given. */
  readonly links?: false;
}

/** Windows has neither flag, and no such pipes. */
function flagsFor({ links }: ReadOptions): number {
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants;
  return O_RDONLY | O_NONBLOCK | (links === false ? O_NOFOLLOW : 0);
}

/** @throws NotAFile, or the file system's error */
export function openRegularFile(path: string, options: ReadOptions = {}): number {
  return openFile(path, options).fd;
}

/** A regular file, open, and how many bytes it had then. */
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

/** The bytes of a regular file. @throws NotAFile, or the file system's error */
export function readRegularFile(path: string, options: ReadOptions = {}): Buffer {
  return readUpTo(path, Infinity, options) ?? Buffer.alloc(0);
}

/**
 * The same, unless the file is larger than that: then undefined.
 *
 * @param most bytes
 * @throws NotAFile, or the file system's error
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

/** One read for most files. One that says nothing of its size, as in `/proc`, is read to its end. */
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

/** The same for those who can wait. */
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
