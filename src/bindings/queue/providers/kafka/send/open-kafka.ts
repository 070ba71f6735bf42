import type { Attempt } from "../../../../../runtime/sink.js";
import type { Broker, Outgoing } from "../../../send/broker.js";
import { LostBroker } from "../../../send/faults.js";
import { headerNamed } from "../../../send/headers.js";
import type { KafkaPlace, KafkaReceipt } from "../contract.js";
import { Lane } from "./topic-producer.js";
import { Leaders, shunMs } from "./partitions.js";
import type { KafkaMessage } from "./batch.js";
import { readSettings } from "./settings.js";

/**
 * A client of a Kafka cluster, through kafkajs. A message is published when all replicas in sync have it.
 *
 * @param url `kafka://` or `kafkas://`, see docs/queues.md for its options
 * @param directory what relative paths in the URL start from
 * @param onIdle called when it holds no connection and no call
 * @throws UnusableUrl
 */
export function openKafka(
  url: string,
  directory = process.cwd(),
  onIdle: () => void = () => {},
): Broker<KafkaPlace, KafkaReceipt> {
  const settings = readSettings(url, directory);
  const lanes = new Map<string, Lane>();
  const leaders = new Leaders();
  let isClosed = false;
  const rest = () => {
    if (lanes.size === 0) onIdle();
  };

  const laneOf = (topic: string): Lane => {
    const known = lanes.get(topic);
    if (known !== undefined) return known;
    // It may say so more than once, and after another took its place.
    const leave = () => {
      if (lanes.get(topic) === lane) lanes.delete(topic);
      // Later: a call that has just been handed this broker has no lane yet, and one that comes soon is to know who answers.
      if (leaders.areAllTrusted) setImmediate(rest);
      else setTimeout(rest, shunMs).unref();
    };
    const lane = new Lane(settings, topic, leaders, leave);
    lanes.set(topic, lane);
    return lane;
  };
  return {
    publish(outgoing: Outgoing & KafkaPlace, attempt: Attempt) {
      if (isClosed) return Promise.reject(new LostBroker("closed", "not-done"));
      return laneOf(outgoing.topic).publish(messageOf(outgoing), attempt);
    },
    async close(late) {
      isClosed = true;
      await Promise.all([...lanes.values()].map((lane) => lane.close(late)));
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

/** The given headers, and our own that are not among them. */
function headersOf({ contentType, headers, idempotencyKey }: Outgoing): KafkaMessage["headers"] {
  // Names may be those of an object's own properties, `__proto__` among them.
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
