import type { Kafka, Message, PartitionerArgs, Producer } from "kafkajs";
import { LostBroker } from "../faults.js";
import { requestMs, sendRetry } from "./client.js";
import type { KafkaMessage } from "./record-size.js";

/** Where a batch went. */
export interface Placed {
  readonly partition: number;
  /** Offset of its first message. */
  readonly baseOffset: bigint;
}

/** @param partitionOf asked for each message, and again for another try */
export function createProducer(
  client: Kafka,
  createsTopics: boolean,
  partitionOf: (choice: PartitionerArgs) => number,
): Producer {
  return client.producer({
    idempotent: true,
    allowAutoTopicCreation: createsTopics,
    retry: sendRetry,
    createPartitioner: () => partitionOf,
  });
}

/**
 * Sends messages to one partition.
 *
 * @param partition absent: the producer's to choose
 */
export async function sendTo(
  producer: Producer,
  topic: string,
  partition: number | undefined,
  messages: readonly KafkaMessage[],
): Promise<Placed> {
  const written = await producer.sendBatch({
    acks: -1,
    // The broker gives up on its replicas before its answer is given up here.
    timeout: requestMs - 1000,
    topicMessages: [{ topic, messages: messages.map((each) => prepare(each, partition)) }],
  });
  const [place, ...more] = written;
  // Messages for a partition that is no more are left out without an error.
  if (place?.baseOffset === undefined || more.length > 0)
    throw new LostBroker("UNKNOWN_TOPIC_OR_PARTITION");
  return { partition: place.partition, baseOffset: BigInt(place.baseOffset) };
}

function prepare({ key, value, headers }: KafkaMessage, partition: number | undefined): Message {
  // kafkajs reads headers, and types them as if it wrote them.
  const message: Message = { key, value, headers: headers as Record<string, string | string[]> };
  if (partition !== undefined) message.partition = partition;
  return message;
}
