import type { Kafka, Message, PartitionerArgs, PartitionMetadata, Producer } from "kafkajs";
import { LostBroker } from "../../../send/failures.js";
import type { KafkaMessage } from "./message.js";
import { createClient, requestMs, sendRetry } from "./client.js";
import { Deliveries, type Delivery } from "./deliveries.js";
import type { KafkaSettings } from "./settings.js";
import { createSockets, type Sockets } from "./sockets.js";
import { createDeadlines, isPassing, type Deadlines, persist, worthOf } from "./tries.js";

export interface ProducerOptions {
  readonly settings: KafkaSettings;
  readonly topic: string;
  /** Time by which it must be open (`performance.now()`). */
  readonly until: number;
  /** Called when the cluster has listed the topic's partitions. */
  readonly onPartitions: (partitions: PartitionMetadata[]) => void;
  /** Chooses the partition of a message that is sent without one. */
  readonly choose: (key: KafkaMessage["key"], partitions: PartitionMetadata[]) => number;
  /** Called when a connection ends. */
  readonly onLost: () => void;
}

export interface Sending {
  readonly messages: readonly KafkaMessage[];
  readonly delivery: Delivery;
  /** Time of the last try (`performance.now()`). */
  readonly until: number;
}

/**
 * Share of the time for opening. A passing error is reported by its own name before that time is
 * over.
 */
const openShare = 0.9;

/**
 * One idempotent producer for one topic, with its connections. kafkajs reuses the sequence number
 * of a failed message for the next message. If the failed message did arrive, the broker takes the
 * next one for a repetition and drops it. So a session that failed once sends nothing more, and
 * each partition of a session has at most one send under way.
 */
export class IdempotentProducer {
  /** Resolves when the producer can send. */
  readonly opened: Promise<void>;
  readonly #options: ProducerOptions;
  readonly #limit: ConnectLimit;
  readonly #sockets: Sockets;
  readonly #deadlines: Deadlines;
  readonly #deliveries: Deliveries;
  readonly #producer: Producer;
  readonly #closing = new AbortController();
  #partitions: PartitionMetadata[] | undefined;

  constructor(options: ProducerOptions) {
    const { settings, until, onLost } = options;
    this.#options = options;
    this.#limit = new ConnectLimit(settings.brokers.length, until);
    this.#sockets = createSockets(this.#limit, onLost);
    this.#deadlines = createDeadlines(this.#sockets.reset);
    this.#deliveries = new Deliveries(() => this.#sockets.produced);
    const { kafka, isRepaired } = createClient(settings, this.#sockets, this.#deliveries.request);
    if (!isRepaired) this.#deliveries.lose();
    this.#producer = createProducer(kafka, settings.createsTopics, this.#partitionOf);
    this.opened = this.#open();
  }

  /** Starts a delivery. Without a partition, one is chosen when the message is sent. */
  deliver(partition: number | undefined): Delivery {
    return this.#deliveries.start(partition);
  }

  /**
   * Sends messages to one partition. Either all are written or none. After a failure, the delivery
   * knows whether they were written.
   */
  send({ messages, delivery, until }: Sending): Promise<BatchPosition> {
    this.#limit.extend(until);
    const send = () => sendTo(this.#producer, this.#options.topic, delivery.partition, messages);
    const work = () => this.#deadlines.within(send);
    return persist(work, { until, signal: this.#closing.signal }, worthOf(delivery));
  }

  /** Keeps the process alive only while something is under way. */
  keepAlive(isNeeded: boolean): void {
    this.#sockets.keepAlive(isNeeded);
  }

  /** Renews connections that bring no answers. Call it regularly. */
  check(): void {
    this.#deadlines.check();
  }

  /** Ends all connections and sends at once. */
  close(): void {
    this.#closing.abort();
    this.#sockets.close();
    this.#deadlines.end("closed");
  }

  async #open(): Promise<void> {
    const { openMs } = this.#limit;
    const timer = setTimeout(() => this.#deadlines.end("ETIMEDOUT"), openMs);
    const until = performance.now() + openMs * openShare;
    const work = () => this.#deadlines.within(() => this.#producer.connect());
    try {
      await persist(work, { until, signal: this.#closing.signal }, isPassing);
      this.#limit.opened();
    } finally {
      clearTimeout(timer);
    }
  }

  readonly #partitionOf = ({ message, partitionMetadata }: PartitionerArgs): number => {
    if (partitionMetadata !== this.#partitions) {
      this.#partitions = partitionMetadata;
      this.#options.onPartitions(partitionMetadata);
    }
    // kafkajs asks again for each try. The partition must stay the same, so that the broker
    // recognizes a repetition.
    return (message.partition ??= this.#place(message, partitionMetadata));
  };

  #place({ key = null }: Message, partitions: PartitionMetadata[]): number {
    const bytes = typeof key === "string" ? Buffer.from(key) : key;
    const partition = this.#options.choose(bytes, partitions);
    this.#deliveries.place(partition);
    return partition;
  }
}

/** The partition and offset of a written batch. */
export interface BatchPosition {
  readonly partition: number;
  /** Offset of its first message. */
  readonly baseOffset: bigint;
}

/** @param partitionOf called for each message, and again for each further try */
function createProducer(
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
 * @param partition if absent, the producer chooses
 */
async function sendTo(
  producer: Producer,
  topic: string,
  partition: number | undefined,
  messages: readonly KafkaMessage[],
): Promise<BatchPosition> {
  const written = await producer.sendBatch({
    acks: -1,
    // The broker must give up on its replicas before we give up on the broker.
    timeout: requestMs - 1000,
    topicMessages: [{ topic, messages: messages.map((each) => prepare(each, partition)) }],
  });
  const [place, ...more] = written;
  // kafkajs silently skips messages for a partition that no longer exists.
  if (place?.baseOffset === undefined || more.length > 0)
    throw new LostBroker("UNKNOWN_TOPIC_OR_PARTITION");
  return { partition: place.partition, baseOffset: BigInt(place.baseOffset) };
}

function prepare({ key, value, headers }: KafkaMessage, partition: number | undefined): Message {
  // kafkajs only reads headers, but its types allow it to change them.
  const message: Message = { key, value, headers: headers as Record<string, string | string[]> };
  if (partition !== undefined) message.partition = partition;
  return message;
}

/** Maximum time for a broker to accept a connection and to answer on it. */
const maxMs = 5000;

/** Time limit for the connections of a session. */
class ConnectLimit {
  /** Time that the session has to open, in milliseconds. */
  readonly openMs: number;
  readonly #brokers: number;
  #until: number;
  #isOpen = false;

  /**
   * @param brokers number of brokers that may be asked, one after the other
   * @param until time by which the session must be open (`performance.now()`)
   */
  constructor(brokers: number, until: number) {
    this.#brokers = brokers;
    this.#until = until;
    this.openMs = Math.min(maxMs * brokers, leftUntil(until));
  }

  /** Time limit for the first answer on a connection that begins now. */
  get ms(): number {
    if (!this.#isOpen) return this.openMs / this.#brokers;
    return Math.min(maxMs, leftUntil(this.#until));
  }

  opened(): void {
    this.#isOpen = true;
  }

  /** Extends the limit for a caller that waits until then. */
  extend(until: number): void {
    this.#until = Math.max(this.#until, until);
  }
}

function leftUntil(moment: number): number {
  return Math.max(1, moment - performance.now());
}
