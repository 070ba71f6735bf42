import type { Attempt } from "../../../../runtime/sink.js";
import type { KafkaReceipt } from "../../contract.js";
import type { Broker, KafkaPlace, Outgoing } from "../broker.js";
import { LostBroker } from "../faults.js";
import { headerNamed } from "../headers/header-named.js";
import { Lane } from "./lane.js";
import type { KafkaMessage } from "./record-size.js";
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
  directory = ".",
  onIdle: () => void = () => {},
): Broker<KafkaPlace, KafkaReceipt> {
  const settings = readSettings(url, directory);
  const lanes = new Map<string, Lane>();
  let isClosed = false;

  const laneOf = (topic: string): Lane => {
    const known = lanes.get(topic);
    if (known !== undefined) return known;
    // It may say so more than once, and after another took its place.
    const leave = () => {
      if (lanes.get(topic) === lane) lanes.delete(topic);
      // Later: a call that has just been handed this broker has no lane yet.
      setImmediate(() => {
        if (lanes.size === 0) onIdle();
      });
    };
    const lane = new Lane(settings, topic, leave);
    lanes.set(topic, lane);
    return lane;
  };
  return {
    publish(outgoing: Outgoing & KafkaPlace, attempt: Attempt) {
      if (isClosed) return Promise.reject(new LostBroker("closed", "not-done"));
      return laneOf(outgoing.topic).publish(messageOf(outgoing), attempt);
    },
    async close() {
      isClosed = true;
      await Promise.all([...lanes.values()].map((lane) => lane.close()));
    },
  };
}

function messageOf(outgoing: Outgoing & KafkaPlace): KafkaMessage {
  const { body, key, contentType, headers, idempotencyKey } = outgoing;
  const own = [
    ["content-type", contentType] as const,
    ...(idempotencyKey === undefined ? [] : [["idempotency-key", idempotencyKey] as const]),
  ];
  return {
    key: key === undefined ? null : Buffer.from(key),
    value: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    headers: grouped([
      ...headers,
      ...own.filter(([name]) => headerNamed(headers, name) === undefined),
    ]),
  };
}

/** Names may be those of an object's own properties, `__proto__` among them. */
function grouped(pairs: Outgoing["headers"]): KafkaMessage["headers"] {
  const values = new Map<string, string | readonly string[]>();
  for (const [name, value] of pairs) {
    const known = values.get(name);
    values.set(name, known === undefined ? value : [known, value].flat());
  }
  return Object.fromEntries(values);
}
