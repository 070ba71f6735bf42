import type { Name, Publication } from "../../contract.js";

export interface NatsTarget {
  readonly subject: Name;
}

/** A publication to NATS JetStream. */
export type NatsPublication<Message> = Publication<Message, NatsTarget>;

/** A target with opened credentials. */
export interface NatsPlace {
  readonly subject: string;
}

/** Place where NATS JetStream stored a message. */
export interface NatsReceipt {
  /** Stream that takes the subject. */
  readonly stream: string;
  /** Number of the message in the stream. */
  readonly seq: number;
  /**
   * True if the stream already had a message with this idempotency key. Nothing was added then, and
   * `seq` is that message's number.
   */
  readonly duplicate: boolean;
}
