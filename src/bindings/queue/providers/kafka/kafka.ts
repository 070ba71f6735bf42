import { kafkaNames } from "@skillc/runtime/internal/queue";
import type { KafkaReceipt } from "@skillc/runtime/v1/kafka";
import { quote } from "../../../../core/names.js";
import type { CheckContext } from "../../../../kit/values/check-value.js";
import type { QueueConfig } from "../../model.js";
import {
  integerField,
  nameField,
  noTarget,
  type QueueProvider,
  type ReceiptField,
  textField,
  textKey,
  nameUnder,
  textUnder,
} from "../provider.js";

export const kafka: QueueProvider = {
  name: "kafka",
  otherNames: [],
  title: "Kafka",
  server: "a Kafka broker",
  types: { publication: "KafkaPublication", receipt: "KafkaReceipt" },
  packages: ["kafkajs"],
  keys: {
    topic: textKey("the topic"),
    key: textKey("the message's key; messages with the same key stay in order"),
  },
  ways: [["topic"]],
  instead: new Map([
    ["routing_key", "Kafka keeps messages together by `key`"],
    ["exchange", "Kafka sends messages to a `topic`"],
  ]),
  names: kafkaNames,
  readTarget(reading) {
    const [topic, key] = [nameUnder(reading, "topic"), textUnder(reading, "key")];
    if (topic === undefined) return noTarget(reading, "write `topic: …` beside it");
    return [
      { kind: "name", field: "topic", template: topic },
      // A message without a key goes to any partition.
      ...(key ? [{ kind: "text", field: "key", what: "a key", template: key } as const] : []),
    ];
  },
  receiptOf: ({ target }): Record<keyof KafkaReceipt, ReceiptField> => ({
    topic: nameField(target, "topic"),
    partition: integerField(0, 2 ** 31 - 1),
    offset: textField("^[0-9]+$", "0", String(2n ** 63n - 1n)),
  }),
  check: checkIdempotencyHeader,
  explains: {
    target: "Kafka needs a `topic`.",
    names: "The name of a Kafka topic has 1 to 249 letters, digits, `.`, `_` and `-`.",
    receipt: "`topic`, `partition` and `offset` (Kafka)",
    ownHeaders: "On Kafka, skillc sends the key of `idempotency` in the header `idempotency-key`.",
  },
};

/** The key of `idempotency` goes out as this header. */
function checkIdempotencyHeader(
  { report }: CheckContext,
  { headers, idempotencyKey }: QueueConfig,
): void {
  const header = headers.find(({ name }) => name.toLowerCase() === "idempotency-key");
  if (header === undefined || idempotencyKey === undefined) return;
  report.add({
    code: "queue/duplicate-header",
    span: header.span,
    message: `${quote(header.name)} is set twice: on Kafka, \`idempotency\` sets that header`,
    help: "remove the header",
    related: [{ span: idempotencyKey.span, message: "the other one" }],
  });
}
