import { createHash } from "node:crypto";

/** SHA-256 of the text as UTF-8, in hex. */
export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** SHA-256 of the bytes, in hex. */
export function sha256OfBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Number of hex digits of `sha256` that distinguish versions of one thing. */
export const shortLength = 16;

export function shortHash(text: string): string {
  return sha256(text).slice(0, shortLength);
}
