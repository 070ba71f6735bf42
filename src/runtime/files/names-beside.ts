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

/**
 * Checks if a name is one that a change puts beside a file: unfinished content, a lock, or the draft
 * of a lock. Anybody can give a file such a name, so a copy or a rollback must not leave out a file
 * because of its name alone.
 */
export function isBeside(name: string): boolean {
  return unfinishedForm.test(name) || lockForm.test(name);
}

/** Checks if a name is that of a lock, or of its draft. */
export function isLockOrDraftName(name: string): boolean {
  return lockForm.test(name);
}

const unfinishedForm = /^\.skillc-[\w-]{12}\.part$/;
const lockForm =
  /^\.skillc-[\w-]{12}\.lock(?:\.over-[\da-f]{16})*(?:\.\d+\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})?$/;
