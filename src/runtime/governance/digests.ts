/**
 * What stands for a request, or a key, where others may read it: in the store, the ledger, errors
 * and events. Whoever has a plain hash of few possible texts finds the text by trying them all, so
 * there is one rule for all of these.
 *
 * Where a tool masks none of its parameters, the ledger shows what is hashed: it is SHA-256, which
 * every process gives alike. Where it masks some, it is HMAC-SHA-256 by a key of this purpose, which
 * is derived of the application's `key`: processes that share that give the same. Without one it is
 * derived of a random key of this process, so that nobody can guess, and no other process compare.
 */
import { createHmac, hash, hkdfSync, randomBytes } from "node:crypto";
import type { AnyTool } from "../call/call.js";

export type Purpose = "request" | "idempotency key";

/** Of a text that the parameters of the tool's call are in: 43 characters, in base64url. */
export type DigestOf = (
  tool: Pick<AnyTool, "maskedParams">,
  purpose: Purpose,
  text: string,
) => string;

const digestBytes = 32;
const processKey = randomBytes(digestBytes);

/** @param key the application's; undefined where it has none */
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
