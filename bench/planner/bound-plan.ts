import type { JsonObject, JsonValue } from "../../src/core/json.js";

/** A plan of several steps, with the right binding of each parameter, written by hand. */
export interface BoundPlan {
  /** Name of the file, without its ending. */
  readonly name: string;
  /** Catalog of the tools, relative to the folder of the plan. */
  readonly tools: string;
  /** Request of the user. */
  readonly goal: string;
  readonly inputs: JsonObject;
  readonly plan: { readonly steps: readonly PlannedStep[] };
  /** Right bindings, by step and parameter. A parameter that should not be sent is absent. */
  readonly bound: { readonly [step: string]: { readonly [parameter: string]: RightBinding } };
  /** Example of each step's output, by step. */
  readonly outputs: { readonly [step: string]: JsonValue };
}

/** A step as a task planner writes it. */
export interface PlannedStep {
  readonly id: string;
  /** Id of a tool: its skill and its name. */
  readonly tool: string;
  readonly description: string;
  /** Bindings that the author of the plan wrote, by parameter. */
  readonly bindings?: { readonly [parameter: string]: ExplicitBinding };
}

export type ExplicitBinding =
  | { readonly source_type: "literal"; readonly default_value: JsonValue }
  | { readonly source_type: "step_output" | "user_input"; readonly source: string };

/**
 * `also` names sources that always hold the same value, so that they are as right. `from` names the
 * inputs and steps that a generated value needs.
 */
export type RightBinding =
  | { readonly source: string; readonly also?: readonly string[] }
  | { readonly value: JsonValue; readonly also?: readonly string[] }
  | { readonly generate: JsonValue; readonly from: readonly string[] }
  | { readonly default: true };

/** A tool that a plan may call. */
export interface PlanTool {
  readonly id: string;
  readonly description: string;
  readonly input_schema: JsonObject;
  readonly output_schema: JsonObject;
  readonly side_effect: "read" | "write";
  /** Other names of a parameter. */
  readonly param_aliases?: { readonly [parameter: string]: readonly string[] };
}
