/** Which results a ledger keeps whole, besides the first 500 characters that each record has. */
export interface AttachmentPolicy {
  readonly results: {
    /** Longer ones, as JSON in UTF-8, are noted and not kept; 1 MiB when not given. */
    readonly maxBytes?: number;
    /** They are removed after so many days; kept as long as the records when not given. */
    readonly keepDays?: number;
    /** Only of these, by `skill/tool`; of all when not given. */
    readonly tools?: readonly string[];
  };
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
  /** Undefined when it is not there, or no longer what it was. */
  read(attachment: KeptAttachment): string | undefined | Promise<string | undefined>;
}

export function isKept(attachment: Attachment | undefined): attachment is KeptAttachment {
  return attachment !== undefined && "sha256" in attachment;
}

const defaultMaxBytes = 1024 * 1024;

/** Whether the policy wants results of a tool. */
export function wantsResult(policy: AttachmentPolicy | undefined, toolId: string): boolean {
  return policy !== undefined && (policy.results.tools?.includes(toolId) ?? true);
}

/** Keeps a result by the policy; one that can't be kept stops no call. */
export function attach({ keep, policy }: AttachmentStore, json: string): Attachment {
  const bytes = Buffer.byteLength(json);
  if (bytes > (policy?.results.maxBytes ?? defaultMaxBytes)) return { bytes, omitted: "too-large" };
  try {
    return keep(json);
  } catch {
    return { bytes, omitted: "not-written" };
  }
}
