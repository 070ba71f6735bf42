/** Encrypted texts among the attachments of a ledger. */
import type { Seal } from "../seal.js";
import type { AttachmentStore, KeptAttachment, SealOmission } from "./attachments.js";

/** Media type of an encrypted attachment. */
export const sealedType = "application/vnd.skillc.sealed";

/** The part of a ledger that keeps encrypted texts. */
interface Attachments {
  readonly attachments?: AttachmentStore;
}

/** A text to keep. */
interface SealedText {
  readonly text: string;
  /** Purpose of the text; only the same context opens it. */
  readonly context: string;
  /** Maximum size of the text, in bytes. */
  readonly maxBytes: number;
}

/**
 * Encrypts a text, and keeps it as an attachment. The end record of the call must refer to the
 * attachment, so that the ledger verifies and prunes it. Never throws.
 */
export function keepSealed(
  { attachments }: Attachments,
  seal: Seal | undefined,
  { context, maxBytes, text }: SealedText,
): KeptAttachment | SealOmission {
  if (seal === undefined) return "no-key";
  if (attachments?.keepBytes === undefined) return "no-ledger";
  if (Buffer.byteLength(text) > maxBytes) return "too-large";
  try {
    return attachments.keepBytes(seal.seal(text, context));
  } catch {
    return "not-written";
  }
}

/**
 * Decrypts a kept text.
 *
 * @param what names the text in messages: "the whole request"
 * @throws TypeError if it is missing, or was sealed with another key
 */
export async function openSealed(
  { attachments }: Attachments,
  seal: Seal | undefined,
  {
    context,
    kept,
    what,
  }: { readonly context: string; readonly kept: KeptAttachment; what: string },
): Promise<string> {
  const bytes = await attachments?.readBytes?.(kept);
  if (bytes === undefined)
    throw new TypeError(
      `${what} is not in this ledger: it was removed, or the ledger has not written it yet`,
    );
  if (seal === undefined)
    throw new TypeError(`${what} is encrypted, and governance has no \`key\``);
  try {
    return seal.open(bytes, context);
  } catch {
    throw new TypeError(`${what} was encrypted with another \`key\``);
  }
}
