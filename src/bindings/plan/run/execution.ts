/**
 * One call of a plan. `run` begins each step when the steps before it have ended, `#endOf` decides
 * whether the step is made, `#callOnce` and `#callEach` call its tool, and `#answer` makes the answer
 * of the plan.
 */
import type { Call } from "../../../runtime/call/call.js";
import { abortedError, callError, leftBehindError } from "../../../runtime/call/call-error.js";
import { FakeError } from "../../../runtime/call/handler-binding.js";
import { type InnerCall, innerCallOf, withInnerCall } from "../../../runtime/call/inner-call.js";
import {
  changedError,
  isToolError,
  ToolError,
  withOutcome,
  type WriteOutcome,
} from "../../../runtime/errors.js";
import type { DataPath } from "../../../runtime/json/data-path.js";
import type { JsonValue } from "../../../runtime/json/json.js";
import { pointerOf } from "../../../runtime/json/pointer.js";
import type { AnyResult } from "../../../runtime/result.js";
import type { AskedParameters } from "../../../runtime/planner.js";
import { isSuspended, type RunJournal, type SuspendedPlan } from "../../../runtime/runs/journal.js";
import { isLeftBehind } from "../../../runtime/shutdown.js";
import type { Attempt, AttemptOutcome } from "../../../runtime/call/attempt.js";
import {
  AbsentValue,
  type InferredValues,
  type PlanContract,
  type PlanStep,
  type ShadowedPlan,
} from "./contract.js";
import {
  absent,
  type End,
  ended,
  endOfLoop,
  endsPlan,
  isFinal,
  isRecorded,
  keptError,
  onOf,
  overlaps,
  recordedEnd,
} from "./ends.js";
import { askedValues, askPlanner, type MadePlanFacts, noValues } from "./ask-planner.js";
import type { PlanDriver } from "./driver.js";
import { optional } from "./optional.js";
import { stateOf } from "./state.js";

const usualConcurrency = 4;
const noControl = { iterations: 0, max_iterations: 0 };

/** The call, attempt and run in which a plan is executed. */
export interface Surroundings {
  /** The plan's own call. */
  readonly call: Call;
  readonly attempt: Attempt;
  /** Kept run; undefined if nothing is kept. */
  readonly run: RunJournal | undefined;
  /** Prefix of the steps' paths: empty, or the path of the step that this plan is, and a dot. */
  readonly path: string;
  /** Set for a plan that was made at run time. */
  readonly made?: MadePlanFacts;
  /** Runs the steps in place of this call; undefined if this call does. */
  readonly driver?: PlanDriver | undefined;
}

export class Execution<Sources, Data> {
  readonly #contract: PlanContract<Sources, Data>;
  readonly #call: Call;
  readonly #run: RunJournal | undefined;
  readonly #path: string;
  /** Aborts if the plan's caller aborts, or the run is lost. */
  readonly #signal: AbortSignal;
  /** Values that steps may read: parameters, caller and outputs. The compiler knows their type. */
  readonly #from: { [source: string]: unknown };
  readonly #ends = new Map<string, End>();
  readonly #slots: Slots;
  readonly #made: MadePlanFacts | undefined;
  readonly #driver: PlanDriver | undefined;
  /** Set once no further call may begin. */
  #isOver = false;
  /** Set once a write was made, or may have been made. */
  #hasWritten = false;
  /** Number of writes that are being made. */
  #writing = 0;

  constructor(
    contract: PlanContract<Sources, Data>,
    params: unknown,
    { attempt, call, driver, made, path, run }: Surroundings,
  ) {
    this.#contract = contract;
    this.#call = call;
    this.#run = run;
    this.#path = path;
    this.#made = made;
    this.#driver = driver;
    this.#signal = run === undefined ? attempt.signal : AbortSignal.any([attempt.signal, run.lost]);
    this.#from = { params, caller: call.caller ?? {} };
    this.#slots = new Slots(contract.concurrency ?? usualConcurrency);
    attempt.onAbort(() => {
      this.#isOver = true;
      return this.outcome;
    });
  }

