import fs from "node:fs";
import { NotAFile } from "./regular-file.js";

const { O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDWR, O_TRUNC } = fs.constants;

/**
 * Writes a whole file: to a temporary name beside it, which is renamed once the disk has the
 * content. The caller holds a lock, and made the folder with `makeOwnFolder`. Only the file's owner
 * may read it.
 */
export async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.tmp`;
  const handle = await openToWrite(temporary, O_CREAT | O_TRUNC);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await fs.promises.rename(temporary, path);
}

/**
 * Opens a regular file for reading and writing. It follows no link, and waits for nobody.
 *
 * @param flags flags besides these, such as `O_CREAT`
 * @throws NotAFile if it is not a regular file; also the file system's error
 */
export async function openToWrite(path: string, flags: number): Promise<fs.promises.FileHandle> {
  const all = O_RDWR | O_NOFOLLOW | O_NONBLOCK | flags;
  const handle = await fs.promises.open(path, all, 0o600);
  try {
    if (!(await handle.stat()).isFile()) throw new NotAFile(path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
