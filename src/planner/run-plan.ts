/**
 * Runs a plan that was made at run time: makes it if there is only a goal, finds the sources of its
 * parameters, and makes its steps. `MadePlan` of the runtime makes the calls.
 */
import {
  isToolError,
  PlannerError,
  type PlanState,
  resultForModel,
  type StepState,
  type TokenCount,
  ToolError,
  type ToolMap,
} from "@skillc/runtime";
import {
  type End,
  MadePlan,
  type MadePlanOptions,
  type PlanObserver,
  withResumption,
} from "@skillc/runtime/internal/made-plan";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.js";
import { type BindingPlan, readBindingPlan } from "./binding-plan.js";
import {
  createBindingPlanner,
  type BindingPlanner,
  PlanError,
  type PlannedBindings,
} from "./binding-planner.js";
import { contractOf } from "./contract.js";
import { type Emit, queueOf } from "./event-queue.js";
import type { PlanEnd, PlanEvent, PlanEvents, PlanOutcome, StepEndEvent } from "./events.js";
import { joinedPlan } from "./joined-plan.js";
import { type Llm, tokensOf } from "./llm.js";
import { type DynamicPlan, type KnownPlan, readPlan } from "./plan.js";
import { stepPlanner } from "./step-planner.js";
import {
  createTaskPlanner,
  type FailedPlan,
  type MadeTaskPlan,
  type TaskPlanner,
} from "./task-planner.js";
import { type PlannerCatalog, PlannerTools } from "./tools.js";

/** Options of `runPlan`: one of `plan` and `goal` is needed. */
export interface RunPlanOptions extends MadePlanOptions {
  /** The plan. Without it, `taskPlanner` makes one for the goal. */
  readonly plan?: DynamicPlan;
  /** The goal, in the words of a user. */
  readonly goal?: string;
  /** Values of the plan's parameters. */
  readonly inputs?: JsonObject;
  /** `tools` of generated/index.ts. */
  readonly tools: ToolMap;
  /** `catalog` of generated/index.ts. */
  readonly catalog: PlannerCatalog;
  /** The model. Without it, a step that needs one fails. */
  readonly llm?: Llm;
  /** Makes the plan for a goal; by default `createTaskPlanner`. If given, it also replaces failed plans. */
  readonly taskPlanner?: TaskPlanner;
  /** Finds the sources of parameters; by default `createBindingPlanner`. */
  readonly bindingPlanner?: BindingPlanner;
  /** Sources of the parameters of the first plan. With them, no planner finds any. */
  readonly bindings?: BindingPlan | JsonObject;
  /** False: a model finds the parameters of each step when it begins. */
  readonly enableBinding?: boolean;
  /** Maximum number of plans that replace a failed one; 3 by default. */
  readonly maxIterations?: number;
  /**
   * True: the state has the fields of all outputs at its top too. `documents` of the state is then
   * the property `documents` of the latest output that has it.
   */
  readonly stateFields?: boolean;
  /** Id of the approval for the step that suspended the run. */
  readonly approval?: string;
  /** Lets a run go on although its tools have changed: who accepted the changes, and why. */
  readonly forced?: string;
}

const usualIterations = 3;

/**
 * Runs a plan. The events come in order; the last is `done`, and says how the plan has ended. A
 * consumer that stops reading aborts the plan.
 *
 * @throws TypeError if an option is not valid
 */
export async function* runPlan(options: RunPlanOptions): AsyncGenerator<PlanEvent, void, void> {
  if (options.plan === undefined && options.goal === undefined)
    throw new TypeError("`runPlan` needs a `plan` or a `goal`");
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const { emit, end, events, fail } = queueOf(stop, signal);
  const work = new PlanRun({ ...options, signal }, emit).run().then(end, fail);
  try {
    yield* events;
  } finally {
    await work;
  }
}

/** A plan and its bindings, as a run keeps them. */
interface KeptPlan {
  readonly plan: DynamicPlan;
  readonly bindings: BindingPlan;
  /** Ids of all steps so far, also of plans before this one. */
  readonly ids?: readonly string[];
  /** Number of times that the plan was made anew. */
  readonly iterations?: number;
}

class PlanRun {
  readonly #options: RunPlanOptions & { readonly signal: AbortSignal };
  readonly #emit: Emit;
  readonly #tools: PlannerTools;
  readonly #planner: BindingPlanner;
  readonly #inputs: JsonObject;
  /** Outputs of steps so far. */
  readonly #outputs = new Map<string, StepState>();
  /** Tokens of failed requests, which the journal does not have. */
  #lostTokens: TokenCount = { input: 0, output: 0 };
  #iterations = 0;
  /** Ids of the steps of all plans so far. */
  readonly #ids = new Set<string>();

