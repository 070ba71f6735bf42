/*
 * Kafka's client, from the outside in. `open-kafka` is the cluster behind a URL, which `settings`
 * reads, with a `topic-producer` for each topic. A topic's producer is ours, not kafkajs': it takes
 * batches from `pending-messages` and sends them over a session. `message` is one message and the
 * call that waits for it. `batch` decides how many messages go together, `partitions` where they
 * go, and `traffic` which of them wait for others. `sessions` keeps a topic's sessions: each is an
 * `idempotent-producer` of kafkajs that has not failed yet, with its batches under way.
 * `deliveries` knows which batches certainly were not written, and `tries` limits retries.
 * `failures` and `classify-failure` make the errors of calls. `client` makes kafkajs' client, and
 * `repair` and `sockets` work around faults in it.
 */
import type { Attempt } from "../../../../../runtime/executor.js";
import type { Broker, Outgoing } from "../../../send/broker.js";
import { LostBroker } from "../../../send/failures.js";
import { headerNamed } from "../../../send/headers.js";
import type { KafkaPlace, KafkaReceipt } from "../contract.js";
import { TopicProducer } from "./topic-producer.js";
import { Leaders, avoidMs } from "./partitions.js";
import type { KafkaMessage } from "./message.js";
import { readSettings } from "./settings.js";

/**
 * Opens a client of a Kafka cluster, through kafkajs. A message counts as published when all
 * in-sync replicas have it.
 *
 * @param url `kafka://` or `kafkas://`, see docs/queues/kafka.md for its options
 * @param directory start of relative paths in the URL
 * @param onIdle called when the client holds no connection and no call
 * @throws UnusableUrl
 */
export function openKafka(
  url: string,
  directory = process.cwd(),
  onIdle: () => void = () => {},
): Broker<KafkaPlace, KafkaReceipt> {
  const settings = readSettings(url, directory);
  const producers = new Map<string, TopicProducer>();
  const leaders = new Leaders();
  let isClosed = false;
  const rest = () => {
    if (producers.size === 0) onIdle();
  };

  const producerOf = (topic: string): TopicProducer => {
    const known = producers.get(topic);
    if (known !== undefined) return known;
    // A producer may report this more than once, and after another one has replaced it.
    const leave = () => {
      if (producers.get(topic) === producer) producers.delete(topic);
      // Wait: a call that just got this broker has no producer yet. If a leader is distrusted, keep
      // the client, so that the next call knows which leaders answer.
      if (leaders.areAllTrusted) setImmediate(rest);
      else setTimeout(rest, avoidMs).unref();
    };
    const producer = new TopicProducer(settings, topic, leaders, leave);
    producers.set(topic, producer);
    return producer;
  };
  return {
    publish(outgoing: Outgoing & KafkaPlace, attempt: Attempt) {
      if (isClosed) return Promise.reject(new LostBroker("closed", "not-done"));
      return producerOf(outgoing.topic).publish(messageOf(outgoing), attempt);
    },
    async close(late) {
      isClosed = true;
      await Promise.all([...producers.values()].map((producer) => producer.close(late)));
    },
  };
}

function messageOf(outgoing: Outgoing & KafkaPlace): KafkaMessage {
  const { body, key } = outgoing;
  return {
    key: key === undefined ? null : Buffer.from(key),
    value: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    headers: headersOf(outgoing),
  };
}

/** The given headers, and those of our own that the author did not set. */
function headersOf({ contentType, headers, idempotencyKey }: Outgoing): KafkaMessage["headers"] {
  // Without a prototype, header names such as `__proto__` are plain keys.
  const values = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of headers) {
    const known = values[name];
    values[name] = known === undefined ? value : [known, value].flat();
  }
  if (headerNamed(headers, "content-type") === undefined) values["content-type"] = contentType;
  if (idempotencyKey !== undefined && headerNamed(headers, "idempotency-key") === undefined)
    values["idempotency-key"] = idempotencyKey;
  return values;
}
