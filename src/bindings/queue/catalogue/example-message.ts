import type { ExampleTool } from "./example.js";

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

/** A tool that sends orders by an Avro schema. */
export function avroTool(message: string, parameters?: readonly string[]): ExampleTool {
  return {
    parameters: parameters ?? [
      "order_id: string",
      "quantity: { type: integer, minimum: 1, maximum: 99 }",
    ],
    binding: [
      "topic: orders.created",
      "format: avro",
      "schema: ./order.avsc",
      `message: ${message}`,
    ],
    files: { "order.avsc": schema },
  };
}

/** One that gives every field. */
export const wholeOrder = avroTool('{ order_id: "{order_id}", quantity: "{quantity}" }');
