import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.js";

/** A schema within a normalized document. */
export interface SchemaIn {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

/** A form that a value may have, with its keywords in one place. `true` means any value. */
export type Branch = JsonObject | true;

/**
 * A normalized document with the caches of one comparison. Each comparison starts with a new one,
 * so its result doesn't depend on earlier comparisons.
 */
export interface Source {
  readonly root: JsonSchema;
  /** Remaining steps, shared by the two documents of a comparison. */
  readonly steps: Steps;
  readonly branches: Map<JsonObject, readonly Branch[] | undefined>;
  /** Combined schemas, by the first of them and the numbers of all. */
  readonly joined: Map<string, JsonObject>;
  /** Schemas that each combined schema is made of, and their numbers. */
  readonly parts: Map<JsonObject, readonly JsonObject[]>;
  readonly numbers: Map<JsonObject, number>;
  /** The values of each `enum`, as texts. */
  readonly texts: Map<readonly JsonValue[], ReadonlySet<string>>;
}

export interface Steps {
  left: number;
}

/** Maximum number of steps of a comparison. */
const maxSteps = 3_000_000;

export function sourceOf(root: JsonSchema, steps: Steps = { left: maxSteps }): Source {
  return {
    root,
    steps,
    branches: new Map(),
    joined: new Map(),
    parts: new Map(),
    numbers: new Map(),
    texts: new Map(),
  };
}

/** Thrown if the steps are used up. The caller then returns its result for the unknown. */
class OutOfSteps extends Error {}

/** Counts steps. */
export function spend({ steps }: Pick<Source, "steps">, count: number): void {
  steps.left -= count;
  if (steps.left < 0) throw new OutOfSteps();
}

/** Returns the result of `ask`, or `otherwise` if the steps run out. */
export function inSteps<Answer>(ask: () => Answer, otherwise: Answer): Answer {
  try {
    return ask();
  } catch (error) {
    if (error instanceof OutOfSteps) return otherwise;
    throw error;
  }
}
