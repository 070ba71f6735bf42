/** Finds the sources of a plan's parameters: by types and names, and by asking a model. */
import {
  type AskedParameters,
  type InferredParameters,
  type ParameterPlanner,
  PlannerError,
  type PlannerProblem,
  type TokenCount,
} from "@skillc/runtime";
import type { JsonObject } from "../core/json.js";
import { usualThreshold } from "../kit/sources/source-path.js";
import { askBindings, type ModelDecision } from "./ask-bindings.js";
import { askParameters } from "./ask-parameters.js";
import { type BindingPlan, type ParameterBinding, type StepBindings } from "./binding-plan.js";
import { type AskedLlm, type Llm, usualTimeoutMs } from "./llm.js";
import { type DynamicPlan, type KnownPlan, type PlanProblem, readPlan } from "./plan.js";
import { fitting, generated, givenBinding, solve } from "./solve.js";
import { type PlannerCatalog, PlannerTools } from "./tools.js";

/** Options of a binding planner. */
export interface BindingPlannerOptions {
  /** The model. Without it, open parameters stay open. */
  readonly llm?: Llm;
  /** `catalog` of generated/index.ts. */
  readonly catalog: PlannerCatalog;
  /** Bindings below this confidence are not used; 0.7 by default. */
  readonly threshold?: number;
  /** False: nothing is planned, and a model finds the parameters of each step when it begins. */
  readonly enableBinding?: boolean;
  /** Maximum time for one answer of the model, in milliseconds; 60,000 by default. */
  readonly timeoutMs?: number;
}

/** A request for the bindings of a plan. */
export interface BindingRequest {
  /** The plan, as its maker wrote it. */
  readonly plan: DynamicPlan;
  /** Values of the plan's parameters. */
  readonly inputs: JsonObject;
  /** Goal of the plan, in the words of a user. */
  readonly goal?: string | undefined;
  /** False: as `BindingPlannerOptions.enableBinding`, for this plan alone. */
  readonly enableBinding?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A binding plan, with facts about its making. */
export interface PlannedBindings {
  readonly plan: BindingPlan;
  /** Number of parameters that types, names or the plan itself decided. */
  readonly decided: number;
  /** Number of parameters that a model was asked for. */
  readonly asked: number;
  readonly tokens: TokenCount;
  /** Reason why the model's answer can't be used; absent if it can, or if no model was asked. */
  readonly problem?: PlannerProblem;
}

/** Finds the sources of parameters, and values that have no source when a step begins. */
export interface BindingPlanner extends ParameterPlanner {
  /**
   * Returns the sources of all parameters. If the request to the model fails, open parameters stay
   * open.
   *
   * @throws PlanError if the plan can't be used
   * @throws the reason of `signal` if it aborts
   */
  createBindingPlan(request: BindingRequest): Promise<PlannedBindings>;
}

/** The error of a plan that can't be used: unknown tools, two steps of one id, later steps as sources. */
export class PlanError extends Error {
  override readonly name = "PlanError";
  readonly problems: readonly PlanProblem[];

  constructor(problems: readonly PlanProblem[]) {
    super(
      `the plan can't be used: ${problems.map(({ at, message }) => `${at === "" ? "" : `${at}: `}${message}`).join("; ")}`,
    );
    this.problems = problems;
  }
}

const noTokens: TokenCount = { input: 0, output: 0 };

/** Makes a binding planner. */
export function createBindingPlanner(options: BindingPlannerOptions): BindingPlanner {
  const { catalog, enableBinding = true, llm, threshold = usualThreshold } = options;
  const tools = new PlannerTools(catalog);
  const asked = llm && { llm, timeoutMs: options.timeoutMs ?? usualTimeoutMs };
  return {
    async createBindingPlan(request) {
      const read = readPlan(request.plan, tools);
      if ("problems" in read) throw new PlanError(read.problems);
      const { plan } = read;
      const isBound = request.enableBinding ?? enableBinding;
      const bound = isBound ? await bind(plan, request, asked) : unbound(plan);
      return { ...bound, plan: asJson(plan, bound.bindings, threshold) };
    },
    inferParameters: (parameters) => infer(parameters, tools, asked),
  };
}

interface Bound {
  readonly bindings: ReadonlyMap<string, ReadonlyMap<string, ParameterBinding>>;
  readonly decided: number;
  readonly asked: number;
  readonly tokens: TokenCount;
  readonly problem?: PlannerProblem;
}

async function bind(
  plan: KnownPlan,
  { goal, inputs, signal = new AbortController().signal }: BindingRequest,
  llm: AskedLlm | undefined,
): Promise<Bound> {
  const fit = fitting();
  const { bindings, open, optional } = solve(plan, { inputs, goal }, fit);
  const decided = [...bindings.values()].reduce((sum, each) => sum + each.size, 0) - open.length;
  // A plan of one step asks only when the step begins, and only for what is still open.
  if (llm === undefined || open.length === 0 || plan.steps.length === 1)
    return { bindings, decided, asked: 0, tokens: noTokens };
  try {
    const asked = { plan, inputs, goal, open, optional, fit };
    const answer = await askBindings(asked, llm, signal);
    return {
      bindings: withDecisions(bindings, answer.decisions),
      decided,
      asked: open.length,
      tokens: answer.tokens,
    };
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    const { problem, tokens } = error;
    return { bindings, decided, asked: open.length, tokens, problem };
  }
}

function withDecisions(
  bindings: Bound["bindings"],
  decisions: readonly ModelDecision[],
): Bound["bindings"] {
  const all = new Map([...bindings].map(([id, own]) => [id, new Map(own)]));
  for (const { binding, parameter, step } of decisions) {
    const own = all.get(step.id);
    if (binding === undefined) own?.delete(parameter.name);
    else own?.set(parameter.name, binding);
  }
  return all;
}

/** Makes bindings without planning: a model finds each parameter that the plan does not give. */
function unbound({ steps }: KnownPlan): Bound {
  const bindings = steps.map((step): [string, ReadonlyMap<string, ParameterBinding>] => [
    step.id,
    new Map(step.tool.parameters.map(({ name }) => [name, givenBinding(name, step) ?? generated])),
  ]);
  return { bindings: new Map(bindings), decided: 0, asked: 0, tokens: noTokens };
}

function asJson({ steps }: KnownPlan, bindings: Bound["bindings"], threshold: number): BindingPlan {
  return {
    steps: steps.map(({ id, tool }): StepBindings => ({
      step_id: id,
      tool: tool.id,
      bindings: Object.fromEntries(bindings.get(id) ?? []),
    })),
    confidence_threshold: threshold,
    reasoning: "",
    created_at: new Date().toISOString(),
  };
}

async function infer(
  parameters: AskedParameters,
  tools: PlannerTools,
  llm: AskedLlm | undefined,
): Promise<InferredParameters> {
  const tool = tools.find(parameters.tool);
  if (tool === undefined)
    throw new PlannerError("failed", `the planner's catalog has no tool \`${parameters.tool}\``);
  if (llm === undefined)
    throw new PlannerError(
      "failed",
      "the planner has no model: pass `llm` to createBindingPlanner",
    );
  return askParameters(parameters, tool, llm);
}
