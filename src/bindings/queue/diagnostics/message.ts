import type { DiagnosticEntries } from "../../../core/diagnostic-entry.js";
import { providers } from "../providers/registry.js";
import { avroTool, type ExampleTool, queueEntry, wholeOrder } from "./example.js";

const topic = "topic: orders.created";

function json(message: string, parameters?: readonly string[]): ExampleTool {
  return { ...(parameters && { parameters }), binding: [topic, `message: ${message}`] };
}

/** What can be wrong with the message. */
export const messageDiagnosticEntries: DiagnosticEntries = {
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

const proto = `syntax = "proto3";
package acme;
message Payment {
  oneof method {
    string card = 1;
    string iban = 2;
  }
}
`;

function protobufTool(message: string, parameters: readonly string[]): ExampleTool {
  return {
    parameters,
    binding: [
      "topic: orders.created",
      "format: protobuf",
      "schema: ./payment.proto#acme.Payment",
      `message: ${message}`,
    ],
    files: { "payment.proto": proto },
  };
}

const union = `{
  "type": "record",
  "name": "OrderCreated",
  "fields": [{ "name": "reference", "type": ["bytes", "string"] }]
}
`;

function unionTool(message: string): ExampleTool {
  return { ...avroTool(message, ["reference: string"]), files: { "order.avsc": union } };
}

/** What can be wrong with the fields of a message. */
export const fieldDiagnosticEntries: DiagnosticEntries = {
  "queue/unknown-field": queueEntry(
    {
      title: "a field that the schema doesn't have",
      explanation:
        "The encoding would leave it out without a word. Names are as the schema has them, upper and lower case included.",
    },
    avroTool('{ orderID: "{order_id}", quantity: "{quantity}" }'),
    wholeOrder,
  ),
  "queue/missing-field": queueEntry(
    {
      title: "a required field that the message lacks",
      explanation:
        "Without it no message can be encoded, so no call could succeed. Fields with a default may be left out.",
    },
    avroTool('{ order_id: "{order_id}" }', ["order_id: string"]),
    wholeOrder,
  ),
  "queue/optional-field": queueEntry(
    {
      title: "an optional parameter for a required field",
      explanation:
        "An optional parameter that is absent leaves its field out, and so does one that is null in a text. Only a field that may be absent, or has a default, can take it.",
    },
    avroTool('{ order_id: "{order_id}", quantity: "{quantity}" }', [
      "order_id: string",
      "quantity?: { type: integer, minimum: 1, maximum: 99 }",
    ]),
    wholeOrder,
  ),
  "queue/field-type": queueEntry(
    {
      title: "a value that the field can't take",
      explanation:
        "No value that is given can be one of the field's: its type, its range, its symbols, its format. So no call that gives one could succeed. Where some values fit, that is the warning `queue/field-may-not-fit`. NULL counts for itself: a field that takes no null is an error for a parameter that may be null.",
    },
    avroTool('{ order_id: "{order_id}", quantity: "{quantity}" }', [
      "order_id: string",
      "quantity: string",
    ]),
    wholeOrder,
  ),
  "queue/field-may-not-fit": queueEntry(
    {
      severity: "warning",
      title: "a value that the field may not take",
      explanation:
        "The parameter's schema allows more than the field holds, or doesn't say enough, or of a text only a part is known. A call with such a value fails before anything is sent, and says so: better that the schema refuses it.",
    },
    avroTool('{ order_id: "{order_id}", quantity: "{quantity}" }', [
      "order_id: string",
      "quantity: integer",
    ]),
    wholeOrder,
  ),
  "queue/exclusive-fields": queueEntry(
    {
      title: "two fields of which a message has one",
      explanation:
        "Of the fields of a `oneof` the last that is written wins, and the others are gone.",
    },
    protobufTool('{ card: "{card}", iban: "{iban}" }', ["card: string", "iban: string"]),
    protobufTool('{ card: "{card}" }', ["card: string"]),
  ),
  "queue/ambiguous-union": queueEntry(
    {
      title: "a value of a union that names no branch",
      explanation:
        "Of an Avro union, JSON tells the branch of a value by its form, and the first branch that it fits takes it: `string` before the others takes every text, an enum before `string` its symbols, " +
        "and `int` and `long` before `double` take whole numbers. Where a value may be of two branches, of `bytes` and `string` or of two records with the same fields, or a `float` would round what is meant for " +
        "another number, it is written as in Avro's own JSON: null as it is, and everything else as an object that names the branch, `{ string: … }`, `{ acme.Order: … }`.",
    },
    unionTool('{ reference: "{reference}" }'),
    unionTool('{ reference: { string: "{reference}" } }'),
  ),
};

const returns = (name: string, type: string) =>
  `returns: { type: object, required: [${name}], properties: { ${name}: { type: ${type} } } }`;

/** What can be wrong with what a tool says it gives. */
export const receiptDiagnosticEntries: DiagnosticEntries = {
  "queue/returns-mismatch": queueEntry(
    {
      title: "`returns` describes something else than the broker's receipt",
      explanation:
        `A success carries where the message went: ${providers.map(({ explains }) => explains.receipt).join("; ")}. ` +
        "A receipt that doesn't fit `returns` " +
        "fails its call when the message is published already. What no receipt fits is an error, and so is a name that some receipts have and `returns` forbids. Without `returns` the data has the receipt's type.",
    },
    { binding: [topic], tool: [returns("sent", "boolean")] },
    { binding: [topic], tool: [returns("offset", "string")] },
  ),
  "queue/returns-narrows": queueEntry(
    {
      severity: "warning",
      title: "`returns` allows only some of the broker's receipts",
      explanation:
        "A receipt that doesn't fit `returns` fails its call when the message is published already. Let `returns` take all that a receipt may hold, or leave it out: the data has the receipt's type then.",
    },
    { binding: [topic], tool: [returns("partition", "integer, maximum: 9")] },
    { binding: [topic], tool: [returns("partition", "integer")] },
  ),
};
