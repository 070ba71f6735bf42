import type { Name, Publication, Text } from "../../contract.js";

export interface KafkaTarget {
  readonly topic: Name;
  /**
   * Key of the message. Messages with the same key stay in order. Absent or null: any partition.
   */
  readonly key?: Text | null | undefined;
}

/** A publication to Kafka. */
export type KafkaPublication<Message> = Publication<Message, KafkaTarget>;

/** A target with opened credentials. */
export interface KafkaPlace {
  readonly topic: string;
  readonly key?: string | undefined;
}

/** Place where Kafka stored a message. */
export interface KafkaReceipt {
  /** Topic of the message. */
  readonly topic: string;
  /** Partition of the message. */
  readonly partition: number;
  /** Offset in digits. */
  readonly offset: string;
}
