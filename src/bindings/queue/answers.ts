import type { JsonSchema } from "../../core/json.js";
import type { ToolModel } from "../../core/skill-model.js";
import { successData, type ToolAnswer } from "../../kit/answers.js";
import type { QueueConfig } from "./model.js";
import { providerNamed } from "./providers/registry.js";

/** The statuses of a tool's answers: those of the emitted type, in `emit.ts`. */
export function queueAnswers(tool: ToolModel, config: QueueConfig): readonly ToolAnswer[] {
  const { other } = providerNamed(config.provider.name).types;
  return [
    { status: "success", data: successData(tool, receiptSchema(config)) },
    ...(other ? [{ status: other.status }] : []),
  ];
}

/** Schema of the broker's receipt. A name that each call builds is any text. */
export function receiptSchema(config: QueueConfig): JsonSchema {
  const fields = Object.entries(providerNamed(config.provider.name).receiptOf(config));
  return {
    type: "object",
    additionalProperties: false,
    required: fields.flatMap(([name, { isOptional }]) => (isOptional ? [] : [name])),
    properties: Object.fromEntries(
      fields.map(([name, { schema }]) => [name, schema ?? { type: "string" }]),
    ),
  };
}
