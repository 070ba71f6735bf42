/** Binds what the server keeps to the caller that it belongs to. */
import { hash, randomBytes } from "node:crypto";

/**
 * The tenant and the subject that a kept result or a running call belongs to. Every `Caller` is an
 * `Owner`.
 */
export interface Owner {
  readonly tenant?: string | undefined;
  readonly subject?: string | undefined;
}

/**
 * Returns a digest of an owner. It hashes JSON, so that no tenant and subject together look like
 * another pair.
 *
 * @param names further names that the digest depends on
 */
export function ownerDigest({ subject, tenant }: Owner, ...names: readonly string[]): string {
  return hash("sha256", JSON.stringify([tenant ?? null, subject ?? null, ...names]), "hex");
}

/** Returns a random id of 144 bits, which nobody can guess: letters, digits, `-` and `_`. */
export function randomId(): string {
  return randomBytes(18).toString("base64url");
}
