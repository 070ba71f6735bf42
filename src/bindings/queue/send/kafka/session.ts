import kafkajs from "kafkajs";
import type { Message, PartitionMetadata, Producer } from "kafkajs";
import { LostBroker } from "../faults.js";
import { createClient, requestMs, sendRetry } from "./client.js";
import type { KafkaMessage } from "./record-size.js";
import type { KafkaSettings } from "./settings.js";
import { createSockets } from "./sockets.js";

/** Where a batch went. */
export interface Placed {
  readonly partition: number;
  /** Offset of its first message. */
  readonly baseOffset: bigint;
}

/**
 * One idempotent producer, for one topic, and its connections. kafkajs gives a failed message's sequence number to the next one, which the
 * broker then takes for a repetition and drops if the failed one had arrived after all: so a session that failed once sends nothing more, and no
 * partition of a session has two sends under way.
 */
export interface Session {
  /**
   * Sends messages to one partition; all are written, or none.
   *
   * @param partition absent: the partition of the only message is chosen here
   */
  send(messages: readonly KafkaMessage[], partition?: number): Promise<Placed>;
  /** While nothing is under way it doesn't keep the process alive. */
  keepAlive(isNeeded: boolean): void;
  /** To be called now and then: connections that bring no answers are made anew. */
  check(): void;
  /** Ends all connections at once, and what is under way with them. */
  close(): void;
}

export interface SessionEvents {
  /** The topic's partitions as the cluster named them last. */
  readonly onPartitions: (partitions: PartitionMetadata[]) => void;
  /** A connection ended. */
  readonly onLost: () => void;
}

/** The partition of a message with a key, as Kafka's own clients choose it; some partition for one without. */
export const choosePartition = kafkajs.Partitioners.DefaultPartitioner();

/** A session and its start, which can be closed before it is over. */
export interface Opening {
  readonly session: Session;
  /** Resolves when the session can send. */
  readonly opened: Promise<void>;
}

/** @param connectMs the most that a connection may take */
export function openSession(
  settings: KafkaSettings,
  topic: string,
  connectMs: number,
  events: SessionEvents,
): Opening {
  const sockets = createSockets(events.onLost);
  const patience = createPatience(sockets.reset);
  const producer = createClient(settings, sockets, connectMs).producer({
    idempotent: true,
    allowAutoTopicCreation: settings.createsTopics,
    retry: sendRetry,
    createPartitioner: () => (choice) => {
      events.onPartitions(choice.partitionMetadata);
      // A retry asks again: it must have the same answer for the broker to know a repetition.
      choice.message.partition ??= choosePartition(choice);
      return choice.message.partition;
    },
  });
  const session: Session = {
    send: (messages, partition) => patience.within(sendTo(producer, topic, messages, partition)),
    keepAlive: sockets.keepAlive,
    check: patience.check,
    close() {
      sockets.close();
      patience.end();
    },
  };
  return { session, opened: patience.within(producer.connect()) };
}

async function sendTo(
  producer: Producer,
  topic: string,
  messages: readonly KafkaMessage[],
  partition?: number,
): Promise<Placed> {
  const written = await producer.sendBatch({
    acks: -1,
    // The broker gives up on its replicas before its answer is given up here.
    timeout: requestMs - 1000,
    topicMessages: [{ topic, messages: messages.map((each) => prepared(each, partition)) }],
  });
  const [place, ...more] = written;
  // Messages for a partition that is no more are left out without an error.
  if (place?.baseOffset === undefined || more.length > 0)
    throw new LostBroker("UNKNOWN_TOPIC_OR_PARTITION");
  return { partition: place.partition, baseOffset: BigInt(place.baseOffset) };
}

function prepared({ key, value, headers }: KafkaMessage, partition?: number): Message {
  // kafkajs reads headers, and types them as if it wrote them.
  const message: Message = { key, value, headers: headers as Record<string, string | string[]> };
  if (partition !== undefined) message.partition = partition;
  return message;
}

/** Connections are made anew this often before an answer is given up. */
const mostResets = sendRetry.retries ?? 0;

/** Limits for work of kafkajs, some of which never ends when its connection does. */
interface Patience {
  within<Value>(work: Promise<Value>): Promise<Value>;
  /** To be called now and then. */
  check(): void;
  /** Work under way fails now. */
  end(): void;
}

interface Work {
  readonly fail: (error: Error) => void;
  resetAt: number;
  resets: number;
}

function createPatience(reset: () => void): Patience {
  const underWay = new Set<Work>();
  return {
    within: (promise) =>
      new Promise((resolve, reject) => {
        const work = { fail: reject, resetAt: performance.now() + requestMs, resets: 0 };
        underWay.add(work);
        promise.then(resolve, reject).finally(() => underWay.delete(work));
      }),
    check() {
      const now = performance.now();
      const late = [...underWay].filter(({ resetAt }) => resetAt <= now);
      if (late.length > 0) reset();
      for (const work of late) {
        work.resetAt = now + requestMs;
        work.resets += 1;
        if (work.resets > mostResets) work.fail(new LostBroker("ETIMEDOUT"));
      }
    },
    end() {
      for (const { fail } of underWay) fail(new LostBroker("closed"));
    },
  };
}
