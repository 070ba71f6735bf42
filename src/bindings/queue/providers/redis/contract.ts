import type { Name, Publication } from "../../contract.js";

export interface RedisTarget {
  readonly stream: Name;
  /** Approximate maximum number of entries in the stream. Older entries are removed. */
  readonly maxlen?: number;
}

/** A publication to Redis Streams. */
export type RedisPublication<Message> = Publication<Message, RedisTarget>;

/** A target with opened credentials. */
export interface RedisPlace {
  readonly stream: string;
  readonly maxLength?: number | undefined;
}

/** Place where Redis stored a message. */
export interface RedisReceipt {
  /** Stream of the entry. */
  readonly stream: string;
  /** Id of the entry. */
  readonly id: string;
  /**
   * Set if the idempotency key was already used, by another call or an earlier attempt. Nothing was
   * added then, and `id` is that entry's.
   */
  readonly repeated?: true;
}
