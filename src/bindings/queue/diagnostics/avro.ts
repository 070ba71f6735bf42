import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../../core/diagnostic-entry.js";
import type { Severity } from "../../../core/diagnostic.js";
import { exampleSkill } from "../../../core/example-skill.js";

const skill = exampleSkill("order-events", "Tells other systems what happens to orders.", [
  "tools_schema:",
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
]);

function project(schema: string): ProjectFiles {
  return {
    ...skill,
    "skills/order-events/order.avsc": `${schema}\n`,
  };
}

/** Returns the schema of an order with one more field. */
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

/** Diagnostics about Avro schemas. */
export const avroDiagnosticEntries: DiagnosticEntries = {
  "queue/bad-avro-schema": entry(
    "an invalid Avro schema",
    "`avsc` reads the schema by the rules of Avro's specification. Define a type at its first use, and write its full name after that. Names have letters, digits and `_`. A default fits the type of its field (in a union, the first branch), and a union names each type once.",
    order('{ "name": "note", "type": "strin", "default": "" }'),
    order('{ "name": "note", "type": "string", "default": "" }'),
  ),
  "queue/not-a-record": entry(
    "an Avro schema whose root is not a record",
    "A message is an object with fields, and the binding puts parameters into these fields by name. If the file has several types, put the record last, or define the other types inside it.",
    '{ "type": "array", "items": "string" }',
    '{ "type": "record", "name": "acme.Order", "fields": [{ "name": "order_id", "type": "string" }] }',
  ),
  "queue/endless-record": entry(
    "a record that always contains itself",
    "Each value of the record must hold another value of the same record, without end. No such message could be written. Make the field nullable or a list to end the chain.",
    order('{ "name": "parent", "type": "Order" }'),
    order('{ "name": "parent", "type": ["null", "Order"], "default": null }'),
  ),
  "queue/ignored-logical-type": entry(
    "a logical type that Avro ignores",
    "Avro ignores a logical type that doesn't belong to its type or lacks a required attribute. For example, `timestamp-millis` needs a `long`, and `decimal` needs a `precision`. Avro also ignores a logical type beside a field's type instead of inside it. Every reader and writer then uses the plain type.",
    order(
      '{ "name": "placed_at", "type": ["null", { "type": "string", "logicalType": "timestamp-millis" }], "default": null }',
    ),
    order(
      '{ "name": "placed_at", "type": ["null", { "type": "long", "logicalType": "timestamp-millis" }], "default": null }',
    ),
    "warning",
  ),
};
