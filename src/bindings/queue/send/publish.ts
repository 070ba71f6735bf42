import type { AnyResult, Attempt, Success } from "../../../runtime/sink.js";
import type {
  KafkaReceipt,
  Provider,
  RabbitmqReceipt,
  RedisReceipt,
  Unroutable,
} from "../contract.js";
import type { Outgoing, RabbitmqPlace } from "./broker.js";
import { brokerAt } from "./brokers.js";
import { RefusedMessage } from "./faults.js";
import type { OpenedTexts } from "./sealed.js";

export type Answer =
  | Success<"success", KafkaReceipt | RabbitmqReceipt | RedisReceipt>
  | ({ readonly status: "unroutable" } & Unroutable);

type Place = OpenedTexts["target"];

/**
 * Publishes a message, and waits until the broker has it.
 *
 * @throws UnusableUrl | LostBroker | RefusedMessage
 */
export async function publishTo(
  provider: Provider,
  url: string,
  { target, ...message }: Outgoing & { readonly target: Place },
  attempt: Attempt,
): Promise<AnyResult> {
  return publishers[provider](url, target, message, attempt);
}

const publishers: {
  readonly [P in Provider]: (
    url: string,
    place: Place,
    message: Outgoing,
    attempt: Attempt,
  ) => Promise<Answer>;
} = {
  async kafka(url, { key, topic }, message, attempt) {
    const broker = await brokerAt("kafka", url, attempt.directory);
    const to = {
      topic: kafkaTopic(String(topic)),
      ...(key === undefined ? {} : { key: String(key) }),
    };
    return success(await broker.publish({ ...message, ...to }, attempt));
  },
  async rabbitmq(url, { exchange, routing_key: routingKey }, message, attempt) {
    const broker = await brokerAt("rabbitmq", url, attempt.directory);
    const to = {
      exchange: shortName("exchange", exchange),
      routingKey: shortName("routing key", routingKey),
    };
    const receipt = await broker.publish({ ...message, ...to }, attempt);
    return "unroutable" in receipt ? unroutable(to) : success(receipt);
  },
  async redis(url, { maxlen, stream }, message, attempt) {
    const broker = await brokerAt("redis", url, attempt.directory);
    const to = {
      stream: String(stream),
      ...(maxlen === undefined ? {} : { maxLength: Number(maxlen) }),
    };
    return success(await broker.publish({ ...message, ...to }, attempt));
  },
};

function success(data: KafkaReceipt | RabbitmqReceipt | RedisReceipt): Answer {
  return { status: "success", data };
}

function unroutable({ exchange, routingKey }: RabbitmqPlace): Answer {
  return { status: "unroutable", error: { exchange, routing_key: routingKey } };
}

/** What every broker takes for a topic (Kafka's `Topic.validate`). @throws RefusedMessage */
function kafkaTopic(topic: string): string {
  if (/^[\w.-]{1,249}$/.test(topic) && topic !== "." && topic !== "..") return topic;
  throw new RefusedMessage("the topic must be letters, digits, `.`, `_` and `-`, 249 at most");
}

/** AMQP 0-9-1's short string. @throws RefusedMessage */
function shortName(what: string, name: string | number = ""): string {
  const text = String(name);
  if (Buffer.byteLength(text) <= 255) return text;
  throw new RefusedMessage(`the ${what} must not be longer than 255 bytes`);
}
