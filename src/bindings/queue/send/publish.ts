import type { Attempt, Success, WriteOutcome } from "../../../runtime/sink.js";
import type {
  KafkaReceipt,
  Provider,
  RabbitmqReceipt,
  RedisReceipt,
  Unroutable,
} from "../contract.js";
import type { Outgoing, RabbitmqPlace } from "./broker.js";
import { brokerAt } from "./brokers.js";
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
export function publishTo(
  provider: Provider,
  url: string,
  place: Place,
  message: Outgoing,
  attempt: Attempt,
): Promise<Answer> {
  // Until a broker has it, which says more of it then.
  attempt.onAbort(nothingSent);
  return publishers[provider](url, place, message, attempt);
}

function nothingSent(): WriteOutcome {
  return "not-done";
}

/** A literal that ends with what it spreads is made in a tenth of the time that one takes that begins with it. */
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
    const outgoing = {
      topic: String(topic),
      key: key === undefined ? undefined : String(key),
      ...message,
    };
    return success(await broker.publish(outgoing, attempt));
  },
  async rabbitmq(url, { exchange, routing_key: routingKey }, message, attempt) {
    const broker = await brokerAt("rabbitmq", url, attempt.directory);
    const outgoing = {
      exchange: String(exchange),
      routingKey: String(routingKey),
      ...message,
    };
    const receipt = await broker.publish(outgoing, attempt);
    return "unroutable" in receipt ? unroutable(outgoing) : success(receipt);
  },
  async redis(url, { maxlen, stream }, message, attempt) {
    const broker = await brokerAt("redis", url, attempt.directory);
    const outgoing = {
      stream: String(stream),
      maxLength: maxlen === undefined ? undefined : Number(maxlen),
      ...message,
    };
    return success(await broker.publish(outgoing, attempt));
  },
};

function success(data: KafkaReceipt | RabbitmqReceipt | RedisReceipt): Answer {
  return { status: "success", data };
}

function unroutable({ exchange, routingKey }: RabbitmqPlace): Answer {
  return { status: "unroutable", error: { exchange, routing_key: routingKey } };
}
