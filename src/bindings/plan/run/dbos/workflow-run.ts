/**
 * One execution of a plan's workflow. It follows what DBOS has recorded of earlier executions, and
 * then calls the plan's function until the plan has ended. Between two such calls the workflow waits
 * for a person. DBOS learns which steps were made; parameters and answers are in the run's store.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { DBOS } from "@dbos-inc/dbos-sdk";
import type { CallOptions } from "../../../../runtime/call/call-options.js";
import { pause } from "../../../../runtime/call/retry.js";
import type { Caller } from "../../../../runtime/caller.js";
import { isToolError, ToolError, type ToolErrorCode } from "../../../../runtime/errors.js";
import type { AnyResult } from "../../../../runtime/result.js";
import { isSuspended, withResumption } from "../../../../runtime/runs/journal.js";
import type { KeptRun, RunDriver } from "../../../../runtime/runs/store.js";
import { type DrivenCall, type PlanDriver, withDriver } from "../driver.js";
import type { End } from "../ends.js";
import { optional } from "../optional.js";
import { PlanWorkflowError } from "./plan-workflow-error.js";

/** Topic of the messages that make a waiting workflow go on. */
export const topic = "skillc";

/** A message for a workflow that waits. DBOS stores it as it is. */
export interface Decision {
  /** Id of the approval; by default the unused approval of an equal call. */
  readonly approval?: string;
  /**
   * Lets the run go on although tools of its steps have changed since it began: who accepted it, and
   * why.
   */
  readonly forced?: string;
}

/** The end of a plan's workflow, as DBOS stores it. */
export interface PlanWorkflowEnd {
  /** Id of the run, and of the workflow. */
  readonly run: string;
  /** Status of the plan's answer. */
  readonly status: string;
}

/**
 * The record of a step in DBOS:
 *
 * - `kept`: the run has stored the answer of the call.
 * - `suspended`: the call waits for an approval, or for accepted work.
 * - `outcome-unknown`: a write began, and nobody knows whether it was made. `call` is its id in the
 *   ledger.
 * - `failed`: the call failed with `code`.
 * - `not-made`: the plan was over, or the process of the step has crashed.
 */
export type StepMark =
  | { readonly state: "kept" | "not-made" | "suspended" }
  | { readonly state: "outcome-unknown"; readonly call: string }
  | { readonly state: "failed"; readonly code: ToolErrorCode | undefined };

/** The plan's function, and how the workflow calls it. */
export interface DrivenPlan {
  /** The parameters come from the run. */
  readonly tool: (params: never, options?: CallOptions) => Promise<AnyResult>;
  readonly runtime: NonNullable<CallOptions["runtime"]>;
  /** Returns the caller for a run that this caller began. */
  readonly caller: (owner: Caller) => Caller | Promise<Caller>;
  /** Interval at which the workflow asks for accepted work, in seconds. */
  readonly pollSeconds: number;
}

/** Names of DBOS's own steps. */
const received = "DBOS.recv";
const slept = "DBOS.sleep";
/** Name of a step that takes the number of a step whose process has crashed. */
const interrupted = "(interrupted)";

/** Longest time for which DBOS waits for a message, in seconds. A timer has at most 24 days. */
const longestWaitSeconds = 7 * 24 * 60 * 60;
/** First and longest delay before the workflow tries to hold its run again, in milliseconds. */
const firstDelayMs = 100;
const longestDelayMs = 2000;

/** Runs a function outside of the workflow, so that DBOS records nothing of it. */
const outside = AsyncLocalStorage.snapshot();

/** The next action after a call of the plan's function. */
type Next =
  | { readonly type: "ended"; readonly status: string }
  /** `seconds`: longest time to wait for a message. */
  | { readonly type: "wait"; readonly seconds: number; readonly why: string }
  /** Another process holds the run, or the workflow was interrupted. */
  | { readonly type: "again" };

