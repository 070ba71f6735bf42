/** The interface of planners, which find values of parameters that no source gives. */
import type { JsonValue } from "./json/json.js";

/**
 * Finds parameters of a plan's step by asking a model. `createBindingPlanner` of `skillc/planner`
 * makes one; `createRuntime({ planner })` takes it for plans with `planner: true`.
 */
export interface ParameterPlanner {
  /**
   * Finds parameters of one call, with one request to the model. The tool validates the values
   * afterwards, like those of every other caller.
   *
   * @throws PlannerError if the model gives no usable answer
   */
  inferParameters(asked: AskedParameters): Promise<InferredParameters>;
}

/** Parameters of one call that have no value yet. */
export interface AskedParameters {
  /** Id of the plan: `skill/tool`; absent for a plan that was made at run time. */
  readonly plan?: string | undefined;
  /** Goal of the plan, in the words of a user. */
  readonly goal?: string | undefined;
  /** The call: the step's id; in a loop `STEP:INDEX`. */
  readonly step: string;
  /** Purpose of the step, in the words of the plan's maker. */
  readonly purpose?: string | undefined;
  /** Id of the tool: `skill/tool`. */
  readonly tool: string;
  /** Names of the parameters to find. */
  readonly parameters: readonly string[];
  /** The call's parameters that are known. */
  readonly known: { readonly [name: string]: JsonValue };
  /** The item of a loop; absent for a step that makes one call. */
  readonly item?: JsonValue | undefined;
  /** Values that the plan has so far. */
  readonly state: PlanState;
  /** Aborts if nobody waits for the values any more. */
  readonly signal: AbortSignal;
}

/** Values that a plan has so far. Values that an obligation masked for the caller are null. */
export interface PlanState {
  /** The plan's parameters. */
  readonly inputs: { readonly [name: string]: JsonValue };
  readonly control: {
    /** Number of plans that have replaced a failed one. */
    readonly iterations: number;
    readonly max_iterations: number;
  };
  /** Steps that have an output, by id. */
  readonly steps: { readonly [id: string]: StepState };
}

/** A step that has an output. */
export interface StepState {
  /** Id of the tool: `skill/tool`. */
  readonly tool: string;
  readonly output: JsonValue;
}

/** Values that a model gave. */
export interface InferredParameters {
  /** Values by name. A name without a value is not sent. */
  readonly values: { readonly [name: string]: JsonValue };
  readonly tokens: TokenCount;
  /** Reason why the model's answer can't be used; set only if the call requires none of the values. */
  readonly problem?: PlannerProblem;
}

/** Tokens of requests to a model, as its provider counts them. */
export interface TokenCount {
  readonly input: number;
  readonly output: number;
}

/**
 * The reason why a model gave no usable answer:
 *
 * - `no-answer`: the answer is empty.
 * - `not-json`: the answer is not JSON, or has other text around it.
 * - `wrong-form`: the answer is JSON, but does not fit the schema of the request.
 * - `refused`: the model refused to answer.
 * - `too-late`: the answer did not come in time.
 * - `failed`: the request failed.
 */
export type PlannerProblem =
  "no-answer" | "not-json" | "wrong-form" | "refused" | "too-late" | "failed";

/** The error of a planner whose model gives no usable answer. */
export class PlannerError extends Error {
  override readonly name = "PlannerError";
  readonly problem: PlannerProblem;
  /** Tokens that the request used all the same. */
  readonly tokens: TokenCount;

  constructor(problem: PlannerProblem, message: string, options: PlannerErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.problem = problem;
    this.tokens = options.tokens ?? { input: 0, output: 0 };
  }
}

interface PlannerErrorOptions {
  readonly cause?: unknown;
  readonly tokens?: TokenCount | undefined;
}
