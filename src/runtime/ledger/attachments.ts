/** What a ledger keeps besides its records. */
export interface AttachmentPolicy {
  /** Which results it keeps whole: of each the record has the first 500 characters. */
  readonly results?: {
    /** Longer ones, as JSON in UTF-8, are noted and not kept; 1 MiB when not given. */
    readonly maxBytes?: number;
    /** They are removed after so many days; kept as long as the records when not given. */
    readonly keepDays?: number;
    /** Only of these, by `skill/tool`; of all when not given. */
    readonly tools?: readonly string[];
  };
  /** Which bytes it keeps that a process or a step of a call produced; none when not given. */
  readonly keepBytes?: BytesPolicy;
}

export interface BytesPolicy {
  /** Of each attachment so many bytes are kept; 1 MiB when not given. */
  readonly maxBytes?: number;
  /** Of all attachments of a call; 4 MiB when not given. */
  readonly maxCallBytes?: number;
  /** They are removed after so many days; kept as long as the records when not given. */
  readonly keepDays?: number;
  /** Only of these, by `skill/tool`; of all when not given. */
  readonly tools?: readonly string[];
}

/** What an end record says of a whole result. */
export type Attachment = KeptAttachment | OmittedAttachment;

export interface KeptAttachment {
  /** Of its bytes, in hexadecimal: its name. */
  readonly sha256: string;
  readonly bytes: number;
  /**
   * The folder that holds it: the day on which it was kept, or `until-` and the last day on which
   * it is. In UTC.
   */
  readonly folder: string;
}

export interface OmittedAttachment {
  readonly bytes: number;
  readonly omitted: "too-large" | "not-written";
}

/** Where a store keeps what is too long for a record. */
export interface AttachmentStore {
  /** None: nothing is kept. */
  readonly policy: AttachmentPolicy | undefined;
  /**
   * It is there when the record is that is appended next, which names it.
   *
   * @param json without anything secret
   * @throws when it can't be kept
   */
  keep(json: string): KeptAttachment;
  /**
   * The same for bytes, of which a record may name several. A store without it keeps none.
   *
   * @param bytes without anything secret
   * @throws when they can't be kept
   */
  keepBytes?(bytes: Uint8Array): KeptAttachment;
  /** Undefined when it is not there, or no longer what it was. */
  read(attachment: KeptAttachment): string | undefined | Promise<string | undefined>;
  /** The same of what `keepBytes` was given. */
  readBytes?(attachment: KeptAttachment): Uint8Array | undefined | Promise<Uint8Array | undefined>;
}

export function isKept<Given extends object>(
  attachment: Given | undefined,
): attachment is Given & KeptAttachment {
  return attachment !== undefined && "sha256" in attachment;
}

const defaultMaxBytes = 1024 * 1024;

/** Whether the policy wants results of a tool. */
export function wantsResult(policy: AttachmentPolicy | undefined, toolId: string): boolean {
  const results = policy?.results;
  return results !== undefined && (results.tools?.includes(toolId) ?? true);
}

/** Keeps a result by the policy; one that can't be kept stops no call. */
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
