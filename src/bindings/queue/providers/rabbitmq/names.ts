import type { NameRule, TargetNames } from "../../send/name-rules.js";

/** Limit of AMQP 0-9-1's short string. */
const short = { isPlace: true, maxBytes: 255 };

const exchange: NameRule = { what: "an exchange", ...short };
const queue: NameRule = { what: "a queue", ...short };

/** May be empty: exchanges of type fanout or headers ignore the routing key. */
const routingKey: NameRule = {
  what: "a routing key",
  ...short,
  separator: ".",
  isPlace: false,
  mayBeEmpty: true,
};

export const rabbitmqNames: TargetNames = {
  // The default exchange uses the routing key as the name of a queue.
  rulesOf: (target) =>
    "exchange" in target && target.exchange === ""
      ? { routing_key: queue }
      : { exchange, routing_key: routingKey },
  registrySubject: "routing_key",
};
