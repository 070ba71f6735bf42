/**
 * Digests of requests and keys in places that others may read: the store, the ledger, errors and
 * events. A plain hash of a text with few possible values can be reversed by trying all values, so
 * all digests follow one rule.
 *
 * If a tool masks none of its parameters, the ledger shows the hashed text anyway. The digest is
 * SHA-256, the same in every process. If a tool masks parameters, the digest is HMAC-SHA-256 with a
 * key derived from the application's `key`, the same in processes that share the key. Without a
 * `key`, a random key of this process is used: nobody can reverse the digest, and no other process
 * can compare it.
 */
import { createHmac, hash, hkdfSync, randomBytes } from "node:crypto";
import type { AnyTool } from "../call/call.js";

export type Purpose = "request" | "idempotency key";

/**
 * Returns the digest of a text that contains parameters of the tool's call: 43 characters in
 * base64url.
 */
export type DigestOf = (
  tool: Pick<AnyTool, "maskedParams">,
  purpose: Purpose,
  text: string,
) => string;

const digestBytes = 32;
const processKey = randomBytes(digestBytes);

/**
 * Makes the function that computes digests.
 *
 * @param key the application's key; undefined if it has none
 */
export function createDigests(key: Uint8Array | undefined): DigestOf {
  const keys = new Map<Purpose, Buffer>();
  const keyFor = (purpose: Purpose): Buffer => {
    let derived = keys.get(purpose);
    if (derived === undefined) {
      const info = `skillc governance digest: ${purpose}`;
      derived = Buffer.from(hkdfSync("sha256", key ?? processKey, "", info, digestBytes));
      keys.set(purpose, derived);
    }
    return derived;
  };
  return ({ maskedParams }, purpose, text) =>
    maskedParams === undefined || maskedParams.length === 0
      ? hash("sha256", text, "base64url")
      : createHmac("sha256", keyFor(purpose)).update(text).digest("base64url");
}
