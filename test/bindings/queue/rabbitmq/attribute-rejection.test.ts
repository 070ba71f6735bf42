/**
 * Finds the message that caused a closed channel, when RabbitMQ had read only some messages on it.
 */
import { expect, test } from "vitest";
import { attributeRejection } from "../../../../src/bindings/queue/providers/rabbitmq/send/exchange-publisher.js";
import type { Delivery } from "../../../../src/bindings/queue/providers/rabbitmq/send/deliveries.js";

function delivery(messageId: string, more: Partial<Delivery> = {}): Delivery {
  return {
    waiting: undefined,
    exchange: "billing",
    routingKey: "invoice",
    messageId,
    bytes: 1,
    isReturned: false,
    isRead: false,
    resolve: () => {},
    reject: () => {},
    ...more,
  };
}

function closed(code: number, text: string): Error {
  return Object.assign(new Error(`Channel closed by server: ${code} (X) with message "${text}"`), {
    code,
  });
}

const forbidden = closed(
  403,
  "ACCESS_REFUSED - access to topic 'invoice' in exchange 'billing' in vhost '/' refused for user 'me'",
);
const missing = closed(404, "NOT_FOUND - no exchange 'billing' in vhost '/'");
const tooLarge = closed(
  406,
  "PRECONDITION_FAILED - message size 9 is larger than configured max size 4",
);

const read = (messageId: string, more: Partial<Delivery> = {}) =>
  delivery(messageId, { isRead: true, ...more });

test.each<[string, Error, readonly Delivery[], string]>([
  ["the only one that was not read", missing, [read("1"), read("2"), delivery("3")], "1 2 | 3 | "],
  ["none, when all were read", missing, [read("1"), read("2")], "1 2 |  | "],
  ["none, when it may be any", missing, [read("1"), delivery("2"), delivery("3")], "1 2 3 |  | "],
  [
    "the first that is too large and was not read",
    tooLarge,
    [read("1", { bytes: 9 }), delivery("2"), delivery("3", { bytes: 9 }), delivery("4")],
    "1 2 | 3 | 4",
  ],
  [
    "the only one with the routing key that was not read",
    forbidden,
    [
      read("1"),
      delivery("2", { routingKey: "x" }),
      delivery("3"),
      delivery("4", { routingKey: "x" }),
    ],
    "1 2 | 3 | 4",
  ],
  [
    "none of several with the routing key",
    forbidden,
    [read("1"), delivery("2"), delivery("3"), delivery("4", { routingKey: "x" })],
    "1 2 3 |  | 4",
  ],
])("attributes a closed channel to %s", (_, error, sent, expected) => {
  const { before, refused, behind } = attributeRejection(sent, error);
  const ids = (all: readonly Delivery[]) => all.map(({ messageId }) => messageId).join(" ");
  expect(`${ids(before)} | ${refused?.messageId ?? ""} | ${ids(behind)}`).toBe(expected);
});
