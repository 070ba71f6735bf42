import type { Catalogue } from "../../../core/catalogue.js";
import { type ExampleTool, queueEntry } from "./example.js";

const topic = "topic: orders.created";

const schema = `{
  "type": "record",
  "name": "OrderCreated",
  "fields": [
    { "name": "order_id", "type": "string" },
    { "name": "quantity", "type": "int" },
    { "name": "note", "type": ["null", "string"], "default": null }
  ]
}
`;

const proto = `syntax = "proto3";
package acme;
message Payment {
  oneof method {
    string card = 1;
    string iban = 2;
  }
}
`;

function avro(message: string, parameters?: readonly string[]): ExampleTool {
  return {
    parameters: parameters ?? [
      "order_id: string",
      "quantity: { type: integer, minimum: 1, maximum: 99 }",
    ],
    binding: [topic, "format: avro", "schema: ./order.avsc", `message: ${message}`],
    files: { "order.avsc": schema },
  };
}

const whole = avro('{ order_id: "{order_id}", quantity: "{quantity}" }');

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
    { ...avro('{ order_id: "{order_id}", quantity: 1 }', ["order_id: string"]) },
  ),
  "queue/not-for-format": queueEntry(
    {
      title: "a registry for messages that have none",
      explanation: "A schema registry's id is put before Avro messages. Others go out as they are.",
    },
    { binding: [topic, "registry: ${SCHEMA_REGISTRY_URL}"] },
    { binding: [topic] },
  ),
  "queue/unknown-field": queueEntry(
    {
      title: "a field that the schema doesn't have",
      explanation:
        "The encoding would leave it out without a word. Names are as the schema has them, upper and lower case included.",
    },
    avro('{ orderID: "{order_id}", quantity: "{quantity}" }'),
    whole,
  ),
  "queue/missing-field": queueEntry(
    {
      title: "a required field that the message lacks",
      explanation:
        "Without it no message can be encoded, so no call could succeed. Fields with a default may be left out.",
    },
    avro('{ order_id: "{order_id}" }', ["order_id: string"]),
    whole,
  ),
  "queue/optional-field": queueEntry(
    {
      title: "an optional parameter for a required field",
      explanation:
        "An optional parameter that is absent leaves its field out. Only a field that may be absent, or has a default, can take it.",
    },
    avro('{ order_id: "{order_id}", quantity: "{quantity}" }', [
      "order_id: string",
      "quantity?: { type: integer, minimum: 1, maximum: 99 }",
    ]),
    whole,
  ),
  "queue/field-type": queueEntry(
    {
      title: "a value that the field can't take",
      explanation:
        "Every value that the parameter may have must be one of the field's: its type, its range, its symbols, its format.",
    },
    avro('{ order_id: "{order_id}", quantity: "{quantity}" }', [
      "order_id: string",
      "quantity: string",
    ]),
    whole,
  ),
  "queue/field-may-not-fit": queueEntry(
    {
      severity: "warning",
      title: "a value that the field may not take",
      explanation:
        "The parameter's schema allows more than the field holds. A call with such a value fails, and says so: better that the schema refuses it.",
    },
    avro('{ order_id: "{order_id}", quantity: "{quantity}" }', [
      "order_id: string",
      "quantity: integer",
    ]),
    whole,
  ),
  "queue/exclusive-fields": queueEntry(
    {
      title: "two fields of which a message has one",
      explanation:
        "Of the fields of a `oneof` the last that is written wins, and the others are gone.",
    },
    {
      parameters: ["card: string", "iban: string"],
      binding: [
        topic,
        "format: protobuf",
        "schema: ./payment.proto#acme.Payment",
        'message: { card: "{card}", iban: "{iban}" }',
      ],
      files: { "payment.proto": proto },
    },
    {
      parameters: ["card: string"],
      binding: [
        topic,
        "format: protobuf",
        "schema: ./payment.proto#acme.Payment",
        'message: { card: "{card}" }',
      ],
      files: { "payment.proto": proto },
    },
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
