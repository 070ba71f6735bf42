import type { Name, Publication, Text } from "../../contract.js";

export interface KafkaTarget {
  readonly topic: Name;
  /** Messages of one key stay in order. Absent or null: any partition. */
  readonly key?: Text | null | undefined;
}

export type KafkaPublication<Message> = Publication<Message, KafkaTarget>;

/** A target with every credential put in. */
export interface KafkaPlace {
  readonly topic: string;
  readonly key?: string | undefined;
}

/** Where Kafka put a message. */
export interface KafkaReceipt {
  readonly topic: string;
  readonly partition: number;
  /** Digits. */
  readonly offset: string;
}