  constructor(options: RunPlanOptions & { readonly signal: AbortSignal }, emit: Emit) {
    const { bindingPlanner, catalog, inputs = {}, llm } = options;
    this.#options = options;
    this.#emit = emit;
    this.#tools = new PlannerTools(catalog);
    this.#planner = bindingPlanner ?? createBindingPlanner({ catalog, ...(llm && { llm }) });
    this.#inputs = inputs;
  }

  async run(): Promise<void> {
    const { approval, caller, files, forced, goal, mode, plan, run, runtime, signal, trace } =
      this.#options;
    const given = { goal: goal ?? null, plan: plan ?? null, inputs: this.#inputs };
    const call = { ...defined({ caller, files, mode, run, runtime, trace }), signal };
    const resumed =
      approval === undefined && forced === undefined
        ? call
        : withResumption(call, { approval, forced });
    let made: MadePlan;
    try {
      made = await MadePlan.open(given, resumed, (events) => {
        const last = events.findLast((event) => event.type === "planned");
        return last?.type === "planned" ? this.#manifests(readKept(last.plan).plan) : {};
      });
    } catch (error) {
      if (error instanceof ToolError) return this.#done({ status: "failed", error }, undefined);
      throw error;
    }
    try {
      this.#done(await this.#runIn(made), made);
    } finally {
      await made.close();
    }
  }

  #done(end: PlanEnd, made: MadePlan | undefined): void {
    const used = made?.journal.tokens ?? { input: 0, output: 0 };
    const outcome: PlanOutcome = {
      ...end,
      state: this.#state(),
      tokens: sum(used, this.#lostTokens),
    };
    // Nothing comes after it.
    void this.#emit("done", outcome);
  }

  #state(): PlanState {
    const { maxIterations = usualIterations, stateFields = false } = this.#options;
    const outputs = [...this.#outputs.values()].map(({ output }) => output);
    return {
      ...(stateFields && Object.assign({}, ...outputs.filter(isJsonObject))),
      inputs: this.#inputs,
      control: { iterations: this.#iterations, max_iterations: maxIterations },
      steps: Object.fromEntries(this.#outputs),
    };
  }

  /** Plans and runs, until a plan has ended that nothing replaces. */
  async #runIn(made: MadePlan): Promise<PlanEnd> {
    try {
      let current = await this.#firstPlan(made);
      for (;;) {
        const end = await this.#runOnce(made, current);
        const next = await this.#replan(made, current, end);
        if (next === undefined) return end;
        current = next;
      }
    } catch (error) {
      if (error instanceof PlanError) return { status: "invalid_plan", problems: error.problems };
      if (error instanceof PlannerError) {
        this.#lostTokens = sum(this.#lostTokens, error.tokens);
        return { status: "no_plan", problem: error.problem, message: error.message };
      }
      if (error instanceof ToolError) return failedEnd(error);
      if (this.#options.signal.aborted) return failedEnd(made.abortedError());
      throw error;
    }
  }

  /** Takes the plan of a run that goes on, or makes one. */
  async #firstPlan(made: MadePlan): Promise<KeptPlan> {
    const { journal } = made;
    if (journal.plan !== undefined) {
      const kept = readKept(journal.plan);
      for (const id of kept.ids ?? []) this.#ids.add(id);
      this.#iterations = kept.iterations ?? 0;
      await this.#emit("plan", { plan: kept.plan, tokens: noTokens });
      await this.#emit("binding_plan", countsOf(kept.bindings, 0, noTokens));
      return kept;
    }
    const { plan } = this.#options;
    if (plan !== undefined) return this.#bind(made, plan, noTokens);
    const { plan: task, tokens } = await this.#taskPlan(this.#taskPlanner());
    return this.#bind(made, task, tokens);
  }

  /** Finds the sources of a plan's parameters, and keeps both. */
  async #bind(made: MadePlan, plan: DynamicPlan, planned: TokenCount): Promise<KeptPlan> {
    await this.#emit("plan", { plan, tokens: planned });
    const given = this.#options.bindings && readBindingPlan(this.#options.bindings);
    const known = this.#known(plan);
    const bound: PlannedBindings =
      given !== undefined && this.#iterations === 0
        ? { plan: given, decided: countOf(given), asked: 0, tokens: noTokens }
        : await this.#plannedBindings(plan);
    const { asked, plan: bindings, problem, tokens } = bound;
    await this.#emit("binding_plan", {
      ...countsOf(bindings, asked, tokens),
      decided_count: bound.decided,
      ...(problem !== undefined && { problem }),
    });
    for (const { id } of known.steps) this.#ids.add(id);
    const kept = { plan, bindings, ids: [...this.#ids], iterations: this.#iterations };
    const manifests = Object.fromEntries(known.steps.map(({ id, tool }) => [id, tool.manifest]));
    await made.journal.planned(kept, manifests, sum(planned, tokens));
    return kept;
  }

  /** Asks the planner for bindings. Without an answer, a model finds the parameters of each step. */
  async #plannedBindings(plan: DynamicPlan): Promise<PlannedBindings> {
    const { catalog, enableBinding, goal, signal } = this.#options;
    const request = { plan, inputs: this.#inputs, goal, signal };
    try {
      const bound = await this.#planner.createBindingPlan({ ...request, enableBinding });
      return { ...bound, plan: readBindingPlan(bound.plan), tokens: tokensOf(bound) };
    } catch (error) {
      if (error instanceof PlanError || signal.aborted) throw error;
      const unbound = await createBindingPlanner({ catalog }).createBindingPlan({
        ...request,
        enableBinding: false,
      });
      return { ...unbound, problem: "failed" };
    }
  }

  /**
   * Asks the task planner for a plan.
   *
   * @throws PlannerError if it fails in any way
   */
  async #taskPlan(planner: TaskPlanner, failed?: FailedPlan): Promise<MadeTaskPlan> {
    const { goal = "", signal } = this.#options;
    try {
      const made = await planner.createPlan({ goal, inputs: this.#inputs, failed, signal });
      return { plan: made.plan, tokens: tokensOf(made) };
    } catch (error) {
      if (error instanceof PlannerError || signal.aborted) throw error;
      throw new PlannerError("failed", "the task planner failed", { cause: error });
    }
  }

  async #runOnce(made: MadePlan, { bindings, plan }: KeptPlan): Promise<PlanEnd> {
    const { goal, stateFields = false, tools } = this.#options;
    const onDefault = (step: string, parameter: string): void =>
      void this.#emit("fallback", {
        step,
        parameters: [parameter],
        policy: "use_default",
        tokens: noTokens,
      });
    const known = this.#known(plan);
    const contract = contractOf(known, bindings, { tools, stateFields, onDefault });
    try {
      if (made.journal.answer !== undefined) return endOf(made.journal.answer);
      const result = await made.run(contract, this.#inputs, {
        goal,
        control: this.#state().control,
        planner: stepPlanner(this.#planner, known, bindings),
        observer: this.#observer(),
      });
      if (!("step" in result) || result.status === "suspended") await made.end(result);
      return endOf(result);
    } catch (error) {
      if (error instanceof ToolError) return failedEnd(error);
      throw error;
    }
  }

  #observer(): PlanObserver {
    return {
      stepBegins: ({ id, toolId }) => this.#emit("step_begin", { step: id, tool: toolId }),
      stepEnds: ({ id, toolId }, end) => {
        // The answer of a tool that a plan may call is JSON.
        const output = end.type === "output" ? (end.data as JsonValue) : undefined;
        if (output !== undefined) this.#outputs.set(id, { tool: toolId, output });
        const data: StepEndEvent = { step: id, tool: toolId, status: statusOf(end) };
        void this.#emit("step_end", output === undefined ? data : { ...data, output });
      },
      inferred: (step, parameters, { problem, tokens }) => {
        if (problem !== undefined) this.#lostTokens = sum(this.#lostTokens, tokens);
        void this.#emit("fallback", {
          step,
          parameters,
          policy: "llm_infer",
          tokens,
          ...(problem !== undefined && { problem }),
        });
      },
    };
  }

  /** Makes another plan after a failure; undefined if the plan must end. */
  async #replan(made: MadePlan, { plan }: KeptPlan, end: PlanEnd): Promise<KeptPlan | undefined> {
    const { maxIterations = usualIterations, signal, taskPlanner } = this.#options;
    const failure = failureOf(end);
    if (taskPlanner === undefined || failure === undefined) return undefined;
    if (this.#iterations >= maxIterations || signal.aborted) return undefined;
    this.#iterations += 1;
    const { reason, step } = failure;
    await this.#emit("replan", { iteration: this.#iterations, step, reason: failure.code });
    let planned = noTokens;
    const outputs = Object.fromEntries([...this.#outputs].map(([id, { output }]) => [id, output]));
    try {
      const failed = { plan, step, reason: await reason(), outputs };
      const { plan: task, tokens } = await this.#taskPlan(taskPlanner, failed);
      planned = tokens;
      const answered = plan.steps.filter(({ id }) => this.#outputs.has(String(id)));
      const joined = joinedPlan(answered, task, { tools: this.#tools, used: this.#ids });
      return await this.#bind(made, joined, tokens);
    } catch (error) {
      // A planner that fails never hides why the step failed.
      if (error instanceof PlannerError) this.#lostTokens = sum(this.#lostTokens, error.tokens);
      else if (error instanceof PlanError) this.#lostTokens = sum(this.#lostTokens, planned);
      else if (!signal.aborted) throw error;
      return undefined;
    }
  }

  #taskPlanner(): TaskPlanner {
    const { catalog, llm, taskPlanner } = this.#options;
    if (taskPlanner !== undefined) return taskPlanner;
    if (llm === undefined)
      throw new TypeError("a `goal` needs a `taskPlanner`, or an `llm` that makes the plan");
    return createTaskPlanner({ catalog, llm });
  }

  /** @throws PlanError if the plan can't be used */
  #known(plan: DynamicPlan): KnownPlan {
    const read = readPlan(plan, this.#tools);
    if ("problems" in read) throw new PlanError(read.problems);
    return read.plan;
  }

  #manifests(plan: DynamicPlan): { readonly [step: string]: string } {
    const steps = plan.steps.map(({ id, tool }) => [id, this.#tools.find(tool)?.manifest ?? ""]);
    return Object.fromEntries(steps) as { readonly [step: string]: string };
  }
}

const noTokens: TokenCount = { input: 0, output: 0 };

function sum(one: TokenCount, other: TokenCount): TokenCount {
  return { input: one.input + other.input, output: one.output + other.output };
}

/** Reads what `#bind` kept. */
function readKept(kept: unknown): KeptPlan {
  const known = kept as KeptPlan;
  return { ...known, bindings: readBindingPlan(known.bindings) };
}

function countOf({ steps }: BindingPlan): number {
  return steps.reduce((count, { bindings }) => count + Object.keys(bindings).length, 0);
}

function countsOf(
  bindings: BindingPlan,
  asked: number,
  tokens: TokenCount,
): PlanEvents["binding_plan"] {
  const count = countOf(bindings);
  return {
    bindings,
    bindings_count: count,
    decided_count: count - asked,
    asked_count: asked,
    tokens,
  };
}

function statusOf({ type }: End): StepEndEvent["status"] {
  return type === "output" ? "success" : type;
}

function failedEnd(error: ToolError): PlanEnd {
  const { step } = error;
  return { status: "failed", ...(step !== undefined && { step }), error };
}

/** Reads the answer of a plan. Its engine gives only these. */
function endOf(result: unknown): PlanEnd {
  const answer = result as JsonObject;
  const { data, status, step } = answer;
  if (data !== undefined) return { status: "success", output: data };
  if (status === "suspended" || status === "shadow") return result as PlanEnd;
  return { status: "stopped", step: typeof step === "string" ? step : "", result: answer };
}

/** A failure after which another plan may be made. */
interface Failure {
  readonly step: string;
  readonly code: string;
  /** Describes the failure for a model. */
  readonly reason: () => Promise<string>;
}

/** Returns undefined if nothing failed, if a person has to decide, or if a write may have been made. */
function failureOf(end: PlanEnd): Failure | undefined {
  if (end.status === "stopped") {
    const { result, step } = end;
    const status = isJsonObject(result) ? String(result["status"]) : "";
    return { step, code: status, reason: async () => JSON.stringify(result).slice(0, 2000) };
  }
  if (end.status !== "failed" || end.error.outcome === "unknown") return undefined;
  const { error, step = "" } = end;
  const isFinal =
    isToolError(error, "AUTH.APPROVAL_REQUIRED") ||
    (error.failure.code === "UNKNOWN.INTERNAL" && error.failure.reason !== "handler-failed") ||
    "run" in error.failure;
  if (isFinal || step === "") return undefined;
  const reason = async () => (await resultForModel(Promise.reject(error))).content;
  return { step, code: error.code, reason };
}

type Defined<Options> = { [Name in keyof Options]?: Exclude<Options[Name], undefined> };

/** Leaves out properties without a value. */
function defined<Options extends object>(options: Options): Defined<Options> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Options>;
}
