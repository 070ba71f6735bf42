import { rabbitmqNames } from "@skillc/runtime/internal/queue";
import type { RabbitmqReceipt } from "@skillc/runtime/v1/rabbitmq";
import { quote } from "../../../../core/names.js";
import { entryOf } from "../../../../core/syntax-node.js";
import type { CheckContext } from "../../../../kit/values/check-value.js";
import type { QueueConfig, QueueText, TargetModel } from "../../model.js";
import {
  integerField,
  nameField,
  noTarget,
  type QueueProvider,
  type ReceiptField,
  type TargetReading,
  textKey,
  nameUnder,
} from "../provider.js";

export const rabbitmq: QueueProvider = {
  name: "rabbitmq",
  otherNames: ["amqp", "rabbit"],
  title: "RabbitMQ",
  server: "a RabbitMQ broker",
  types: {
    publication: "RabbitmqPublication",
    receipt: "RabbitmqReceipt",
    other: { status: "unroutable", type: "Unroutable" },
  },
  packages: ["amqplib"],
  keys: {
    topic: textKey("the queue"),
    exchange: textKey("the exchange, instead of `topic`"),
    routing_key: {
      type: "string",
      description: "the routing key for the exchange; it may be empty",
    },
  },
  ways: [["topic"], ["exchange", "routing_key"]],
  instead: new Map([["key", "RabbitMQ routes by `routing_key`, beside `exchange`"]]),
  names: rabbitmqNames,
  readTarget,
  receiptOf: ({ target }): Record<keyof RabbitmqReceipt, ReceiptField> => ({
    exchange: nameField(target, "exchange"),
    routing_key: nameField(target, "routing_key"),
    delivery_tag: integerField(1, Number.MAX_SAFE_INTEGER),
  }),
  check(place, config) {
    checkHeaderNames(place, config);
    checkCopies(place, config);
  },
  explains: {
    target: "RabbitMQ needs a queue, written as `topic`, or an `exchange` with a `routing_key`.",
    twoTargets:
      "`topic` names a RabbitMQ queue, and the default exchange delivers the message to it. `exchange` and `routing_key` send the message to another exchange instead. A message can go only one of these ways.",
    names: "A name in RabbitMQ has at most 255 bytes. Only a routing key may be empty.",
    receipt: "`exchange`, `routing_key` and `delivery_tag` (RabbitMQ)",
    headerNames: "In RabbitMQ, the name has at most 255 bytes.",
    routingHeaders:
      "RabbitMQ reads the headers `CC` and `BCC` as lists of further routing keys, and rejects every message in which they are text. To send copies, bind more queues to the exchange.",
  },
};

function readTarget(reading: TargetReading): TargetModel | undefined {
  const { node } = reading;
  const topic = nameUnder(reading, "topic");
  const [exchange, routingKey] = [
    nameUnder(reading, "exchange"),
    nameUnder(reading, "routing_key"),
  ];
  const surplus = entryOf(node, "exchange") ?? entryOf(node, "routing_key");
  if (topic !== undefined && surplus !== undefined)
    reading.report.add({
      code: "queue/two-targets",
      span: surplus.key.span,
      message: `\`topic\` names a queue, but ${quote(surplus.key.value)} names another route`,
      help: "keep `topic` for a queue, or `exchange` with `routing_key`",
      related: [{ span: topic.span, message: "the queue" }],
    });
  if (topic !== undefined)
    return [{ kind: "fixed", field: "exchange", value: "" }, fieldName("routing_key", topic)];
  if (exchange === undefined)
    return noTarget(reading, "write `topic: …` for a queue, or `exchange: …` and `routing_key: …`");
  if (routingKey === undefined)
    return noTarget(reading, "write `routing_key: …` beside `exchange`");
  return [fieldName("exchange", exchange), fieldName("routing_key", routingKey)];
}

function fieldName(field: string, template: QueueText) {
  return { kind: "name", field, template } as const;
}

/** AMQP's limit on names, in bytes. */
const shortBytes = 255;

function checkHeaderNames({ report }: CheckContext, { headers }: QueueConfig): void {
  for (const { name, span } of headers) {
    const bytes = Buffer.byteLength(name);
    if (bytes <= shortBytes) continue;
    const message = `the name of a header has ${bytes} bytes, but RabbitMQ accepts at most ${shortBytes}`;
    report.add({ code: "queue/bad-header", span, message });
  }
}

/**
 * Reports the headers of RabbitMQ's sender-selected distribution. RabbitMQ expects lists in them,
 * and closes the channel if they contain text.
 */
function checkCopies({ report }: CheckContext, { headers }: QueueConfig): void {
  for (const { name, span } of headers) {
    if (name !== "CC" && name !== "BCC") continue;
    report.add({
      code: "queue/routing-header",
      span,
      message: `${quote(name)} is RabbitMQ's list of further routing keys, which can't be text`,
      help: "rename the header, for example in lower case; to send copies, bind more queues to the exchange",
    });
  }
}
