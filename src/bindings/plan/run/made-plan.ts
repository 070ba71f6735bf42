/**
 * Runs a plan that a program or a model has made, and that has no tool of its own. Each step is a
 * governed call; the plan itself is none, so it has no record in the ledger.
 */
import { abortedError, callError } from "../../../runtime/call/call-error.js";
import type { Call } from "../../../runtime/call/call.js";
import { type CallOptions, copyOptions } from "../../../runtime/call/call-options.js";
import { countCall } from "../../../runtime/call/calls-in-flight.js";
import { copyParameters } from "../../../runtime/call/copy-parameters.js";
import { FakeError } from "../../../runtime/call/handler-binding.js";
import { oneAttempt } from "../../../runtime/call/one-attempt.js";
import { startCall } from "../../../runtime/call/start-call.js";
import { calledByModel, currentCaller } from "../../../runtime/caller.js";
import { ToolError } from "../../../runtime/errors.js";
import type { JsonValue } from "../../../runtime/json/json.js";
import type { AnyResult } from "../../../runtime/result.js";
import { defaultRuntime } from "../../../runtime/runtime.js";
import { isSuspended, openMadeRun, type RunJournal } from "../../../runtime/runs/journal.js";
import type { Manifests } from "../../../runtime/runs/manifests.js";
import type { RunEvent } from "../../../runtime/runs/store.js";
import { defineTool } from "../../../runtime/tool.js";
import type { MadePlanFacts } from "./ask-planner.js";
import type { PlanContract } from "./contract.js";
import { plan } from "./execute.js";
import { Execution } from "./execution.js";

/** Options of a plan's calls. Their caller's origin is `llm`. */
export interface MadePlanOptions extends Pick<
  CallOptions,
  "caller" | "files" | "mode" | "run" | "runtime" | "signal" | "trace"
> {}

/** Stands for the id of the tool in errors and in runs. No tool has this id. */
const madePlanId = "(dynamic plan)";

/** Stands for the tool of a plan that has none. */
const standIn = defineTool<unknown, unknown, AnyResult>({
  skill: "planner",
  name: "plan",
  version: { skill: "", binding: "", manifest: "" },
  effect: "write",
  params: Object.assign((_value: unknown): _value is unknown => true, { errors: null }),
  binding: plan({
    steps: [],
    facts: { capabilities: [], credentials: [], scopes: [], approvals: [], maxWrites: 0 },
  }),
});

/** @throws TypeError if the value is not JSON */
function copyOf(given: unknown): unknown {
  try {
    return copyParameters(given);
  } catch (cause) {
    throw new TypeError("`inputs` and `plan` must be JSON", { cause });
  }
}

/** A plan that is being run, and its run. */
export class MadePlan {
  readonly journal: RunJournal;
  readonly #call: Call;
  readonly #end: () => void;

  private constructor(call: Call, journal: RunJournal, end: () => void) {
    this.#call = call;
    this.journal = journal;
    this.#end = end;
  }

  /**
   * Begins the run of a plan, or goes on with a kept one. The caller must `close` it.
   *
   * @param given everything that the caller gave: a run goes on only with the same
   * @param manifestsOf returns the fingerprints of the tools that a kept run now has
   * @throws ToolError if the run can't begin or go on
   * @throws TypeError if an option is not valid, or the runtime keeps no runs
   */
  static async open(
    given: unknown,
    options: MadePlanOptions,
    manifestsOf: (events: readonly RunEvent[]) => Manifests,
  ): Promise<MadePlan> {
    const own = copyOptions(options);
    const runtime = own.runtime ?? defaultRuntime();
    if (own.run != null && runtime.runs === undefined)
      throw new TypeError(
        "`run` needs a store of runs: give one to `createRuntime({ runs })`, such as `folderRuns` or `postgresRuns` makes",
      );
    const caller = calledByModel(own.caller ?? currentCaller() ?? runtime.caller);
    const begun = startCall(standIn, given, { ...own, caller }, runtime, undefined);
    const call = { ...begun, toolId: madePlanId, args: copyOf(given) };
    const end = countCall(runtime);
    try {
      const journal = await openMadeRun(call, { name: "planner" }, manifestsOf);
      return new MadePlan(call, journal, end);
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * Runs the steps that are not answered yet.
   *
   * @returns the answer of the plan: with data, of the step that stopped it, or that it is suspended
   * @throws ToolError if a step fails
   */
  async run<Sources>(
    contract: PlanContract<Sources, unknown>,
    inputs: JsonValue,
    made: MadePlanFacts,
  ): Promise<AnyResult> {
    const call = this.#call;
    const run = this.journal;
    if (call.options.signal?.aborted) throw this.abortedError();
    const ended = await oneAttempt(call, (attempt) =>
      new Execution(contract, inputs, { call, attempt, run, path: "", made }).run(),
    );
    if ("error" in ended) throw this.#errorOf(ended.error);
    return ended.result;
  }

  /** Stores how the plan has ended, if a store keeps the run. */
  async end(result: AnyResult): Promise<void> {
    const { journal } = this;
    await (isSuspended(result, journal.id)
      ? journal.suspend(result.step, result.request)
      : journal.end(result));
  }

  /** Makes the error for a plan that was aborted before its first step. */
  abortedError(): ToolError {
    return abortedError(this.#call);
  }

  /** Lets others hold the run. */
  async close(): Promise<void> {
    await this.journal.release();
    this.#end();
  }

  #errorOf(error: unknown): unknown {
    if (error instanceof ToolError || error instanceof FakeError) return error;
    const failure = { code: "UNKNOWN.INTERNAL", reason: "bug" } as const;
    return callError(this.#call, failure, "a plan failed inside skillc; please report it", {
      cause: error,
    });
  }
}
