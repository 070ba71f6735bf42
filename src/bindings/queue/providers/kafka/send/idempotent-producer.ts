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
  /** When it has to be open (`performance.now()`). */
  readonly until: number;
  /** The cluster has named the topic's partitions anew. */
  readonly onPartitions: (partitions: PartitionMetadata[]) => void;
  /** The partition of the message that is sent without one. */
  readonly choose: (key: KafkaMessage["key"], partitions: PartitionMetadata[]) => number;
  /** A connection ended. */
  readonly onLost: () => void;
}

export interface Sending {
  readonly messages: readonly KafkaMessage[];
  readonly delivery: Delivery;
  /** When it is tried for the last time. */
  readonly until: number;
}

/** Of the time to open in: what passes is told by its name before that is over. */
const openShare = 0.9;

/**
 * One idempotent producer, for one topic, and its connections. kafkajs gives a failed message's
 * sequence number to the next one, which the broker then takes for a repetition and drops if the
 * failed one had arrived after all: so a session that failed once sends nothing more, and no
 * partition of a session has two sends under way.
 */
export class IdempotentProducer {
  /** Resolves when it can send. */
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

  /** What is to be sent to a partition; absent: it is chosen when the message is sent. */
  deliver(partition: number | undefined): Delivery {
    return this.#deliveries.start(partition);
  }

  /**
   * Sends messages to one partition; all are written, or none. What is known of them when it fails
   * is the delivery's to say.
   */
  send({ messages, delivery, until }: Sending): Promise<Placed> {
    this.#limit.extend(until);
    const send = () => sendTo(this.#producer, this.#options.topic, delivery.partition, messages);
    const work = () => this.#deadlines.within(send);
    return persist(work, { until, signal: this.#closing.signal }, worthOf(delivery));
  }

  /** While nothing is under way it doesn't keep the process alive. */
  keepAlive(isNeeded: boolean): void {
    this.#sockets.keepAlive(isNeeded);
  }

  /** To be called now and then: connections that bring no answers are made anew. */
  check(): void {
    this.#deadlines.check();
  }

  /** Ends all connections at once, and what is under way with them. */
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
    // Another try asks again: it must have the same answer for the broker to know a repetition.
    return (message.partition ??= this.#place(message, partitionMetadata));
  };

  #place({ key = null }: Message, partitions: PartitionMetadata[]): number {
    const bytes = typeof key === "string" ? Buffer.from(key) : key;
    const partition = this.#options.choose(bytes, partitions);
    this.#deliveries.place(partition);
    return partition;
  }
}

/** Where a batch went. */
export interface Placed {
  readonly partition: number;
  /** Offset of its first message. */
  readonly baseOffset: bigint;
}

/** @param partitionOf asked for each message, and again for another try */
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
 * @param partition absent: the producer's to choose
 */
async function sendTo(
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

/** A broker has no longer to take a connection and to answer on it. */
const maxMs = 5000;

/** How long a session's connections may take. */
class ConnectLimit {
  /** What the session has to open in. */
  readonly openMs: number;
  readonly #brokers: number;
  #until: number;
  #isOpen = false;

  /**
   * @param brokers how many are asked, one after the other, until the session is open
   * @param until when it has to be open (`performance.now()`)
   */
  constructor(brokers: number, until: number) {
    this.#brokers = brokers;
    this.#until = until;
    this.openMs = Math.min(maxMs * brokers, leftUntil(until));
  }

  /** What a connection that begins now has until its first answer is there. */
  get ms(): number {
    if (!this.#isOpen) return this.openMs / this.#brokers;
    return Math.min(maxMs, leftUntil(this.#until));
  }

  opened(): void {
    this.#isOpen = true;
  }

  /** Somebody waits until then. */
  extend(until: number): void {
    this.#until = Math.max(this.#until, until);
  }
}

function leftUntil(moment: number): number {
  return Math.max(1, moment - performance.now());
}
