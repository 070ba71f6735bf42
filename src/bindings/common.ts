import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.js";
import type { BindingKind } from "./binding.js";

/** Keys that every kind of binding has and that skillc itself reads. `idempotency` is not among them: kinds have forms of their own. */
export const commonKeys: ReadonlySet<string> = new Set(["mode", "timeout_ms", "retry"]);

export const commonDefaults = {
  mode: "active",
  /** Milliseconds. */
  timeoutMs: 5000,
  /** Milliseconds. */
  backoffMs: 1000,
  backoffMultiplier: 2,
  /** Total attempts of what may be repeated; anything else has one. */
  repeatableAttempts: 3,
} as const;

const made = new WeakMap<BindingKind, JsonObject>();

/**
 * JSON Schema (2020-12) of a whole `binding:` of that kind: the common keys and the kind's own. The compiler checks bindings against it;
 * editors can too. The same object for the same kind.
 */
export function bindingSchema(kind: BindingKind): JsonObject {
  const known = made.get(kind);
  if (known !== undefined) return known;
  const schema = mergedSchema(kind);
  made.set(kind, schema);
  return schema;
}

function mergedSchema(kind: BindingKind): JsonObject {
  const own = objectAt(kind.schema, "properties");
  const required = kind.schema["required"];
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `Binding of type ${kind.type}`,
    ...kind.schema,
    type: "object",
    additionalProperties: false,
    required: ["type", ...(Array.isArray(required) ? required : [])],
    properties: {
      type: { const: kind.type },
      mode: modeSchema(kind),
      timeout_ms: timeoutSchema,
      retry: retrySchema,
      ...own,
      idempotency: idempotencySchema(own["idempotency"]),
    },
  };
}

function objectAt(schema: JsonObject, key: string): JsonObject {
  const value = schema[key];
  return isJsonObject(value) ? value : {};
}

function modeSchema(kind: BindingKind): JsonObject {
  return {
    description: "`shadow` records writes instead of sending them.",
    enum: kind.modes,
    default: commonDefaults.mode,
  };
}

const timeoutSchema: JsonObject = {
  description: "Milliseconds for one attempt, connection included; a day at most.",
  type: "integer",
  minimum: 1,
  // Far below what timers of Node and settings of PostgreSQL hold: 2^31 - 1.
  maximum: 86_400_000,
  default: commonDefaults.timeoutMs,
};

const retrySchema: JsonObject = {
  type: "object",
  additionalProperties: false,
  properties: {
    max_attempts: {
      description:
        "Total attempts. 3 by default for reads and idempotent writes, 1 for other writes.",
      type: "integer",
      minimum: 1,
      maximum: 10,
    },
    backoff_ms: {
      description: "Milliseconds before the second attempt, with full jitter.",
      type: "integer",
      minimum: 0,
      maximum: 600_000,
      default: commonDefaults.backoffMs,
    },
    backoff_multiplier: {
      description: "What the wait grows by from one attempt to the next.",
      type: "number",
      minimum: 1,
      maximum: 100,
      default: commonDefaults.backoffMultiplier,
    },
  },
};

/** `natural` is any author's to say; a kind may have further forms. */
function idempotencySchema(own: JsonValue | undefined): JsonObject {
  const natural = { description: "Repeating the call does no harm.", const: "natural" };
  return own === undefined ? natural : { anyOf: [natural, own] };
}
