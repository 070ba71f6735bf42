import type { Seal } from "../../seal.js";
import { textOfStored } from "./stored-text.js";

/** Purpose of the key that encrypts results. */
export const sealPurpose = "kept results";

/**
 * Decrypts a text; undefined if it was stored with another key, was changed, or belongs elsewhere.
 * Nobody can read such a text, so it is as good as unknown.
 */
export function openText(seal: Seal, sealed: Uint8Array, context: string): string | undefined {
  try {
    return textOfStored(seal.open(sealed, context));
  } catch {
    return undefined;
  }
}
