import kafkajs from "kafkajs";
import type { Kafka, Message, PartitionMetadata, Producer } from "kafkajs";
import { LostBroker } from "../faults.js";
import { createClient, requestMs, sendRetry } from "./client.js";
import { ConnectLimit } from "./connect-limit.js";
import type { Delivery } from "./delivery.js";
import { createPatience, type Patience } from "./patience.js";
import type { KafkaMessage } from "./record-size.js";
import type { Produce } from "./repair.js";
import type { KafkaSettings } from "./settings.js";
import { createSockets, type Sockets } from "./sockets.js";
import { isPassing, persist, worthOf } from "./tries.js";

export interface SessionOptions {
  readonly settings: KafkaSettings;
  readonly topic: string;
  /** When it has to be open (`performance.now()`). */
  readonly until: number;
  /** The topic's partitions, when the cluster has named them anew, and the one that was chosen for a message. */
  readonly onPartitions: (partitions: PartitionMetadata[], chosen: number) => void;
  /** A connection ended. */
  readonly onLost: () => void;
}

export interface Sending {
  readonly messages: readonly KafkaMessage[];
  /** Absent: the partition of the only message is chosen here. */
  readonly partition: number | undefined;
  readonly delivery: Delivery;
  /** When it is tried for the last time. */
  readonly until: number;
}

/** Where a batch went. */
export interface Placed {
  readonly partition: number;
  /** Offset of its first message. */
  readonly baseOffset: bigint;
}

/** The partition of a message with a key, as Kafka's own clients choose it; some partition for one without. */
export const choosePartition = kafkajs.Partitioners.DefaultPartitioner();

/** Of the time to open in: what passes is told by its name before that is over. */
const openShare = 0.9;

/**
 * One idempotent producer, for one topic, and its connections. kafkajs gives a failed message's sequence number to the next one, which the
 * broker then takes for a repetition and drops if the failed one had arrived after all: so a session that failed once sends nothing more, and no
 * partition of a session has two sends under way.
 */
export class Session {
  /** Resolves when it can send. */
  readonly opened: Promise<void>;
  readonly #topic: string;
  readonly #limit: ConnectLimit;
  readonly #sockets: Sockets;
  readonly #patience: Patience;
  readonly #producer: Producer;
  readonly #closing = new AbortController();
  /** By the first message of each. */
  readonly #deliveries = new WeakMap<object, Delivery>();

  constructor(options: SessionOptions) {
    const { settings, topic, until, onLost } = options;
    this.#topic = topic;
    this.#limit = new ConnectLimit(settings.brokers.length, until);
    this.#sockets = createSockets(this.#limit, onLost);
    this.#patience = createPatience(this.#sockets.reset);
    const client = createClient(settings, this.#sockets, this.#produce);
    this.#producer = createProducer(client, options);
    this.opened = this.#open();
  }

  /** Sends messages to one partition; all are written, or none. What is known of them when it fails is the delivery's to say. */
  send({ messages, partition, delivery, until }: Sending): Promise<Placed> {
    this.#limit.extend(until);
    const prepared = messages.map((each) => prepare(each, partition));
    if (prepared[0] !== undefined) this.#deliveries.set(prepared[0], delivery);
    const work = () => this.#patience.within(sendTo(this.#producer, this.#topic, prepared));
    return persist(work, { until, signal: this.#closing.signal }, worthOf(delivery));
  }

  /** While nothing is under way it doesn't keep the process alive. */
  keepAlive(isNeeded: boolean): void {
    this.#sockets.keepAlive(isNeeded);
  }

  /** To be called now and then: connections that bring no answers are made anew. */
  check(): void {
    this.#patience.check();
  }

  /** Ends all connections at once, and what is under way with them. */
  close(): void {
    this.#closing.abort();
    this.#sockets.close();
    this.#patience.end("closed");
  }

  async #open(): Promise<void> {
    const { openMs } = this.#limit;
    const timer = setTimeout(() => this.#patience.end("ETIMEDOUT"), openMs);
    const until = performance.now() + openMs * openShare;
    const work = () => this.#patience.within(this.#producer.connect());
    try {
      await persist(work, { until, signal: this.#closing.signal }, isPassing);
      this.#limit.opened();
    } finally {
      clearTimeout(timer);
    }
  }

  readonly #produce: Produce = (first = {}, make) => {
    const delivery = this.#deliveries.get(first);
    if (delivery === undefined) return make();
    return delivery.request(make, () => this.#sockets.produced);
  };
}

function createProducer(client: Kafka, { settings, onPartitions }: SessionOptions): Producer {
  let last: PartitionMetadata[] | undefined;
  return client.producer({
    idempotent: true,
    allowAutoTopicCreation: settings.createsTopics,
    retry: sendRetry,
    createPartitioner: () => (choice) => {
      // Another try asks again: it must have the same answer for the broker to know a repetition.
      const partition = (choice.message.partition ??= choosePartition(choice));
      if (choice.partitionMetadata !== last) {
        last = choice.partitionMetadata;
        onPartitions(last, partition);
      }
      return partition;
    },
  });
}

async function sendTo(producer: Producer, topic: string, messages: Message[]): Promise<Placed> {
  const written = await producer.sendBatch({
    acks: -1,
    // The broker gives up on its replicas before its answer is given up here.
    timeout: requestMs - 1000,
    topicMessages: [{ topic, messages }],
  });
  const [place, ...more] = written;
  // Messages for a partition that is no more are left out without an error.
  if (place?.baseOffset === undefined || more.length > 0)
    throw new LostBroker("UNKNOWN_TOPIC_OR_PARTITION");
  return { partition: place.partition, baseOffset: BigInt(place.baseOffset) };
}

function prepare({ key, value, headers }: KafkaMessage, partition?: number): Message {
  // kafkajs reads headers, and types them as if it wrote them.
  const message: Message = { key, value, headers: headers as Record<string, string | string[]> };
  if (partition !== undefined) message.partition = partition;
  return message;
}
