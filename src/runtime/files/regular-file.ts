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
  const fd = fs.openSync(path, flagsFor(options));
  try {
    if (!fs.fstatSync(fd).isFile()) throw new NotAFile(path);
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

/** The bytes of a regular file. @throws NotAFile, or the file system's error */
export function readRegularFile(path: string, options: ReadOptions = {}): Buffer {
  const fd = openRegularFile(path, options);
  try {
    return fs.readFileSync(fd);
  } finally {
    fs.closeSync(fd);
  }
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
