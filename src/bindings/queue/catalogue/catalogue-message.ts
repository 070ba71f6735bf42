import type { Catalogue } from "../../../core/catalogue.js";
import { avroTool, wholeOrder } from "./example-message.js";
import { type ExampleTool, queueEntry } from "./example.js";

const topic = "topic: orders.created";

function json(message: string, parameters?: readonly string[]): ExampleTool {
  return { ...(parameters && { parameters }), binding: [topic, `message: ${message}`] };
}

/** What can be wrong with the message. */
export const messageCatalogue: Catalogue = {
  "queue/no-schema": queueEntry(
    {
      title: "an encoding without a schema",
      explanation:
        "Avro and Protobuf messages are nothing without their schema: it says in which order the fields come and how each is written.",
    },
    { binding: [topic, "format: avro"] },
    avroTool('{ order_id: "{order_id}", quantity: 1 }', ["order_id: string"]),
  ),
  "queue/other-format": queueEntry(
    {
      title: "a schema of another format",
      explanation:
        "`format` says how messages are encoded, and is `json` when it is left out. A file that ends in `.avsc` describes Avro messages, one that ends in `.proto` Protobuf's.",
    },
    { ...wholeOrder, binding: wholeOrder.binding.filter((line) => line !== "format: avro") },
    wholeOrder,
  ),
  "queue/not-for-format": queueEntry(
    {
      title: "what messages of the format have not",
      explanation:
        "A schema registry's id is put before Avro messages, others go out as they are. `#Name` picks a message of a `.proto` file; an Avro file is one schema.",
    },
    { binding: [topic, "registry: ${SCHEMA_REGISTRY_URL}"] },
    { binding: [topic] },
  ),
  "queue/credential-in-message": queueEntry(
    {
      title: "a credential in a message",
      explanation:
        "Messages are kept, copied and read by all who have the queue. They are encoded before any credential is opened, so that what shadow mode records is what would be sent.",
    },
    json('{ id: "{order_id}", region: "${REGION}" }'),
    {
      binding: [topic, 'message: { id: "{order_id}" }', 'headers_mapping: { region: "${REGION}" }'],
    },
  ),
  "queue/unquoted-placeholder": queueEntry(
    {
      title: "a placeholder without quotes",
      explanation:
        "In YAML `{order_id}` is a mapping with the key `order_id` and no value; the message would hold `null` there. In quotes it is a placeholder.",
    },
    json("{ id: {order_id} }"),
    json('{ id: "{order_id}" }'),
  ),
  "queue/placeholder-in-name": queueEntry(
    {
      title: "a placeholder in a name",
      explanation: "Names of fields and headers are literal: only values hold placeholders.",
    },
    json('{ "{order_id}": 1, id: "{order_id}" }'),
    json('{ id: "{order_id}" }'),
  ),
  "queue/optional-in-list": queueEntry(
    {
      title: "an optional parameter as an item of a list",
      explanation:
        "An absent property is left out of the message; an absent item of a list would move those after it to other places.",
    },
    json('{ tags: ["{order_id}", "{tag}"] }', ["order_id: string", "tag?: string"]),
    json('{ tags: ["{order_id}"], extra: "{tag}" }', ["order_id: string", "tag?: string"]),
  ),
};
