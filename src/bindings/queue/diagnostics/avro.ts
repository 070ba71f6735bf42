import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../../core/diagnostic-entry.js";
import type { Severity } from "../../../core/diagnostic.js";

const skill = [
  "---",
  "name: order-events",
  "description: Tells other systems what happens to orders.",
  "tools:",
  "  announce-order:",
  "    description: Announces a new order.",
  "    order_id: string",
  "    binding:",
  "      type: queue",
  "      provider: kafka",
  "      connection: ${ORDER_EVENTS}",
  "      topic: orders.created",
  "      format: avro",
  "      schema: ./order.avsc",
  "---",
  "",
].join("\n");

function project(schema: string): ProjectFiles {
  return {
    "skills/order-events/SKILL.md": skill,
    "skills/order-events/order.avsc": `${schema}\n`,
  };
}

/** An order with one more field. */
function order(field: string): string {
  return [
    '{ "type": "record", "name": "acme.Order", "fields": [',
    '  { "name": "order_id", "type": "string" },',
    `  ${field}`,
    "] }",
  ].join("\n");
}

function entry(
  title: string,
  explanation: string,
  broken: string,
  fixed: string,
  severity: Severity = "error",
): DiagnosticEntry {
  return { severity, title, explanation, example: project(broken), fixed: project(fixed) };
}

/** What can be wrong with an Avro schema. */
export const avroDiagnosticEntries: DiagnosticEntries = {
  "queue/bad-avro-schema": entry(
    "a schema that is not Avro's",
    "The schema is read by `avsc`, by the rules of Avro's specification: types are defined where they stand first and named by their full names from there on, names are letters, " +
      "digits and `_`, a default fits its field's type (a union's its first branch), and a union names each type once.",
    order('{ "name": "note", "type": "strin", "default": "" }'),
    order('{ "name": "note", "type": "string", "default": "" }'),
  ),
  "queue/not-a-record": entry(
    "an Avro schema that is no record at its root",
    "A message is an object of fields, whose names parameters are put under. Where a file has several types, the record comes last or holds the others.",
    '{ "type": "array", "items": "string" }',
    '{ "type": "record", "name": "acme.Order", "fields": [{ "name": "order_id", "type": "string" }] }',
  ),
  "queue/endless-record": entry(
    "a record that needs itself",
    "A field without an end: each value of the record would hold another one, so no message could ever be written. A field that may be null, or a list, ends it.",
    order('{ "name": "parent", "type": "Order" }'),
    order('{ "name": "parent", "type": ["null", "Order"], "default": null }'),
  ),
  "queue/ignored-logical-type": entry(
    "a logical type that means nothing where it stands",
    "Avro ignores a logical type on a type that it does not belong to, or without what it needs: a `timestamp-millis` is a `long`, a `decimal` has a `precision`; and one that stands " +
      "beside a field's type, not in it. Everyone then reads and writes the plain type below it.",
    order(
      '{ "name": "placed_at", "type": ["null", { "type": "string", "logicalType": "timestamp-millis" }], "default": null }',
    ),
    order(
      '{ "name": "placed_at", "type": ["null", { "type": "long", "logicalType": "timestamp-millis" }], "default": null }',
    ),
    "warning",
  ),
};