export class WorkflowRun implements PlanDriver {
  readonly run: RunDriver;
  readonly #id: string;
  readonly #tenant: string | undefined;
  readonly #plan: DrivenPlan;
  /** Keys of the steps whose answers the run has stored, as DBOS knows. */
  readonly #kept = new Set<string>();
  /** Error with which DBOS ends this execution. */
  #interruption: { readonly error: unknown } | undefined;
  #isCancelled = false;

  constructor(plan: DrivenPlan, id: string, tenant: string | undefined) {
    this.run = { name: "dbos", workflow: id };
    this.#plan = plan;
    this.#id = id;
    this.#tenant = tenant;
  }

  /**
   * Runs the plan to its end.
   *
   * @throws PlanWorkflowError if the plan fails; errors of DBOS if the workflow is cancelled
   */
  async toEnd(): Promise<PlanWorkflowEnd> {
    let decision = await this.#followRecords();
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(2 * delayMs, longestDelayMs)) {
      const next = await this.#callPlan(decision ?? {});
      if (next.type === "ended") return { run: this.#id, status: next.status };
      if (next.type === "again") {
        await this.#pause(delayMs);
        continue;
      }
      DBOS.logger.info(`the run ${this.#id} waits: ${next.why}`);
      decision = await DBOS.recv<Decision>(topic, { timeoutSeconds: next.seconds });
      delayMs = firstDelayMs;
    }
  }