  /** @throws ToolError if a step fails, and the plan with it */
  async run(): Promise<AttemptOutcome<AnyResult>> {
    try {
      await this.#runSteps();
      this.#requireTime();
      const result = this.#answer();
      const isDone = "data" in result || this.outcome === "not-done";
      return isDone ? { result } : { result, outcome: "unknown" };
    } catch (error) {
      if (this.#run?.lost.aborted) throw withOutcome(this.#run.lostError(), this.outcome);
      throw error instanceof ToolError ? withOutcome(error, this.outcome) : error;
    }
  }

  /** Returns the places in the plan's data that obligations of steps changed. */
  changedOutput(): readonly DataPath[] {
    const { outputFields = {}, outputFrom = [] } = this.#contract;
    const inFields = Object.entries(outputFields).flatMap(([name, from]) =>
      this.#changedAt(from).map((changed) => [name, ...changed]),
    );
    return [...this.#changedAt(outputFrom), ...inFields];
  }

  /** Returns the changed places below a place in a step's output. */
  #changedAt([id, ...picked]: DataPath): readonly DataPath[] {
    // The list that `*` picks has other indices, because absent items are left out.
    const items = picked.includes("*") ? ["*"] : [];
    return this.#changesOf(id)
      .filter((changed) => overlaps(picked, changed))
      .map((changed) => [...items, ...changed.slice(picked.length)]);
  }

  /** Outcome of the plan so far. */
  get outcome(): WriteOutcome {
    return this.#hasWritten || this.#writing > 0 ? "unknown" : "not-done";
  }

  /** Begins each step when all steps in its `after` have ended; none once the plan is over. */
  #runSteps(): Promise<void> {
    const { steps } = this.#contract;
    const waitsFor = new Map(steps.map(({ after, id }) => [id, after.length]));
    const next = new Map<string, PlanStep<Sources>[]>(steps.map(({ id }) => [id, []]));
    for (const step of steps) for (const id of step.after) next.get(id)?.push(step);
    return new Promise((resolve, reject) => {
      let running = 0;
      const begin = async (step: PlanStep<Sources>): Promise<void> => {
        running += 1;
        this.#take(step, await this.#endOf(step));
        for (const each of next.get(step.id) ?? []) {
          const left = (waitsFor.get(each.id) ?? 0) - 1;
          waitsFor.set(each.id, left);
          if (left === 0 && !this.#isOver) begin(each).catch(reject);
        }
        running -= 1;
        if (running === 0) resolve();
      };
      const first = steps.filter(({ after }) => after.length === 0);
      if (first.length === 0) resolve();
      for (const step of first) begin(step).catch(reject);
    });
  }

  #take(step: PlanStep<Sources>, end: End | undefined): void {
    if (end === undefined) return;
    this.#ends.set(step.id, end);
    if (end.type === "output") this.#from[`step_${step.id}`] = { output: end.data };
    if (isFinal(end)) this.#isOver = true;
    this.#made?.observer.stepEnds(step, end);
  }

  /** Makes a step, or decides that it is not made. Undefined if the plan was over before. */
  async #endOf(step: PlanStep<Sources>): Promise<End | undefined> {
    try {
      this.#requireTime();
      const known = this.#blocked(step) ?? this.#skipped(step);
      if (known !== undefined) return known;
      this.#requireUnchanged(step);
      // `from` has the outputs that the compiler lets this step read.
      const from = this.#from as Sources;
      if (step.when?.(from) === false) return absent;
      if (this.#made !== undefined) {
        await this.#made.observer.stepBegins(step);
        this.#requireTime();
      }
      if (step.list === undefined) return await this.#callOnce(step, step.id, undefined);
      return await this.#callEach(step, step.list(from));
    } catch (thrown) {
      return { type: "failed", error: this.#errorOf(thrown, step.id) };
    }
  }

