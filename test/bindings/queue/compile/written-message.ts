/** Messages as authors write them, without the file around them. */
import { checkMessage } from "../../../../src/bindings/queue/check/check-message.js";
import { queueBinding } from "../../../../src/bindings/queue/index.js";
import type { MessageSchema } from "../../../../src/bindings/queue/message-schema.js";
import type { ValueNode } from "../../../../src/kit/values/model.js";
import type { Diagnostic } from "../../../../src/core/diagnostic.js";
import type { JsonObject, JsonValue } from "../../../../src/core/json.js";
import { createReport } from "../../../../src/core/report.js";
import type { ToolModel } from "../../../../src/core/skill-model.js";
import { schemaDiagnosticEntries } from "../../../../src/schema/diagnostics.js";

const span = { file: "SKILL.md", start: 0, end: 1 };

/** Returns the diagnostics of a message. All parameters are required and have these schemas. */
export function faultsOf(
  schema: MessageSchema,
  message: ValueNode,
  parameters: JsonObject = {},
): readonly Diagnostic[] {
  const report = createReport({ ...schemaDiagnosticEntries, ...queueBinding.diagnostics });
  const tool = toolWith({
    type: "object",
    properties: parameters,
    required: Object.keys(parameters),
  });
  const place = { kind: "queue", json: "the message", tool, report };
  checkMessage(place, {
    provider: { name: "kafka", span },
    connection: { name: "EVENTS", span },
    target: [{ kind: "name", field: "topic", template: { span, parts: [], whole: true } }],
    message: { kind: "template", value: message, span },
    schema,
    headers: [],
    whole: true,
  });
  return report.diagnostics();
}

function toolWith(schema: JsonObject): ToolModel {
  return {
    kind: "tool",
    name: "announce-order",
    span,
    manifest: "",
    description: "Announces one order.",
    parameters: { kind: "schema", schema, span, places: {} },
    riskLevel: "low",
    requiresConfirmation: false,
    unused: [],
    tags: [],
    deprecated: false,
    binding: {
      type: "queue",
      span,
      mode: "active",
      timeoutMs: 5000,
      retry: { maxAttempts: 1, backoffMs: 1000, backoffMultiplier: 2 },
      naturallyIdempotent: false,
      idempotent: false,
      effect: "write",
      config: {},
      credentials: [],
      references: [],
    },
  };
}

export type Path = readonly (string | number)[];

/** Writes a value as a template with parameters in some places. */
export function written(
  value: JsonValue,
  parameters: readonly (readonly [name: string, at: Path])[] = [],
  path: Path = [],
): ValueNode {
  const name = parameters.find(([, at]) => isSame(at, path))?.[0];
  if (name !== undefined) return parameterNode(name);
  if (typeof value === "string") return textNode(value);
  if (typeof value !== "object" || value === null) return { kind: "literal", value, span };
  const inside = (step: string | number, each: JsonValue) =>
    written(each, parameters, [...path, step]);
  if (Array.isArray(value))
    return {
      kind: "list",
      items: value.map((each: JsonValue, index) => inside(index, each)),
      span,
    };
  const entries = Object.entries(value).map(([step, each]) => ({
    name: step,
    span,
    value: inside(step, each as JsonValue),
  }));
  return { kind: "map", entries, span };
}

function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((step, index) => step === other[index]);
}

function textNode(text: string): ValueNode {
  const part = { kind: "literal", text, start: 0, end: text.length, span } as const;
  return { kind: "template", template: { span, parts: text === "" ? [] : [part], whole: true } };
}

function parameterNode(name: string): ValueNode {
  const part = { kind: "parameter", path: [name], start: 0, end: name.length, span } as const;
  return { kind: "template", template: { span, parts: [part], whole: true } };
}
