import type { Name, Publication } from "../../contract.js";

export interface RedisTarget {
  readonly stream: Name;
  /** About how many entries the stream keeps; older ones go. */
  readonly maxlen?: number;
}

export type RedisPublication<Message> = Publication<Message, RedisTarget>;

/** A target with every credential put in. */
export interface RedisPlace {
  readonly stream: string;
  readonly maxLength?: number | undefined;
}

/** Where Redis put a message. */
export interface RedisReceipt {
  readonly stream: string;
  readonly id: string;
  /**
   * The idempotency key was there, from another call or an earlier attempt of this one: nothing was
   * added, and `id` is that entry's.
   */
  readonly repeated?: true;
}
