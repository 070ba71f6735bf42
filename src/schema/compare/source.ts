import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.js";

/** A schema within a normalized document. */
export interface SchemaIn {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

/** One of the forms that a value may have, its keywords in one place. `true`: any value. */
export type Branch = JsonObject | true;

/**
 * A normalized document, and what one question has worked out of it. Each question begins with a
 * new one, so that its answer depends on nothing that was asked before.
 */
export interface Source {
  readonly root: JsonSchema;
  /** Counted down by all work; shared by the two documents of a comparison. */
  readonly steps: Steps;
  readonly branches: Map<JsonObject, readonly Branch[] | undefined>;
  /** Schemas that hold together, by the first of them and the numbers of all. */
  readonly joined: Map<string, JsonObject>;
  /** The schemas that a joined one is made of, and the number of each. */
  readonly parts: Map<JsonObject, readonly JsonObject[]>;
  readonly numbers: Map<JsonObject, number>;
  /** The values of each `enum`, as texts. */
  readonly texts: Map<readonly JsonValue[], ReadonlySet<string>>;
}

export interface Steps {
  left: number;
}

/** What is larger is not looked at to the end. */
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

/** Thrown where the steps are used up; who asks gets the answer for what isn't known. */
class OutOfSteps extends Error {}

/** Counts steps. */
export function spend({ steps }: Pick<Source, "steps">, count: number): void {
  steps.left -= count;
  if (steps.left < 0) throw new OutOfSteps();
}

/** What a question gives, or what stands for its answer where the steps don't suffice. */
export function inSteps<Answer>(ask: () => Answer, otherwise: Answer): Answer {
  try {
    return ask();
  } catch (error) {
    if (error instanceof OutOfSteps) return otherwise;
    throw error;
  }
}
