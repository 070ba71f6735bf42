import type { Catalogue } from "../../../core/catalogue.js";
import { avroTool, wholeOrder } from "./example-message.js";
import { type ExampleTool, queueEntry } from "./example.js";

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
export const fieldCatalogue: Catalogue = {
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
