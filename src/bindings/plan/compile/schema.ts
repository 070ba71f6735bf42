import type { JsonObject } from "../../../core/json.js";
import { usualThreshold } from "../../../kit/sources/source-path.js";
import { statusNameSchema } from "../../../kit/status-names.js";
import type { OtherBindingWords } from "../../../kit/binding.js";

const text = { type: "string", minLength: 1 } as const;

/** Names of steps: part of the keys of a run, and of `step_<id>`. */
const stepIdPattern = /^[A-Za-z0-9_]+$/;

const stepId = {
  anyOf: [
    { type: "string", pattern: stepIdPattern.source, maxLength: 64 },
    { type: "integer", minimum: 0 },
  ],
} as const;

const sourceTypes = ["user_input", "step_output", "state", "literal", "generated"] as const;

/** The long form of a parameter's source. */
export const parameterBindingSchema: JsonObject = {
  type: "object",
  additionalProperties: false,
  properties: {
    source: { ...text, description: "The path of the value: `step_1.output.id`, or a parameter." },
    source_type: {
      description:
        "Where the value comes from; by default, the path says it. `generated`: a planner finds the value (`planner: true`).",
      enum: [...sourceTypes],
    },
    fallback: {
      description:
        "What happens if there is no value: `use_default` takes `default_value`, `omit` leaves an optional parameter out, `error` ends the plan, and `llm_infer` lets a planner find the value (`planner: true`). By default, a value that may be absent is a mistake.",
      enum: ["error", "use_default", "omit", "llm_infer"],
    },
    default_value: {
      description: "The value of a literal, or the value that `use_default` takes.",
    },
    transform: { ...text, description: "Text around the value: `Order {value}`." },
    confidence: {
      type: "number",
      minimum: 0,
      maximum: 1,
      description:
        "With `planner: true`, a source below `confidence_threshold` is not used. Otherwise for readers only.",
    },
    reasoning: { type: "string", description: "For readers only." },
  },
};

const source = {
  anyOf: [text, { ...parameterBindingSchema, required: ["source"] }],
} as const;

/** JSON Schema of the keys of a plan. */
export const planSchema: JsonObject = {
  properties: {
    steps: {
      description: "The calls of the plan, in order.",
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["id", "tool"],
        properties: {
          id: { ...stepId, description: "Name of the step: others read `step_<id>.output`." },
          tool: {
            ...text,
            description: "The tool: one of the same skill, or `other-skill/tool`.",
          },
          bindings: {
            description:
              "Sources of the tool's parameters: a path, a literal value, or a mapping with `source`.",
            type: "object",
          },
          after: {
            description: "Further steps that must end before this one begins.",
            type: "array",
            items: stepId,
          },
          parallel: {
            description:
              "`true` for a write that neither waits for the steps above it nor holds up the steps below.",
            type: "boolean",
          },
          when: {
            description: "The step is made only if a value is as expected.",
            type: "object",
            additionalProperties: false,
            required: ["source"],
            properties: {
              source: { ...source, description: "The path of the value." },
              equals: { description: "The value that is expected." },
              in: { type: "array", minItems: 1, description: "The values that are expected." },
              exists: { type: "boolean", description: "If the value must be there, or not." },
            },
          },
          for_each: {
            ...source,
            description: "The path of a list: one call for each item, which is `item`.",
          },
          max_items: {
            description: "Most items of `for_each`. A longer list ends the plan before the first.",
            type: "integer",
            minimum: 1,
            maximum: 1_000_000,
            default: 10_000,
          },
          on: {
            description:
              "What happens after a status without data: `stop` (the default), `continue` or `skip`.",
            type: "object",
            propertyNames: statusNameSchema,
            additionalProperties: { enum: ["stop", "continue", "skip"] },
          },
          suspend: {
            description: "`true` if a kept run waits for approvals and accepted work.",
            type: "boolean",
          },
        },
      },
    },
    output: {
      anyOf: [...source.anyOf, { type: "object", minProperties: 1 }],
      description:
        "The path of the plan's data, or a mapping of names to sources; without it, null.",
    },
    concurrency: {
      description: "Most reads at the same time.",
      type: "integer",
      minimum: 1,
      maximum: 64,
      default: 4,
    },
    planner: {
      description:
        "`true` lets the runtime's planner ask a model for parameters that are `generated`, or whose fallback is `llm_infer`.",
      type: "boolean",
      default: false,
    },
    confidence_threshold: {
      type: "number",
      minimum: 0,
      maximum: 1,
      default: usualThreshold,
      description:
        "With `planner: true`, sources with a lower `confidence` are not used. Otherwise for readers only.",
    },
    reasoning: { type: "string", description: "For readers only." },
    created_at: { type: "string", description: "For readers only." },
  },
  required: ["steps"],
};

/** Words that planners and workflow languages use for these keys. */
export const planOtherWords: OtherBindingWords = {
  keys: {
    steps: ["tasks", "nodes", "stages", "actions", "jobs"],
    output: ["result", "returns", "outputs"],
    concurrency: ["max_parallel", "parallelism", "max_concurrency"],
    "steps.id": ["step_id", "name"],
    "steps.tool": ["uses", "call", "action", "function"],
    "steps.bindings": ["inputs", "parameters", "params", "args", "arguments", "with"],
    "steps.after": ["depends_on", "needs", "requires"],
    "steps.when": ["if", "condition"],
    "steps.for_each": ["foreach", "loop", "map", "items", "with_items"],
    "steps.on": ["on_error", "catch", "on_failure"],
  },
};
