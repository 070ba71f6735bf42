/** Choice of the content that a ledger stores beside its records. */
export interface AttachmentPolicy {
  /**
   * Choice of the results that the ledger stores as a whole. Records contain only the first 500
   * characters of each result.
   */
  readonly results?: {
    /**
     * Maximum size of a result, as bytes of JSON in UTF-8; 1 MiB by default. The ledger records the
     * size of longer results, and doesn't keep them.
     */
    readonly maxBytes?: number;
    /**
     * Number of days after which results are removed. By default they are kept as long as the
     * records.
     */
    readonly keepDays?: number;
    /** Ids (`skill/tool`) of the tools whose results are kept; all tools by default. */
    readonly tools?: readonly string[];
  };
  /**
   * Which bytes it keeps that a process or a step of a call produced: by default 1 MiB of each
   * stream, for 30 days. `false` for none.
   */
  readonly keepBytes?: BytesPolicy | false;
}

/** Produced bytes that are kept, if an application chooses no others. */
const usualBytes: BytesPolicy = { keepDays: 30 };

/** Returns which produced bytes a ledger keeps; undefined for none. */
export function bytesPolicyOf({ keepBytes = usualBytes }: AttachmentPolicy = {}):
  BytesPolicy | undefined {
  return keepBytes === false ? undefined : keepBytes;
}

/** Choice of the produced bytes that a ledger stores. */
export interface BytesPolicy {
  /** Maximum number of bytes of each attachment; 1 MiB by default. */
  readonly maxBytes?: number;
  /** Maximum number of bytes of all attachments of a call; 4 MiB by default. */
  readonly maxCallBytes?: number;
  /**
   * Number of days after which bytes are removed. By default they are kept as long as the records.
   */
  readonly keepDays?: number;
  /** Ids (`skill/tool`) of the tools whose bytes are kept; all tools by default. */
  readonly tools?: readonly string[];
}

/** The entry of an end record for a whole result. */
export type Attachment = KeptAttachment | OmittedAttachment;

/** Reference to an attachment that the ledger keeps. */
export interface KeptAttachment {
  /** SHA-256 of the content, in hexadecimal. It is also the attachment's name. */
  readonly sha256: string;
  /** Size of the content, in bytes. */
  readonly bytes: number;
  /**
   * Folder that holds the attachment, in UTC: the day on which it was kept, or `until-` and the
   * last day of its `keepDays`.
   */
  readonly folder: string;
}

/** Reference to a result that the ledger didn't keep. */
export interface OmittedAttachment {
  /** Size of the content, in bytes. */
  readonly bytes: number;
  /** Why the ledger did not keep the content. */
  readonly omitted: "too-large" | "not-written";
}

/** Why the ledger did not keep an encrypted text. */
export type SealOmission = "no-key" | "no-ledger" | "too-large" | "not-written";

/** Stores content that is too long for a record. */
export interface AttachmentStore {
  /** Which content is kept; undefined for none. */
  readonly policy: AttachmentPolicy | undefined;
  /**
   * Keeps a result. It is stored no later than the next record that is appended, which refers to
   * it.
   *
   * @param json without credentials and masked values
   * @throws if it can't be kept
   */
  keep(json: string): KeptAttachment;
  /**
   * Keeps bytes in the same way. A record may refer to several. A store without this method keeps
   * none.
   *
   * @param bytes without credentials and masked values
   * @throws if they can't be kept
   */
  keepBytes?(bytes: Uint8Array): KeptAttachment;
  /** Returns a kept result; undefined if it is missing or was changed. */
  read(attachment: KeptAttachment): string | undefined | Promise<string | undefined>;
  /** Returns kept bytes; undefined if they are missing or were changed. */
  readBytes?(attachment: KeptAttachment): Uint8Array | undefined | Promise<Uint8Array | undefined>;
}

export function isKept<Given extends object>(
  attachment: Given | undefined,
): attachment is Given & KeptAttachment {
  return attachment !== undefined && "sha256" in attachment;
}

const defaultMaxBytes = 1024 * 1024;

/** Returns whether the policy keeps results of a tool. */
export function wantsResult(policy: AttachmentPolicy | undefined, toolId: string): boolean {
  const results = policy?.results;
  return results !== undefined && (results.tools?.includes(toolId) ?? true);
}

/** Keeps a result by the policy. A failure doesn't stop the call. */
export function attach(store: AttachmentStore, json: string): Attachment {
  const bytes = Buffer.byteLength(json);
  if (bytes > (store.policy?.results?.maxBytes ?? defaultMaxBytes))
    return { bytes, omitted: "too-large" };
  try {
    return store.keep(json);
  } catch {
    return { bytes, omitted: "not-written" };
  }
}
