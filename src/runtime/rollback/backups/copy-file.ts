/** Copies and digests open files of any size, piece by piece. */
import { createHash } from "node:crypto";
import fs from "node:fs";
import { systemCode } from "../../files/system-code.js";
import type { Breath } from "./breath.js";

/** Size and digest of a content. */
export interface ContentFacts {
  readonly bytes: number;
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
}

const pieceBytes = 256 * 1024;
const zeros = Buffer.alloc(pieceBytes);
/** Every piece is used before another part of the program runs, so all files share its memory. */
const piece = Buffer.alloc(pieceBytes);

/** Digests an open file from its beginning. */
export function digestFile(fd: number, breath: Breath): Promise<ContentFacts> {
  return passOver(fd, undefined, breath);
}

/**
 * Copies an open file into a new one, which only the owner may read. The copy shares its blocks with
 * the original if the file system can do that; else holes stay holes.
 *
 * @param target path of the new file
 * @returns facts of the copy, which is not synced yet
 * @throws the file system's error. The new file may be left behind then.
 */
export async function copyFile(fd: number, target: string, breath: Breath): Promise<ContentFacts> {
  const { size } = fs.fstatSync(fd);
  if (size > pieceBytes && isCloned(fd, target)) {
    const clone = fs.openSync(target, "r");
    try {
      return await digestFile(clone, breath);
    } finally {
      fs.closeSync(clone);
    }
  }
  const copy = fs.openSync(target, "wx", 0o600);
  try {
    return await passOver(fd, copy, breath);
  } finally {
    fs.closeSync(copy);
  }
}

/** Clones a large file. Returns false if the file system can't. */
function isCloned(fd: number, target: string): boolean {
  if (process.platform !== "linux") return false;
  const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE } = fs.constants;
  try {
    fs.copyFileSync(`/proc/self/fd/${fd}`, target, COPYFILE_EXCL | COPYFILE_FICLONE_FORCE);
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw error;
    return false;
  }
  fs.chmodSync(target, 0o600);
  return true;
}

async function passOver(
  fd: number,
  target: number | undefined,
  breath: Breath,
): Promise<ContentFacts> {
  const hash = createHash("sha256");
  // What somebody appends meanwhile is not part of the copy, so that reading ends.
  const { size } = fs.fstatSync(fd);
  let bytes = 0;
  while (bytes < size) {
    const length = fs.readSync(fd, piece, 0, Math.min(piece.length, size - bytes), bytes);
    if (length === 0) break;
    const read = piece.subarray(0, length);
    hash.update(read);
    if (target !== undefined && !isHole(read)) writeAt(target, read, bytes);
    bytes += length;
    if (bytes < size) await breath.take();
  }
  if (target !== undefined) fs.ftruncateSync(target, bytes);
  return { bytes, sha256: hash.digest("hex") };
}

function isHole(piece: Buffer): boolean {
  return piece.length === pieceBytes && piece.equals(zeros);
}

function writeAt(fd: number, piece: Buffer, offset: number): void {
  for (let done = 0; done < piece.length;)
    done += fs.writeSync(fd, piece, done, piece.length - done, offset + done);
}
