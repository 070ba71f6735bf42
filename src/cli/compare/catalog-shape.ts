/** The required shape of a catalog, except for its schemas. */
import type { JsonObject, JsonValue } from "../../core/json.js";
import type { SchemaModel } from "../../core/skill-model.js";
import { valueChecker, type ValueProblem } from "../../schema/check-value.js";

const text = { type: "string" } as const;
const texts = { type: "array", items: text } as const;
const truth = { type: "boolean" } as const;
const amount = { type: "number" } as const;

/** Uses a pattern, because its error message lists the words. */
function oneOf(...words: readonly string[]): JsonObject {
  return { type: "string", pattern: `^(?:${words.join("|")})$` };
}

const tool: JsonObject = {
  type: "object",
  // Keys that every version of a catalog has. Later keys count as absent if missing.
  required: [
    "id",
    "name",
    "description",
    "input_schema",
    "kind",
    "side_effect",
    "risk_level",
    "requires_confirmation",
    "tags",
    "deprecated",
  ],
  properties: {
    id: text,
    name: text,
    model_name: text,
    function: text,
    description: text,
    input_schema: { type: ["object", "boolean"] },
    output_schema: { type: ["object", "boolean", "null"] },
    kind: text,
    needs_handler: truth,
    side_effect: oneOf("read", "write"),
    mode: oneOf("active", "shadow"),
    risk_level: oneOf("low", "medium", "high", "critical"),
    requires_confirmation: truth,
    manifest_hash: text,
    version: text,
    capabilities: {
      type: "array",
      items: {
        type: "object",
        required: ["capability"],
        properties: { capability: text, credentials: texts, relation: text, columns: texts },
      },
    },
    caller: texts,
    param_aliases: { type: "object", additionalProperties: texts },
    tags: texts,
    deprecated: { type: ["boolean", "string", "object"] },
    governance: {
      type: "object",
      properties: {
        scopes: texts,
        capabilities: texts,
        reach: text,
        approval: { type: "object", properties: { when: text, ttl_ms: amount, by: text } },
        limits: { type: "object", additionalProperties: amount },
        idempotency: text,
        concurrency: text,
        state: text,
        display_name: text,
        group: text,
        models: texts,
      },
    },
  },
};

const catalogSchema: JsonObject = {
  type: "object",
  required: ["skills"],
  properties: {
    skills: {
      type: "array",
      items: {
        type: "object",
        required: ["name", "description", "tools"],
        properties: {
          name: text,
          description: text,
          body: text,
          file: text,
          prerequisites: { type: "object", additionalProperties: texts },
          $defs: { type: "object", additionalProperties: { type: ["object", "boolean"] } },
          tools: { type: "array", items: tool },
        },
      },
    },
  },
};

const model: SchemaModel = {
  kind: "schema",
  schema: catalogSchema,
  span: { file: "catalog.json", start: 0, end: 0 },
  places: {},
};

let check: ReturnType<typeof valueChecker> | undefined;

/** Reasons why a value is not a catalog; empty if it is. */
export function catalogProblems(value: JsonValue): readonly ValueProblem[] {
  check ??= valueChecker(model);
  return check(value);
}
