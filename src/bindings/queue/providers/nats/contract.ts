import type { Name, Publication } from "../../contract.js";

export interface NatsTarget {
  readonly subject: Name;
}

export type NatsPublication<Message> = Publication<Message, NatsTarget>;

/** A target with every credential put in. */
export interface NatsPlace {
  readonly subject: string;
}

/** Where NATS JetStream put a message. */
export interface NatsReceipt {
  /** The stream that takes the subject. */
  readonly stream: string;
  /** The message's number in it. */
  readonly seq: number;
  /**
   * Whether the stream had a message with this idempotency key already: nothing was added, and
   * `seq` is that message's.
   */
  readonly duplicate: boolean;
}