  /**
   * Repeats what earlier executions have recorded, in the recorded order. Steps of a plan run side by
   * side, so that a plan would begin them in another order.
   *
   * @returns the last message
   */
  async #followRecords(): Promise<Decision | null> {
    const steps = (await outside(() => DBOS.listWorkflowSteps(this.#id))) ?? [];
    const names = new Map(steps.map(({ functionID, name }) => [functionID, name]));
    const last = steps.at(-1)?.functionID ?? -1;
    let decision: Decision | null = null;
    for (let at = 0; at <= last; at += 1) {
      // A workflow that waits has recorded until when, and no message.
      const isWaiting = !names.has(at) && names.get(at + 1) === slept;
      const name = isWaiting ? received : (names.get(at) ?? interrupted);
      if (name === received) {
        decision = await DBOS.recv<Decision>(topic, { timeoutSeconds: longestWaitSeconds });
        // A message takes two numbers.
        at += 1;
        continue;
      }
      const mark = await DBOS.runStep<StepMark>(async () => ({ state: "not-made" }), { name });
      if (mark.state === "kept") this.#kept.add(name);
    }
    return decision;
  }

  /** Calls the plan's function once. */
  async #callPlan({ approval, forced }: Decision): Promise<Next> {
    const { runtime, tool } = this.#plan;
    const kept = await this.#readRun();
    const { files, params, subject, trace } = kept.beginning;
    const tenant = this.#tenant;
    try {
      const caller = await this.#plan.caller({
        ...optional("tenant", tenant),
        ...optional("subject", subject),
      });
      const options = { runtime, caller, run: this.#id, trace, ...optional("files", files) };
      // The plan validates its parameters again.
      const result = await tool(
        params as never,
        withDriver(withResumption(options, { approval, forced }), this),
      );
      if (this.#interruption !== undefined) throw this.#interruption.error;
      if (!isSuspended(result, this.#id)) return { type: "ended", status: result.status };
      const { request, step } = result;
      return request === undefined
        ? { type: "wait", seconds: this.#plan.pollSeconds, why: `${step} was accepted` }
        : { type: "wait", seconds: longestWaitSeconds, why: `${step} needs an approval` };
    } catch (error) {
      if (this.#interruption !== undefined) throw this.#interruption.error;
      return this.#after(error);
    }
  }

  /** Decides about the next action after an error of the plan. */
  async #after(error: unknown): Promise<Next> {
    const wait = (why: string): Next => ({ type: "wait", seconds: longestWaitSeconds, why });
    if (isToolError(error, "PLAN.OUTCOME_UNKNOWN")) {
      const { call, step } = error.failure;
      return wait(`nobody knows whether the call ${call} of ${step} was made`);
    }
    if (isToolError(error, "PLAN.CHANGED"))
      return wait(`the tools of ${error.failure.steps.join(", ")} have changed`);
    if (isToolError(error, "AUTH.APPROVAL_REQUIRED") && error.failure.reason !== "denied")
      return wait(`${error.failure.request.tool} needs an approval`);
    const isTaken = isToolError(error, "PLAN.RUN_UNAVAILABLE") ? error.failure.reason : undefined;
    if (isTaken === "held" || isTaken === "lost") return { type: "again" };
    if (isToolError(error, "UNKNOWN.INTERNAL") && error.failure.reason === "aborted") {
      if (this.#isCancelled) await this.#beInterrupted();
      // The runtime shuts down. DBOS recovers the workflow in another process.
      else await new Promise<never>(() => {});
      return { type: "again" };
    }
    throw PlanWorkflowError.of(error, this.#id);
  }

  async step(key: string, call: DrivenCall): Promise<End | undefined> {
    for (;;) {
      if (this.#kept.has(key)) {
        if (call.isKept()) return call.make();
        // A store that was restored from a backup. The call must not be made twice.
        throw (this.#interruption ??= { error: PlanWorkflowError.lost(this.#id, key) }).error;
      }
      let made: { readonly end: End | undefined } | undefined;
      const mark = await this.#record(key, async () => {
        const signal = DBOS.stepStatus?.cancelSignal;
        made = { end: await call.make(signal) };
        if (signal?.aborted === true) this.#isCancelled = true;
        return markOf(call, made.end);
      });
      if (mark.state === "kept") this.#kept.add(key);
      // A new step asks the run about a write that may have been made, and says so to DBOS.
      const isAsked = mark.state !== "failed" || !call.isOpen();
      if (made !== undefined && isAsked) return made.end;
    }
  }

  /** Runs a step of DBOS. An error of DBOS ends this execution, whatever the plan makes of it. */
  async #record(name: string, make: () => Promise<StepMark>): Promise<StepMark> {
    try {
      return await DBOS.runStep(make, { name });
    } catch (error) {
      this.#interruption ??= { error };
      throw error;
    }
  }

  /** Lets DBOS end this execution if the workflow was cancelled, or belongs to another process. */
  async #beInterrupted(): Promise<void> {
    this.#isCancelled = false;
    await DBOS.runStep<StepMark>(async () => ({ state: "not-made" }), { name: interrupted });
  }

  async #pause(delayMs: number): Promise<void> {
    await pause(delayMs, undefined);
    const now = await outside(() => DBOS.getWorkflowStatus(this.#id));
    if (now?.status !== "PENDING") await this.#beInterrupted();
  }

  async #readRun(): Promise<KeptRun> {
    const run = { id: this.#id, tenant: this.#tenant };
    const { runs } = this.#plan.runtime;
    if (runs === undefined)
      throw new TypeError(
        "the runtime keeps no runs: give it a store, as `createRuntime({ runs })`",
      );
    const kept = await runs.read(run).catch((error: unknown) => {
      throw PlanWorkflowError.ofStore(error, this.#id);
    });
    if (kept === undefined) throw PlanWorkflowError.noRun(this.#id);
    return kept;
  }
}

function markOf(call: DrivenCall, end: End | undefined): StepMark {
  if (call.isKept()) return { state: "kept" };
  if (end?.type === "stopped") return { state: "suspended" };
  if (end?.type !== "failed") return { state: "not-made" };
  const { error } = end;
  if (isToolError(error, "PLAN.OUTCOME_UNKNOWN"))
    return { state: "outcome-unknown", call: error.failure.call };
  return { state: "failed", code: error instanceof ToolError ? error.code : undefined };
}
