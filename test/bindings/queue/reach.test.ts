/** Targets of a message, which a call reports before it is sent. */
import { expect, test } from "vitest";
import { credential, json, targetName } from "../../../src/bindings/queue/execute.js";
import { kafka } from "../../../src/bindings/queue/providers/kafka/runtime.js";
import { rabbitmq } from "../../../src/bindings/queue/providers/rabbitmq/runtime.js";
import { escapedName, queueReach } from "../../../src/bindings/queue/send/reach.js";

const call = { id: "the-call", toolId: "desk/tool" };

test("a message to RabbitMQ reports its exchange and routing key", () => {
  const binding = rabbitmq<object, unknown>({
    connection: "EVENTS",
    publish: () => ({ target: { exchange: "orders/eu", routing_key: "created" }, message: {} }),
    encode: json(),
  });
  expect(binding.prepare({}, call).reach()).toMatchObject([
    { kind: "queue", provider: "rabbitmq", target: "orders%2Feu/created" },
  ]);
});

test("a message to RabbitMQ's default exchange reports its queue", () => {
  const binding = rabbitmq<object, unknown>({
    connection: "EVENTS",
    publish: () => ({ target: { exchange: "", routing_key: "labels" }, message: {} }),
    encode: json(),
  });
  expect(binding.prepare({}, call).reach()).toMatchObject([{ target: "labels" }]);
});

test("a message with a setting in its topic and a schema registry reports both targets by name and by value", () => {
  const binding = kafka<object, unknown>({
    connection: "EVENTS",
    registry: "REGISTRY",
    publish: () => ({
      target: { topic: targetName("orders.", credential("REGION")), key: "a" },
      message: {},
    }),
    encode: json(),
  });
  const prepared = binding.prepare({}, call);
  expect(prepared.reach()).toMatchObject([
    { kind: "queue", provider: "kafka", target: "orders.$%7BREGION%7D" },
    { kind: "http", method: "POST", origin: "${REGISTRY}", path: "/subjects" },
  ]);
  const values: Readonly<Record<string, string>> = {
    REGION: "eu",
    REGISTRY: "https://user:password@registry.example.com/base/",
  };
  expect(prepared.reach((name) => values[name] ?? "")).toMatchObject([
    { kind: "queue", provider: "kafka", target: "orders.eu" },
    {
      kind: "http",
      method: "POST",
      origin: "https://registry.example.com",
      path: "/base/subjects",
    },
  ]);
});

test("different targets never have the same text", () => {
  expect(queueReach("rabbitmq", ["a", "b/c"].map(escapedName)).target).toBe("a/b%2Fc");
  expect(queueReach("rabbitmq", ["a/b", "c"].map(escapedName)).capabilities).toEqual([
    "queue:send rabbitmq a%2Fb/c",
  ]);
  expect(escapedName("orders {region} 100%")).toBe("orders%20%7Bregion%7D%20100%25");
});
