import type { DiagnosticEntries } from "../../../core/diagnostic-entry.js";
import { providers } from "../providers/registry.js";
import { avroTool, type ExampleTool, queueEntry, wholeOrder } from "./example.js";

const topic = "topic: orders.created";

function json(message: string, parameters?: readonly string[]): ExampleTool {
  return { ...(parameters && { parameters }), binding: [topic, `message: ${message}`] };
}

/** Diagnostics about messages. */
export const messageDiagnosticEntries: DiagnosticEntries = {
  "queue/no-schema": queueEntry(
    {
      title: "a format without its schema",
      explanation:
        "Avro and Protobuf messages can't be encoded without a schema. The schema defines the order of the fields and how each field is written.",
    },
    { binding: [topic, "format: avro"] },
    avroTool('{ order_id: "{order_id}", quantity: 1 }', ["order_id: string"]),
  ),
  "queue/other-format": queueEntry(
    {
      title: "a schema of another format",
      explanation:
        "`format` says how messages are encoded; the default is `json`. A file that ends in `.avsc` describes Avro messages, and a file that ends in `.proto` describes Protobuf messages.",
    },
    { ...wholeOrder, binding: wholeOrder.binding.filter((line) => line !== "format: avro") },
    wholeOrder,
  ),
  "queue/not-for-format": queueEntry(
    {
      title: "a key that the format doesn't support",
      explanation:
        "Only Avro messages start with the id of a schema registry, so `registry` is for Avro. `#Name` chooses a message in a `.proto` file. An Avro file is one schema and needs no name.",
    },
    { binding: [topic, "registry: ${SCHEMA_REGISTRY_URL}"] },
    { binding: [topic] },
  ),
  "queue/credential-in-message": queueEntry(
    {
      title: "a credential in a message",
      explanation:
        "Everybody with access to the queue can read, copy and keep its messages. skillc also encodes a message before it looks up credentials, so that shadow mode records exactly what would be sent.",
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
        'YAML reads `{order_id}` without quotes as a mapping with the key `order_id` and no value. The message would hold `null` there. In quotes, `"{order_id}"` is a placeholder.',
    },
    json("{ id: {order_id} }"),
    json('{ id: "{order_id}" }'),
  ),
  "queue/placeholder-in-name": queueEntry(
    {
      title: "a placeholder in a name",
      explanation:
        "Names of fields and headers are fixed text. Only values may contain placeholders.",
    },
    json('{ "{order_id}": 1, id: "{order_id}" }'),
    json('{ id: "{order_id}" }'),
  ),
  "queue/optional-in-list": queueEntry(
    {
      title: "an optional parameter as an item of a list",
      explanation:
        "skillc leaves an absent property out of the message. If an item of a list were absent, the items after it would move to other positions.",
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

/** Diagnostics about the fields of messages. */
export const fieldDiagnosticEntries: DiagnosticEntries = {
  "queue/unknown-field": queueEntry(
    {
      title: "a field that the schema doesn't have",
      explanation:
        "The encoder would leave out this field without an error. Write names exactly as in the schema, including upper and lower case.",
    },
    avroTool('{ orderID: "{order_id}", quantity: "{quantity}" }'),
    wholeOrder,
  ),
  "queue/missing-field": queueEntry(
    {
      title: "a message without a required field",
      explanation:
        "Without this field, no message can be encoded, so no call could succeed. You may leave out a field that has a default.",
    },
    avroTool('{ order_id: "{order_id}" }', ["order_id: string"]),
    wholeOrder,
  ),
  "queue/optional-field": queueEntry(
    {
      title: "an optional parameter for a required field",
      explanation:
        "If a caller leaves out an optional parameter, the message has no value for its field. The same happens if a parameter inside a text is null. Use an optional parameter only for a field that may be absent or has a default.",
    },
    avroTool('{ order_id: "{order_id}", quantity: "{quantity}" }', [
      "order_id: string",
      "quantity?: { type: integer, minimum: 1, maximum: 99 }",
    ]),
    wholeOrder,
  ),
  "queue/field-type": queueEntry(
    {
      title: "a value that the field can't hold",
      explanation:
        "No value of the parameter fits the field's type, range, symbols or format, so no call with a value could succeed. If some values fit, skillc reports the warning `queue/field-may-not-fit` instead. skillc checks null separately: if the parameter may be null and the field rejects null, that is an error.",
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
      title: "a value that the field may not hold",
      explanation:
        "The parameter's schema allows more than the field holds or is too vague, or skillc knows only a part of a text. A call with such a value fails with an error before anything is sent. A stricter schema rejects the value earlier and tells the model what is allowed.",
    },
    avroTool('{ order_id: "{order_id}", quantity: "{quantity}" }', [
      "order_id: string",
      "quantity: integer",
    ]),
    wholeOrder,
  ),
  "queue/exclusive-fields": queueEntry(
    {
      title: "two fields of one `oneof`",
      explanation:
        "A message holds only one field of a `oneof`. If you set two, the last one wins and the other is lost.",
    },
    protobufTool('{ card: "{card}", iban: "{iban}" }', ["card: string", "iban: string"]),
    protobufTool('{ card: "{card}" }', ["card: string"]),
  ),
  "queue/ambiguous-union": queueEntry(
    {
      title: "a value of a union without its branch",
      explanation:
        "skillc picks the branch of an Avro union by the JSON value: the first branch that fits. `string` before other branches takes every text, an enum before `string` takes its symbols, and `int` or `long` before `double` takes whole numbers. The choice is unclear if a value fits two branches (`bytes` and `string`, or two records with the same fields), or if a `float` would round a number. In that case, name the branch as Avro's own JSON does: `{ string: … }`, `{ acme.Order: … }`. Only null is written without a branch.",
    },
    unionTool('{ reference: "{reference}" }'),
    unionTool('{ reference: { string: "{reference}" } }'),
  ),
};

const returns = (name: string, type: string) =>
  `returns: { type: object, required: [${name}], properties: { ${name}: { type: ${type} } } }`;

/** Diagnostics about receipts and `returns`. */
export const receiptDiagnosticEntries: DiagnosticEntries = {
  "queue/returns-mismatch": queueEntry(
    {
      title: "`returns` contradicts the broker's receipt",
      explanation:
        `The data of a success is the broker's receipt, which says where the message went: ${providers.map(({ explains }) => explains.receipt).join("; ")}. ` +
        "If a receipt doesn't fit `returns`, the call fails although the message is already published. It is an error if no receipt can fit `returns`, or if `returns` forbids a name that some receipts have. Without `returns`, the data has the type of the receipt.",
    },
    { binding: [topic], tool: [returns("sent", "boolean")] },
    { binding: [topic], tool: [returns("offset", "string")] },
  ),
  "queue/returns-narrows": queueEntry(
    {
      severity: "warning",
      title: "`returns` allows only some of the broker's receipts",
      explanation:
        "If a receipt doesn't fit `returns`, the call fails although the message is already published. Let `returns` allow every receipt, or remove `returns`: the data then has the type of the receipt.",
    },
    { binding: [topic], tool: [returns("partition", "integer, maximum: 9")] },
    { binding: [topic], tool: [returns("partition", "integer")] },
  ),
};
