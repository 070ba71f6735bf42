import type { DiagnosticEntries } from "../../../core/diagnostic-entry.js";
import { defaultProvider, providers } from "../providers/registry.js";
import { queueEntry } from "./example.js";

const topic = "topic: orders.created";

/** Keys with their providers: `` `key` (Kafka) ``. */
const foreignKeys = [...new Set(providers.flatMap(({ keys }) => Object.keys(keys)))].map((key) => {
  const owners = providers.filter(({ keys }) => Object.hasOwn(keys, key));
  return `\`${key}\` (${owners.map(({ title }) => title).join(", ")})`;
});

/** Diagnostics about targets, connections and headers. */
export const targetDiagnosticEntries: DiagnosticEntries = {
  "queue/bad-connection": queueEntry(
    {
      title: "a connection that is not a `${NAME}`",
      explanation:
        "A connection is a single `${NAME}`, which names a setting with the broker's URL and password. The runtime looks up the setting during the call, so that no skill contains the password.",
    },
    { connection: "broker.example.com:9092", binding: [topic] },
    { binding: [topic] },
  ),
  "queue/default-provider": queueEntry(
    {
      severity: "info",
      title: "a binding without a provider",
      explanation: `A binding without \`provider\` sends to ${defaultProvider.title}. skillc reports the default so that you notice a forgotten provider. Keys of another provider stay errors.`,
    },
    { provider: undefined, binding: [topic] },
    { binding: [topic] },
  ),
  "queue/no-target": queueEntry(
    {
      title: "a binding without a target",
      explanation: `The binding must name the target of its messages. ${providers.map(({ explains }) => explains.target).join(" ")}`,
    },
    { binding: ['key: "{order_id}"', "message: { id: 1 }"] },
    { binding: [topic, 'key: "{order_id}"', "message: { id: 1 }"] },
  ),
  "queue/two-targets": queueEntry(
    {
      title: "both a queue and an exchange",
      explanation: providers.flatMap(({ explains }) => explains.twoTargets ?? []).join(" "),
    },
    { provider: "rabbitmq", binding: ["topic: orders", "exchange: billing"] },
    { provider: "rabbitmq", binding: ["topic: orders"] },
  ),
  "queue/not-for-provider": queueEntry(
    {
      title: "a key of another provider",
      explanation: `skillc never ignores a key: it rejects a key that the provider of the binding doesn't support. These keys belong to some providers only: ${foreignKeys.join(", ")}.`,
    },
    { binding: [topic, 'routing_key: "{order_id}"', "message: { id: 1 }"] },
    { binding: [topic, 'key: "{order_id}"', "message: { id: 1 }"] },
  ),
  "queue/bad-target": queueEntry(
    {
      title: "a name that the broker rejects",
      explanation: `${providers.map(({ explains }) => explains.names).join(" ")} skillc checks each value of an \`enum\` by the same rules, together with the text around it. A listed value beside other text is one token of the name, unless the placeholder ends with \`...\`.`,
    },
    { binding: ["topic: orders/created"] },
    { binding: [topic] },
  ),
  "queue/optional-in-target": queueEntry(
    {
      title: "an optional parameter in the name of a target",
      explanation:
        "If a caller leaves out the parameter, there is no topic, queue or stream to send to.",
    },
    {
      parameters: ["region?: { type: string, enum: [eu] }"],
      binding: ['topic: "orders.{region}"'],
    },
    { parameters: ["region: { type: string, enum: [eu] }"], binding: ['topic: "orders.{region}"'] },
  ),
  "queue/open-target": queueEntry(
    {
      severity: "warning",
      title: "free text in the name of a target",
      explanation:
        "If a parameter of free text is part of the name, the caller, often a model, chooses the topic, queue or stream. The caller could pick every name with the same beginning, and may create new ones. Limit the parameter with `enum`, `const`, `pattern` or `format`.",
    },
    { parameters: ["region: string"], binding: ['topic: "orders.{region}"'] },
    {
      parameters: ["region: { type: string, enum: [eu, us] }"],
      binding: ['topic: "orders.{region}"'],
    },
  ),
  "queue/literal-parameter": queueEntry(
    {
      severity: "warning",
      title: "a parameter's name used as text",
      explanation:
        "skillc sends text without braces unchanged: with `key: order_id`, all messages have the same key. In a target or a header, or under a property with the same name, the name of a parameter is probably meant as a placeholder.",
    },
    { binding: [topic, "key: order_id"] },
    { binding: [topic, 'key: "{order_id}"'] },
  ),
  "queue/blank-in-name": queueEntry(
    {
      severity: "warning",
      title: "a name that starts or ends with a space",
      explanation:
        "skillc sends names of queues, streams, headers and properties unchanged, including spaces. Consumers would look for the name without the space and find nothing.",
    },
    { provider: "redis", binding: ['topic: "orders "'] },
    { provider: "redis", binding: ["topic: orders"] },
  ),
  "queue/not-a-scalar": queueEntry(
    {
      title: "an object or array where only text fits",
      explanation:
        "Names, keys, headers, and text around a placeholder hold text, numbers and booleans. An object can be written there in several ways, so skillc doesn't choose one. Name a field of the object, or send the object in the message.",
    },
    { parameters: ["order: object"], binding: [topic, 'key: "{order}"'] },
    {
      parameters: ["order: object"],
      binding: [topic, 'message: { order: "{order}" }'],
    },
  ),
  "queue/duplicate-header": queueEntry(
    {
      title: "a header that is set twice",
      explanation: [
        "Some consumers ignore case in header names and others don't. They also disagree on which of two values counts.",
        ...providers.flatMap(({ explains }) => explains.ownHeaders ?? []),
      ].join(" "),
    },
    { binding: [topic, "headers_mapping: { source: a, Source: b }"] },
    { binding: [topic, "headers_mapping: { source: a }"] },
  ),
  "queue/bad-header": queueEntry(
    {
      title: "an invalid header name",
      explanation: [
        "The name of a header can't be empty.",
        ...providers.flatMap(({ explains }) => explains.headerNames ?? []),
      ].join(" "),
    },
    { binding: [topic, 'headers_mapping: { "": order-desk }'] },
    { binding: [topic, "headers_mapping: { source: order-desk }"] },
  ),
  "queue/routing-header": queueEntry(
    {
      title: "a header that the broker acts on",
      explanation: providers.flatMap(({ explains }) => explains.routingHeaders ?? []).join(" "),
    },
    { provider: "rabbitmq", binding: ["topic: orders", "headers_mapping: { CC: billing }"] },
    { provider: "rabbitmq", binding: ["topic: orders", "headers_mapping: { cc: billing }"] },
  ),
  "queue/bad-idempotency-key": queueEntry(
    {
      title: "an idempotency key that doesn't tell messages apart",
      explanation:
        "Two messages with the same key count as one message. If the key contains no parameter, every message after the first counts as a repeat. If the key contains an optional parameter, the key may be missing.",
    },
    { binding: [topic, "idempotency: { key: order }"] },
    { binding: [topic, 'idempotency: { key: "{order_id}" }'] },
  ),
};
