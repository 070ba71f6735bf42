import type { ProjectFiles } from "../../../../src/core/diagnostic-entry.js";
import type { JsonValue } from "../../../../src/core/json.js";
import { queueTool } from "../../support/queue-tool.js";

export function field(name: string, type: JsonValue, initial?: JsonValue): JsonValue {
  return { name, type, ...(initial !== undefined && { default: initial }) };
}

export const record = (name: string, ...fields: readonly JsonValue[]): JsonValue => ({
  type: "record",
  name,
  fields,
});

export const symbols: JsonValue = { type: "enum", name: "Status", symbols: ["OPEN", "PAID"] };

interface Parts {
  /** Properties of the parameters, as YAML in braces. */
  readonly parameters?: string;
  readonly required?: string;
  readonly defs?: string;
  /** The message as YAML, on line 8 from column 12. By default it consists of all parameters. */
  readonly message?: string;
}

/**
 * Returns diagnostics, without `line:column`, of a message for an Avro record with these fields.
 */
export function ofAvro(parts: Parts, ...fields: readonly JsonValue[]): readonly string[] {
  return withSchema("avro", JSON.stringify(record("Order", ...fields)), parts).lines.map(unplaced);
}

/** Returns diagnostics, without `line:column`, of a message for a JSON Schema. */
export function ofJson(parts: Parts, schema: JsonValue): readonly string[] {
  return withSchema("json", JSON.stringify(schema), parts).lines.map(unplaced);
}

export function withSchema(format: "avro" | "json" | "protobuf", schema: string, parts: Parts) {
  const { parameters = "{}", required = "", defs, message } = parts;
  const lines = [
    `parameters: { type: object, properties: ${parameters}, required: [${required}]${defs === undefined ? "" : `, $defs: ${defs}`} }`,
    "binding:",
    "  provider: kafka",
    "  connection: ${EVENTS}",
    "  topic: orders",
    `  format: ${format}`,
    `  schema: ${format === "protobuf" ? "./order.proto#Order" : "./order.json"}`,
    ...(message === undefined ? [] : [`  message: ${message}`]),
  ];
  return queueTool(lines.join("\n"), { "order.json": schema, "order.proto": schema });
}

/** Removes the place and the kind's name from a diagnostic: `[text] fault`. */
function unplaced(line: string): string {
  return line.replace(/^\d+:\d+ queue\//, "");
}

/** Returns a tool with a binding of these lines. It has one required `id`, or other parameters. */
export function withBinding(
  lines: readonly string[],
  parameters = "{ id: { type: string, format: uuid } }",
  required = "id",
  files: ProjectFiles = {},
) {
  const head = `parameters: { type: object, properties: ${parameters}, required: [${required}] }`;
  const binding = ["binding:", ...lines.map((line) => `  ${line}`)];
  return queueTool([head, ...binding].join("\n"), files);
}
