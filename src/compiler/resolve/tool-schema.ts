import type { JsonObject } from "../../core/json.js";
import { holdsJsonSchema } from "../../schema/editor-marks.js";
import { riskWords } from "./read-values.js";
import { governanceSchema } from "./resolve-governance.js";
import { rollbackSchema } from "./resolve-rollback.js";
import { int64Schema } from "./skill-settings.js";

const texts: JsonObject = { type: "array", items: { type: "string" } };

/** JSON Schema of a tool's keys, independent of the form of its parameters. */
export const toolSchema: JsonObject = {
  type: "object",
  properties: {
    description: {
      description: "The description for models: what the tool does, and when to use it.",
      type: "string",
    },
    parameters: {
      ...holdsJsonSchema,
      description: "JSON Schema of the parameters, of type `object`.",
      type: "object",
    },
    params: { ...holdsJsonSchema, description: "Another name for `parameters`.", type: "object" },
    returns: {
      ...holdsJsonSchema,
      description:
        "JSON Schema of the data of a success. Without it the type is `unknown`, and nothing is checked.",
      type: ["object", "boolean"],
    },
    binding: {
      description:
        "The request that a call makes. Without a binding, the application supplies a handler.",
      type: "object",
    },
    risk_level: {
      description:
        "Risk of a call. The tool's value comes before the skill's. By default a read is `low` and a write is `medium`.",
      enum: riskWords,
    },
    requires_confirmation: {
      description:
        "If `true`, a person must confirm a call: the agent asks, or, if calls are governed, an approval is required.",
      type: "boolean",
    },
    unused: { ...texts, description: "Parameters that the binding does not use, on purpose." },
    param_aliases: {
      description:
        "Other names of parameters: under each parameter, one name or a list of names under which other tools and inputs know the same value.",
      type: "object",
      additionalProperties: {
        type: ["string", "array"],
        minLength: 1,
        minItems: 1,
        items: { type: "string", minLength: 1 },
      },
    },
    tags: { ...texts, description: "Words for the catalog." },
    version: { description: "The author's own version of the tool, as text.", type: "string" },
    deprecated: {
      description: "`true`, or the reason. Models are no longer offered the tool.",
      type: ["boolean", "string", "object"],
      additionalProperties: false,
      properties: {
        since: { description: "The version or the day of the deprecation.", type: "string" },
        use: { description: "What to use instead: the name of a tool.", type: "string" },
        reason: { description: "Why.", type: "string" },
      },
    },
    int64: int64Schema,
    governance: governanceSchema,
    rollback: rollbackSchema,
  },
};

export const toolKeys: readonly string[] = Object.keys(toolSchema["properties"] ?? {});
