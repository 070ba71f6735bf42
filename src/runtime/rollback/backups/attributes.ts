/** Sets owners, permissions and times. */
import fs from "node:fs";
import { systemCode } from "../../files/system-code.js";
import { type FolderState, type FileState, type LinkState, secondsOf } from "./entry-state.js";

/** Bits that run a program as its owner or group. */
const setIdBits = 0o6000;

/**
 * Sets the attributes of an open file or folder.
 *
 * @returns false if the process may not set the owner. The bits that run a program as its owner are
 *   left out then.
 * @throws the file system's error
 */
export function setAttributes(fd: number, state: FileState | FolderState): boolean {
  const isOwned = isChowned(fs.fstatSync(fd), state, () => fs.fchownSync(fd, state.uid, state.gid));
  fs.fchmodSync(fd, isOwned ? state.mode : state.mode & ~setIdBits);
  const seconds = secondsOf(state.modified);
  fs.futimesSync(fd, seconds, seconds);
  return isOwned;
}

/**
 * Sets the attributes of a link itself.
 *
 * @returns false if the process may not set the owner
 * @throws the file system's error
 */
export function setLinkAttributes(path: string, state: LinkState): boolean {
  const isOwned = isChowned(fs.lstatSync(path), state, () =>
    fs.lchownSync(path, state.uid, state.gid),
  );
  const seconds = secondsOf(state.modified);
  fs.lutimesSync(path, seconds, seconds);
  return isOwned;
}

function isChowned(
  now: { readonly uid: number; readonly gid: number },
  { gid, uid }: { readonly uid: number; readonly gid: number },
  chown: () => void,
): boolean {
  if (now.uid === uid && now.gid === gid) return true;
  try {
    chown();
    return true;
  } catch (error) {
    if (systemCode(error) !== "EPERM") throw error;
    return false;
  }
}

/**
 * Opens a file or folder to set its attributes, and follows no link.
 *
 * @throws the file system's error
 */
export function withOpen<Result>(path: string, run: (fd: number) => Result): Result {
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants;
  const fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    return run(fd);
  } finally {
    fs.closeSync(fd);
  }
}
