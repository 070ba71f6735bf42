import { hash } from "node:crypto";

/**
 * Returns the digest of a name, which replaces the name in a shared store. It has a fixed length
 * and reveals nothing. It hashes JSON, because UTF-8 replaces all halves of surrogate pairs by the
 * same character, and callers choose keys.
 */
export function digestOf(name: string): string {
  return hash("sha256", JSON.stringify(name), "base64url");
}

/** Returns the key of a state: a tool's for every tenant, or for one. */
export function stateKey(tool: string, tenant: string | undefined): string {
  return JSON.stringify([tool, tenant ?? null]);
}