  /** Ends the plan if a step uses the answer of a write that was only recorded. */
  #blocked({ id, needs, reads }: PlanStep<Sources>): End | undefined {
    const isRecorded = (source: unknown): boolean =>
      this.#ends.get(String(source))?.type === "recorded";
    if (!needs.some(isRecorded) && !reads.some(([source]) => isRecorded(source))) return undefined;
    this.#isOver = true;
    return { type: "recorded", steps: [], blocked: id };
  }

  /** Skips a step if it needs an output that is absent. */
  #skipped({ needs }: PlanStep<Sources>): End | undefined {
    for (const id of needs) {
      const end = this.#ends.get(id);
      if (end?.type === "skipped") return end;
      if (end?.type !== "output") return { type: "skipped" };
    }
    return undefined;
  }

  /** @throws ToolError if the step uses a value that an obligation changed */
  #requireUnchanged({ id: step, reads }: PlanStep<Sources>): void {
    for (const [source, ...place] of reads) {
      if (!this.#changesOf(source).some((changed) => overlaps(place, changed))) continue;
      const pointer = pointerOf(place.map(String));
      const failure = { code: "PLAN.MASKED_VALUE", step, source: String(source), pointer } as const;
      throw callError(
        this.#call,
        failure,
        `the step \`${step}\` of \`${this.#call.toolId}\` was not made: it uses ${pointer || "the whole"} of the output of \`${source}\`, which an obligation has changed`,
        { step },
      );
    }
  }

  #changesOf(source: string | number | undefined): readonly DataPath[] {
    const end = this.#ends.get(String(source));
    return end?.type === "output" ? end.changed : [];
  }

  /** Calls the tool for each item: for reads several at once, for writes one after another. */
  async #callEach(step: PlanStep<Sources>, list: readonly unknown[]): Promise<End | undefined> {
    const { id, maxItems } = step;
    if (list.length > maxItems) throw this.#tooMany(step, list.length);
    const ends: (End | undefined)[] = list.map(() => undefined);
    let at = 0;
    let isOver = false;
    const work = async (): Promise<void> => {
      while (at < list.length && !isOver && !this.#isOver) {
        const index = at;
        at += 1;
        const end = await this.#callOnce(step, `${id}:${index}`, list[index]);
        ends[index] = end;
        if (end === undefined || isFinal(end)) isOver = true;
      }
    };
    const workers = step.effect === "write" ? 1 : Math.min(this.#slots.size, list.length);
    await Promise.all(Array.from({ length: workers }, work));
    return endOfLoop(ends);
  }

  #tooMany({ id, maxItems }: PlanStep<Sources>, items: number): ToolError {
    return callError(
      this.#call,
      { code: "PLAN.TOO_MANY_ITEMS", step: id, items, limit: maxItems },
      `the step \`${id}\` of \`${this.#call.toolId}\` was not made: its list has ${items} items, but at most ${maxItems} are allowed`,
      { step: id },
    );
  }

  /** Makes one call, when fewer calls than allowed are being made. */
  async #callOnce(step: PlanStep<Sources>, key: string, item: unknown): Promise<End | undefined> {
    const waiting = this.#slots.take();
    if (waiting !== undefined) await waiting;
    try {
      if (this.#driver === undefined) return await this.#endOfCall(step, key, item);
      return await this.#driver.step(key, {
        isKept: () => this.#known(step, key) !== undefined,
        isOpen: () => this.#isOpen(step, key),
        make: (signal) => this.#endOfCall(step, key, item, signal),
      });
    } catch (thrown) {
      return { type: "failed", error: this.#errorOf(thrown, key) };
    } finally {
      this.#slots.free();
    }
  }

  /** Takes the stored end of a call, or makes the call. Undefined if the plan was over before. */
  async #endOfCall(
    step: PlanStep<Sources>,
    key: string,
    item: unknown,
    signal?: AbortSignal,
  ): Promise<End | undefined> {
    try {
      if (this.#isOver) return undefined;
      const known = this.#known(step, key);
      if (known !== undefined) return known;
      const inferred = await this.#infer(step, key, item);
      if (this.#isOver) return undefined;
      const params = this.#paramsOf(step, item, inferred);
      return await this.#make(step, key, params, signal);
    } catch (thrown) {
      if (isToolError(thrown, "PLAN.NOT_INFERRED")) return this.#endAfter(step, key, thrown);
      return { type: "failed", error: this.#errorOf(thrown, key) };
    }
  }

  /** Returns the parameters of a call, without those for which a planner found nothing. */
  #paramsOf(step: PlanStep<Sources>, item: unknown, inferred: InferredValues): unknown {
    const params = step.params(this.#from as Sources, item, inferred);
    return step.infer === undefined ? params : withoutUndefined(params);
  }

  /** Returns whether a call may have been made, and must not be repeated. */
  #isOpen({ effect, isRepeatable }: PlanStep<Sources>, key: string): boolean {
    const known = this.#run?.known(this.#path + key);
    return known?.type === "begun" && effect === "write" && isRepeatable === false;
  }

  /** Takes the end of a call from the run; undefined if it has none. */
  #known(step: PlanStep<Sources>, key: string): End | undefined {
    const known = this.#run?.known(this.#path + key);
    if (known?.type === "answered") {
      if (step.effect === "write") this.#hasWritten = true;
      return this.#endWith(step, key, known.result, known.changed);
    }
    if (known?.type !== "passed") return undefined;
    if (step.effect === "write" && known.error.outcome === "unknown") this.#hasWritten = true;
    return ended(known.on, { type: "failed", error: stepError(keptError(known.error), key) });
  }

  /** Lets a planner find the parameters of a call that have no source, once in a run. */
  async #infer(step: PlanStep<Sources>, key: string, item: unknown): Promise<InferredValues> {
    const from = this.#from as Sources;
    const names = step.infer?.(from, item) ?? [];
    if (names.length === 0) return noValues;
    const path = this.#path + key;
    const kept = this.#run?.inferred(path);
    if (kept !== undefined) return askedValues(names, kept);
    const known = JSON.parse(
      JSON.stringify(step.params(from, item, noValues)),
    ) as AskedParameters["known"];
    const { control = noControl, goal } = this.#made ?? {};
    const asked: AskedParameters = {
      ...optional("plan", this.#made === undefined ? this.#call.toolId : undefined),
      ...optional("goal", goal),
      step: key,
      tool: step.toolId,
      parameters: names,
      known,
      // An item of the output of a tool is JSON.
      ...optional("item", item as JsonValue | undefined),
      state: stateOf(this.#contract.steps, this.#from["params"], this.#ends, control),
      signal: this.#signal,
    };
    const { tokens, values } = await askPlanner(this.#call, asked, this.#made);
    await this.#run?.infer(path, values, tokens);
    return askedValues(names, values);
  }

  /** Makes a call. */
  async #make(
    step: PlanStep<Sources>,
    key: string,
    params: unknown,
    signal: AbortSignal | undefined,
  ): Promise<End> {
    const path = this.#path + key;
    const run = this.#run;
    const known = run?.known(path);
    const mayRepeat = step.effect === "read" || step.isRepeatable !== false;
    const inner: InnerCall = {
      path,
      plan: innerCallOf(this.#call.options)?.plan ?? this.#call.id,
      run,
      key: run && step.isRepeatable !== false ? `${run.id}:${path}` : undefined,
      isIdempotent: step.isRepeatable === true,
      isRead: this.#isRead(step.id),
      changed: [],
      suspends: step.suspends && run?.isKept === true,
      follows: known?.type === "accepted" ? known.address : undefined,
    };
    try {
      // The call checks the same again, with what it knows of binding and governance.
      run?.requireRepeatable(path, () => mayRepeat);
      const result = await this.#send(step, params, inner, signal);
      if (inner.isWaiting !== true) return this.#endWith(step, key, result, inner.changed);
      const suspended: SuspendedPlan = { status: "suspended", run: run?.id ?? "", step: key };
      return { type: "stopped", result: suspended };
    } catch (error) {
      return await this.#endAfter(step, key, error);
    }
  }

  /** Returns whether a step or the output of the plan reads the data of a step. */
  #isRead(id: string): boolean {
    const { outputFields = {}, outputFrom = [], steps } = this.#contract;
    const isOutput = [outputFrom, ...Object.values(outputFields)].some(([from]) => from === id);
    return isOutput || steps.some(({ reads }) => reads.some(([from]) => from === id));
  }

  async #send(
    { effect, tool }: PlanStep<Sources>,
    params: unknown,
    inner: InnerCall,
    signal: AbortSignal | undefined,
  ): Promise<AnyResult> {
    const { caller, id: parent, mode, options, runtime } = this.#call;
    const { path, run } = inner;
    const writes = effect === "write" ? 1 : 0;
    this.#writing += writes;
    try {
      // `step` and `eachStep` have checked the type of the parameters.
      const result = await tool(
        params as never,
        withInnerCall(
          {
            runtime,
            signal: signal === undefined ? this.#signal : AbortSignal.any([this.#signal, signal]),
            ...optional("parent", this.#made === undefined ? parent : options.parent),
            step: path,
            ...optional("caller", caller),
            // Without a mode here, each tool has its own.
            ...optional("mode", mode === "shadow" ? mode : options.mode),
            ...optional("trace", run?.trace ?? options.trace),
            ...optional("approval", run?.approvalOf(path)),
            // A plan's parameters may become a file of a step.
            ...optional("files", options.files),
          },
          inner,
        ),
      );
      if (writes > 0 && !isRecorded(result)) this.#hasWritten = true;
      return result;
    } catch (error) {
      const isUnsent = error instanceof ToolError && error.outcome === "not-done";
      if (writes > 0 && !isUnsent) this.#hasWritten = true;
      throw error;
    } finally {
      this.#writing -= writes;
    }
  }

  #endWith(
    step: PlanStep<Sources>,
    key: string,
    result: AnyResult,
    changed: readonly DataPath[],
  ): End {
    if (step.effect === "write" && isRecorded(result)) return recordedEnd(step, key, result);
    if ("data" in result) return { type: "output", data: result.data, changed };
    if (this.#run !== undefined && isSuspended(result, this.#run.id))
      return { type: "stopped", result: { ...result, step: `${key}.${result.step}` } as AnyResult };
    const inner = "step" in result && typeof result.step === "string" ? `.${result.step}` : "";
    const stopped = { type: "stopped", result: { ...result, step: step.id + inner } } as const;
    return ended(onOf(step, result.status), stopped);
  }

  /** Returns the end of a call that has thrown. */
  async #endAfter(step: PlanStep<Sources>, key: string, error: unknown): Promise<End> {
    const run = this.#run;
    if (isToolError(error, "PLAN.OUTCOME_UNKNOWN")) this.#hasWritten = true;
    if (run?.isKept === true && isToolError(error, "AUTH.APPROVAL_REQUIRED")) {
      const { reason, request } = error.failure;
      // A handler may have thrown the error of another tool.
      const isOwn = request.tool === step.toolId && error.outcome === "not-done";
      if (isOwn && reason !== "denied") {
        const result: SuspendedPlan = { status: "suspended", run: run.id, step: key, request };
        return { type: "stopped", result };
      }
    }
    const on = error instanceof ToolError && !endsPlan(error) ? onOf(step, "error") : "stop";
    if (on !== "stop" && error instanceof ToolError) await run?.pass(this.#path + key, on, error);
    const failed = error instanceof ToolError ? stepError(error, key) : this.#errorOf(error, key);
    return ended(on, { type: "failed", error: failed });
  }

  /** Returns the answer of the plan, when all begun steps have ended. */
  #answer(): AnyResult {
    const { output, outputNeeds = [], steps } = this.#contract;
    const ends = steps.flatMap(({ id }) => this.#ends.get(id) ?? []);
    const final = ends.find(isFinal);
    if (final?.type === "failed") throw final.error;
    const shadowed = ends.filter((end) => end.type === "recorded");
    if (shadowed.length > 0) {
      const step = shadowed.find(({ blocked }) => blocked !== undefined)?.blocked;
      const recorded = shadowed.flatMap((each) => each.steps);
      const result: ShadowedPlan = {
        status: "shadow",
        ...optional("step", step),
        steps: recorded,
      };
      return result;
    }
    if (final !== undefined) return final.result;
    for (const id of outputNeeds) {
      const end = this.#ends.get(id);
      const by = end?.type === "skipped" ? end.by : undefined;
      if (by?.type === "failed") throw by.error;
      if (by !== undefined) return by.result;
    }
    return { status: "success", data: this.#outputOf(output) } as AnyResult;
  }

  /** @throws ToolError if the output needs a value that is absent */
  #outputOf(output: PlanContract<Sources, Data>["output"]): unknown {
    if (output === undefined) return null;
    try {
      return output(this.#from as Sources);
    } catch (thrown) {
      if (thrown instanceof AbsentValue) throw this.#noValue(thrown, undefined);
      throw thrown;
    }
  }

  /** @param step the step that needs the value; undefined for the output */
  #noValue({ source }: AbsentValue, step: string | undefined): ToolError {
    const needs = step === undefined ? "the output" : `the step \`${step}\``;
    return callError(
      this.#call,
      { code: "PLAN.NO_VALUE", source, ...optional("step", step) },
      `${needs} of \`${this.#call.toolId}\` needs \`${source}\`, which has no value`,
      optional("step", step),
    );
  }

  /** @throws ToolError if nothing may be sent any more */
  #requireTime(): void {
    if (this.#signal.aborted) throw abortedError(this.#call);
    if (isLeftBehind(this.#call)) throw leftBehindError(this.#call);
  }

  /** Returns the error that ends the plan, for whatever a step or a function of the contract threw. */
  #errorOf(thrown: unknown, step: string): unknown {
    if (thrown instanceof ToolError || thrown instanceof FakeError) return thrown;
    if (thrown instanceof AbsentValue) return this.#noValue(thrown, step);
    const { toolId } = this.#call;
    return callError(
      this.#call,
      { code: "UNKNOWN.INTERNAL", reason: "bug" },
      `the step \`${step}\` of \`${toolId}\` failed inside skillc; please report it`,
      { cause: thrown, step },
    );
  }
}

function withoutUndefined(params: unknown): unknown {
  const entries = Object.entries(params as object);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Returns a step's error, with the step before that of a plan inside it. */
function stepError(error: ToolError, key: string): ToolError {
  return changedError(error, { step: error.step === undefined ? key : `${key}.${error.step}` });
}

/** Limits the number of calls at the same time. */
class Slots {
  readonly size: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.size = size;
    this.#free = size;
  }

  /** Takes a slot. Returns a promise if none is free. */
  take(): undefined | Promise<void> {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free -= 1;
    return undefined;
  }

  free(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
