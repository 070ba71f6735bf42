import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.js";
import { contractDefaults } from "@skillc/runtime/internal";
import type { Effect } from "../core/skill-model.js";
import { type MapNode, textOf, valueOf } from "../core/syntax-node.js";
import type { BindingKind } from "./binding.js";

const commonKeys: ReadonlySet<string> = new Set(["mode", "timeout_ms", "retry"]);

/**
 * Checks if skillc itself, and not the kind, reads the key. `idempotency` doesn't count, because
 * kinds have their own forms of it.
 */
export function isCommonKey(key: string, { declaresEffect }: BindingKind): boolean {
  return commonKeys.has(key) || (declaresEffect === true && key === "effect");
}

/** Checks if calls have no time limit by default, as those of an application's own function. */
function isUntimed({ needsHandler, untimed }: BindingKind): boolean {
  return needsHandler || untimed === true;
}

/** Time limit of calls for which the author sets none, in milliseconds; 0 for no limit. */
export function usualTimeoutMs(kind: BindingKind): number {
  if (isUntimed(kind)) return 0;
  return kind.timeLimit?.usualMs ?? commonDefaults.timeoutMs;
}

export const commonDefaults = {
  ...contractDefaults,
  /** Default number of attempts for calls that may be repeated. */
  repeatableAttempts: 3,
} as const;

/** The author's declared effect, if the kind allows one; undefined if it is absent or invalid. */
export function declaredEffect(node: MapNode, kind: BindingKind): Effect | undefined {
  const word = kind.declaresEffect ? textOf(valueOf(node, "effect")) : undefined;
  return word === "read" || word === "write" ? word : undefined;
}

const made = new WeakMap<BindingKind, JsonObject>();

/**
 * JSON Schema (2020-12) of a whole `binding:` of that kind: the common keys and the kind's own. The
 * compiler checks bindings against it; editors can too. The same object for the same kind.
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
      type: { const: kind.type, description: `Binding kind: ${kind.title}.` },
      mode: modeSchema(kind),
      timeout_ms: timeoutSchema(kind),
      retry: retrySchema,
      ...(kind.declaresEffect && { effect: effectSchema }),
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

function timeoutSchema(kind: BindingKind): JsonObject {
  return {
    description:
      kind.timeLimit === undefined
        ? "Time limit of one attempt including the connection, in milliseconds; at most a day."
        : "Time limit of one attempt, in milliseconds.",
    type: "integer",
    minimum: 1,
    // Far below the limits of Node.js timers and PostgreSQL settings: 2^31 - 1.
    maximum: kind.timeLimit?.maxMs ?? 86_400_000,
    ...(isUntimed(kind) ? {} : { default: usualTimeoutMs(kind) }),
  };
}

const effectSchema: JsonObject = {
  description:
    "`read` if a call changes nothing: skillc sends reads in shadow mode too, and repeats them after a failure. `write` if a call changes something.",
  enum: ["read", "write"],
};

const retrySchema: JsonObject = {
  description: "Number of attempts, and the pauses between them.",
  type: "object",
  additionalProperties: false,
  properties: {
    max_attempts: {
      description:
        "Maximum number of attempts. By default 3 for reads and idempotent writes, 1 for other writes.",
      type: "integer",
      minimum: 1,
      maximum: 10,
    },
    backoff_ms: {
      description: "Pause before the second attempt, in milliseconds, with full jitter.",
      type: "integer",
      minimum: 0,
      maximum: 600_000,
      default: commonDefaults.backoffMs,
    },
    backoff_multiplier: {
      description: "Factor by which each further pause grows.",
      type: "number",
      minimum: 1,
      maximum: 100,
      default: commonDefaults.backoffMultiplier,
    },
  },
};

/** Schema of `idempotency`. Any author may write `natural`, and a kind may have further forms. */
function idempotencySchema(own: JsonValue | undefined): JsonObject {
  const natural = { description: "Repeating a call does no harm.", const: "natural" };
  return own === undefined ? natural : { anyOf: [natural, own] };
}
