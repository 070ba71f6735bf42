/** The names of files that a change puts beside the file that it changes. Lists leave them out. */
import { createHash, randomBytes } from "node:crypto";

const prefix = ".skillc-";

/** Returns a new name for content that is not in its place yet. */
export function unfinishedName(): string {
  return `${prefix}${randomBytes(9).toString("base64url")}.part`;
}

/**
 * Returns the name of a file's lock. Names that differ only in case or in Unicode's form share a
 * lock, because they are one file on some systems.
 */
export function lockNameOf(name: string): string {
  const folded = name.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
  const digest = createHash("sha256").update(folded).digest("base64url");
  return `${prefix}${digest.slice(0, 12)}.lock`;
}

/** Name of the lock of a folder in which many files change at once. No file has an empty name. */
export const folderLockName = lockNameOf("");

/** Checks if a name is one that `lockNameOf` returns. */
export function isLockName(name: string): boolean {
  return /^\.skillc-[\w-]{12}\.lock$/.test(name);
}

/** Checks if a file belongs to a change, or was left behind by one in a crash. */
export function isBeside(name: string): boolean {
  return /^\.skillc-[\w-]+\.(?:part|lock)(?:\.|$)/.test(name);
}
