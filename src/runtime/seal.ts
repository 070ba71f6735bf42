/** AES-256-GCM: `nonce (12) | tag (16) | text`. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Authenticated encryption of stored texts. */
export interface Seal {
  /**
   * Encrypts a text.
   *
   * @param context purpose of the text; only the same context opens it
   */
  seal(text: string, context: string): Uint8Array;
  /**
   * Decrypts a text.
   *
   * @throws if the text was sealed with another key or context, or was changed
   */
  open(sealed: Uint8Array, context: string): string;
}

const algorithm = "aes-256-gcm";
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Returns the bytes of a key.
 *
 * @param key 32 bytes, or their base64 text
 * @param owner part of the runtime that the key is for, in messages
 * @throws TypeError if the key has another length
 */
export function readKey(key: Uint8Array | string, owner = "governance"): Uint8Array {
  const secret = typeof key === "string" ? Buffer.from(key, "base64") : Buffer.from(key);
  if (secret.length === keyBytes) return secret;
  throw new TypeError(`the \`key\` of ${owner} must be ${keyBytes} bytes, as text in base64`);
}

/**
 * Returns the bytes of the key of a store that keeps everything encrypted.
 *
 * @param owner name of the function that the application called, in messages
 * @param what what the store encrypts, in messages, such as `runs`
 * @throws TypeError if the key is missing or has another length
 */
export function requireKey(
  key: Uint8Array | string | undefined,
  owner: string,
  what: string,
): Uint8Array {
  if (key === undefined || key.length === 0)
    throw new TypeError(
      `\`key\` of \`${owner}\` is missing: ${what} are stored encrypted. Set it to 32 random bytes, as text in base64 (\`openssl rand -base64 32\`), that all processes share`,
    );
  return readKey(key, `\`${owner}\``);
}

/**
 * Returns a name of a key, which shows whether two processes have the same key and nothing else.
 *
 * @param secret a key from `readKey`
 */
export function keyName(secret: Uint8Array, purpose: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "", `skillc ${purpose} name`, 6)).toString("hex");
}

/** Returns the part of a sealed text that differs in every sealed text. */
export function tagOf(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(nonceBytes, nonceBytes + tagBytes)).toString("base64");
}

/**
 * Makes a seal with a key derived for another purpose. Neither seal opens texts of the other.
 *
 * @param secret a key from `readKey`
 */
export function deriveSeal(secret: Uint8Array, purpose: string): Seal {
  return createSeal(deriveKey(secret, purpose));
}

/**
 * Derives a key of 32 bytes for another purpose. It gives nothing of the secret away.
 *
 * @param secret a key from `readKey`
 */
export function deriveKey(secret: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", `skillc ${purpose}`, keyBytes));
}

/**
 * Makes a seal.
 *
 * @param secret a key from `readKey`
 */
export function createSeal(secret: Uint8Array): Seal {
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
