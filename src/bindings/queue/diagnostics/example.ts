import type { DiagnosticEntry, ProjectFiles } from "../../../core/diagnostic-entry.js";
import { exampleSkill } from "../../../core/example-skill.js";

/** The parts of an example tool, as YAML lines. */
export interface ExampleTool {
  readonly parameters?: readonly string[];
  /** Keys of the tool beside `binding`. */
  readonly tool?: readonly string[];
  /** Keys of the binding beside `type`, `provider` and `connection`. */
  readonly binding: readonly string[];
  /** Undefined for a binding without `provider`. */
  readonly provider?: string | undefined;
  readonly connection?: string;
  /** Files beside SKILL.md, by name. */
  readonly files?: ProjectFiles;
}

/** Returns a project with one skill and one queue tool, for an example. */
export function exampleProject({
  binding,
  connection = "${ORDER_EVENTS}",
  files = {},
  parameters = ["order_id: string"],
  tool = [],
  ...rest
}: ExampleTool): ProjectFiles {
  const provider = "provider" in rest ? rest.provider : "kafka";
  const lines = [
    "tools_schema:",
    "  announce-order:",
    "    description: Announces one order.",
    ...[...parameters, ...tool].map((line) => `    ${line}`),
    "    binding:",
    "      type: queue",
    ...(provider === undefined ? [] : [`      provider: ${provider}`]),
    `      connection: ${connection}`,
    ...binding.map((line) => `      ${line}`),
  ];
  const beside = Object.entries(files).map(
    ([name, text]) => [`skills/order-events/${name}`, text] as const,
  );
  return {
    ...exampleSkill("order-events", "Tells others what happened to orders.", lines),
    ...Object.fromEntries(beside),
  };
}

/** Returns an entry whose faulty and fixed examples differ only in the tool. */
export function queueEntry(
  about: Pick<DiagnosticEntry, "title" | "explanation"> & {
    readonly severity?: DiagnosticEntry["severity"];
  },
  broken: ExampleTool,
  fixed: ExampleTool,
): DiagnosticEntry {
  const { explanation, severity = "error", title } = about;
  return {
    severity,
    title,
    explanation,
    example: exampleProject(broken),
    fixed: exampleProject(fixed),
  };
}

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

/** Returns a tool that sends orders with an Avro schema. */
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

/** A tool whose message has every field. */
export const wholeOrder = avroTool('{ order_id: "{order_id}", quantity: "{quantity}" }');
