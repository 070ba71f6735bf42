import type { DiagnosticEntries } from "../../../core/diagnostic-entry.js";
import { defaultProvider, providers } from "../providers/registry.js";
import { queueEntry } from "./example.js";

const topic = "topic: orders.created";

/** `key` (kafka) */
const foreignKeys = [...new Set(providers.flatMap(({ keys }) => Object.keys(keys)))].map((key) => {
  const owners = providers.filter(({ keys }) => Object.hasOwn(keys, key));
  return `\`${key}\` (${owners.map(({ title }) => title).join(", ")})`;
});

/** What can be wrong with where messages go, and with what goes with them. */
export const targetDiagnosticEntries: DiagnosticEntries = {
  "queue/bad-connection": queueEntry(
    {
      title: "a connection that is no setting",
      explanation:
        "A connection is a single `${NAME}`: the broker's URL, with its password, is looked up where the call is made, and stands in no skill.",
    },
    { connection: "broker.example.com:9092", binding: [topic] },
    { binding: [topic] },
  ),
  "queue/default-provider": queueEntry(
    {
      severity: "info",
      title: "a binding without a provider",
      explanation: `A binding that names no provider sends to ${defaultProvider.title}. It is said so that one which was forgotten is seen; keys that belong to another provider stay errors.`,
    },
    { provider: undefined, binding: [topic] },
    { binding: [topic] },
  ),
  "queue/no-target": queueEntry(
    {
      title: "nowhere to send",
      explanation: providers.map(({ explains }) => explains.target).join(" "),
    },
    { binding: ['key: "{order_id}"', "message: { id: 1 }"] },
    { binding: [topic, 'key: "{order_id}"', "message: { id: 1 }"] },
  ),
  "queue/two-targets": queueEntry(
    {
      title: "a queue and an exchange",
      explanation: providers.flatMap(({ explains }) => explains.twoTargets ?? []).join(" "),
    },
    { provider: "rabbitmq", binding: ["topic: orders", "exchange: billing"] },
    { provider: "rabbitmq", binding: ["topic: orders"] },
  ),
  "queue/not-for-provider": queueEntry(
    {
      title: "a key of another provider",
      explanation: `What one broker has and another doesn't is refused, never ignored. The keys, and who has them: ${foreignKeys.join(", ")}.`,
    },
    { binding: [topic, 'routing_key: "{order_id}"', "message: { id: 1 }"] },
    { binding: [topic, 'key: "{order_id}"', "message: { id: 1 }"] },
  ),
  "queue/bad-target": queueEntry(
    {
      title: "a name that the broker refuses",
      explanation: `${providers.map(({ explains }) => explains.names).join(" ")} What an \`enum\` lists is held to the same, together with the text around it. Beside other text a listed value is one token of the name, unless the placeholder ends with \`...\`.`,
    },
    { binding: ["topic: orders/created"] },
    { binding: [topic] },
  ),
  "queue/optional-in-target": queueEntry(
    {
      title: "an optional parameter in a name",
      explanation: "Without its value there is no topic, queue or stream to send to.",
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
      title: "any text as a name",
      explanation:
        "Where a parameter of free text is a part of the name, whoever calls the tool, a model included, picks the topic, queue or stream among all that begin alike, and may make new ones. `enum`, `const`, `pattern` or `format` say which there are.",
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
      title: "the name of a parameter where its value is meant",
      explanation:
        "Text without braces is sent as it stands: with `key: order_id` all messages have one key. In a target or a header, or under a property of the same name, the name of a parameter is hardly meant as text.",
    },
    { binding: [topic, "key: order_id"] },
    { binding: [topic, 'key: "{order_id}"'] },
  ),
  "queue/blank-in-name": queueEntry(
    {
      severity: "warning",
      title: "a name with a blank at its end",
      explanation:
        "Names of queues, streams, headers and properties are sent as they are, blanks included: nobody would find what stands under such a name.",
    },
    { provider: "redis", binding: ['topic: "orders "'] },
    { provider: "redis", binding: ["topic: orders"] },
  ),
  "queue/not-a-scalar": queueEntry(
    {
      title: "an object or array where only text fits",
      explanation:
        "Names, keys, headers, and text around a placeholder hold text, numbers and booleans. An object has no one way to be written there: name a field of it, or send it in the message.",
    },
    { parameters: ["order: object"], binding: [topic, 'key: "{order}"'] },
    {
      parameters: ["order: object"],
      binding: [topic, 'message: { order: "{order}" }'],
    },
  ),
  "queue/duplicate-header": queueEntry(
    {
      title: "a header given twice",
      explanation: [
        "Consumers disagree on whether case matters in the names of headers, and on which of two values counts.",
        ...providers.flatMap(({ explains }) => explains.ownHeaders ?? []),
      ].join(" "),
    },
    { binding: [topic, "headers_mapping: { source: a, Source: b }"] },
    { binding: [topic, "headers_mapping: { source: a }"] },
  ),
  "queue/bad-header": queueEntry(
    {
      title: "a name that no header can have",
      explanation: [
        "The name of a header is not empty.",
        ...providers.flatMap(({ explains }) => explains.headerNames ?? []),
      ].join(" "),
    },
    { binding: [topic, 'headers_mapping: { "": order-desk }'] },
    { binding: [topic, "headers_mapping: { source: order-desk }"] },
  ),
  "queue/routing-header": queueEntry(
    {
      title: "a header that the broker takes for an order",
      explanation: providers.flatMap(({ explains }) => explains.routingHeaders ?? []).join(" "),
    },
    { provider: "rabbitmq", binding: ["topic: orders", "headers_mapping: { CC: billing }"] },
    { provider: "rabbitmq", binding: ["topic: orders", "headers_mapping: { cc: billing }"] },
  ),
  "queue/bad-idempotency-key": queueEntry(
    {
      title: "an idempotency key that does not tell messages apart",
      explanation:
        "Two messages with one key are taken for the same. A key without a parameter makes every message but the first a repeat; one with an optional parameter may be missing.",
    },
    { binding: [topic, "idempotency: { key: order }"] },
    { binding: [topic, 'idempotency: { key: "{order_id}" }'] },
  ),
};
