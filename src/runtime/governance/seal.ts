/** AES-256-GCM: `nonce (12) | tag (16) | text`. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Authenticated encryption of what a store keeps. */
export interface Seal {
  /** @param context what the text belongs to: it opens with the same alone */
  seal(text: string, context: string): Uint8Array;
  /** @throws when it is another's, or was changed */
  open(sealed: Uint8Array, context: string): string;
}

const algorithm = "aes-256-gcm";
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * A seal of another key, made of this one: what one of them sealed the other never opens.
 *
 * @throws TypeError for a key of another length
 */
export function deriveSeal(key: Uint8Array | string, purpose: string): Seal {
  const derived = hkdfSync("sha256", secretOf(key), "", `skillc ${purpose}`, keyBytes);
  return createSeal(new Uint8Array(derived));
}

function secretOf(key: Uint8Array | string): Buffer {
  const secret = typeof key === "string" ? Buffer.from(key, "base64") : Buffer.from(key);
  if (secret.length === keyBytes) return secret;
  throw new TypeError(
    `the key that answers are encrypted with has ${keyBytes} bytes: as text, in base64`,
  );
}

/**
 * @param key 32 bytes; as text, in base64
 * @throws TypeError for a key of another length
 */
export function createSeal(key: Uint8Array | string): Seal {
  const secret = secretOf(key);
  return {
    seal(text, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, secret, nonce);
      cipher.setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv(algorithm, secret, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const text = decipher.update(bytes.subarray(nonceBytes + tagBytes));
      return Buffer.concat([text, decipher.final()]).toString("utf8");
    },
  };
}
