/**
 * Runs a call as a list of steps, each in a file of `steps/`. `call.ts` defines the state that they
 * share. A binding kind supplies `prepare`, whose result can be described and sent, so that both
 * modes use the same request. `running-attempt.ts` and `one-attempt.ts` make one attempt,
 * `retry.ts` computes the delay before the next one, `poll.ts` polls accepted work, `call-error.ts`
 * makes errors, and `mask.ts` hides parameters in the ledger.
 */
import { isRefusal, ToolError, type ToolFailure, withOutcome } from "../errors.js";
import type { Governance } from "../governance/governance.js";
import { isOwner, removeAtEnd } from "../files/temporary-folders.js";
import { endCall } from "../ledger/record-call.js";
import type { AnyResult } from "../result.js";
import { defaultRuntime } from "../runtime.js";
import type { ToolContract } from "../tool.js";
import { type Call, type Ending, type NamedStep, namedSteps } from "./call.js";
import { callError, maskPlaces, scrubError } from "./call-error.js";
import { type CallOptions, copyOptions } from "./call-options.js";
import type { StreamEnd, StreamSummary } from "./answer-stream.js";
import { countCall } from "./calls-in-flight.js";
import { FakeError } from "./handler-binding.js";
import { enterPlan, innerCallOf } from "./inner-call.js";
import { preflightOf } from "./preflight.js";
import { RefusedValue, refusedParameter } from "./refused-value.js";
import { answer } from "./steps/answer.js";
import { attempt } from "./steps/attempt.js";
import { available } from "./steps/available.js";
import { credentials } from "./steps/credentials.js";
import { prepare } from "./steps/prepare.js";
import { receive } from "./steps/receive.js";
import { readFiles } from "./steps/read-files.js";
import { record } from "./steps/record.js";
import { shadow } from "./steps/shadow.js";
import { handOver, recall, undo } from "./steps/undo.js";
import { turnPage } from "./steps/turn-page.js";
import { startCall } from "./start-call.js";
import { isOnlyDecided } from "./undoing.js";
import { validate } from "./steps/validate.js";

/** Steps that send nothing. */
const deciding = {
  receive,
  available,
  validate,
  turnPage,
  readFiles,
  prepare,
  credentials,
  shadow,
};

/**
 * The usual steps, in order, until one sets the call's result. A runtime with governance has its
 * own list.
 */
const usualSteps = namedSteps({ ...deciding, record, attempt, answer });
const usualDrySteps = namedSteps(deciding);

/** Steps of a call that undoes an earlier call of the same tool, and of its dry run. */
const undoSteps = namedSteps({ recall, available, handOver, record, undo });
const undoDrySteps = namedSteps({ recall, available });

/**
 * Makes one call of a generated tool: validates the parameters, builds the request, records a write
 * before it is sent, sends it with retries, validates the answer, and records the outcome.
 *
 * @returns the answer of the tool
 * @throws ToolError if there is no answer to return
 * @throws TypeError if an option is not valid
 */
export function callTool<
  Params,
  Arguments,
  Result extends AnyResult,
  Given extends AnyResult = Result,
>(
  tool: ToolContract<Params, Arguments, Result, Given>,
  params: Params,
  options: CallOptions = {},
): Promise<Given> {
  try {
    const own = copyOptions(options);
    const runtime = own.runtime ?? defaultRuntime();
    const asked = preflightOf(own);
    const call = startCall(tool, params, own, runtime, asked && { budget: [] });
    if (call.undoing !== undefined) call.undoing.by = call.id;
    if (own.run != null) requireKeptRun(call);
    const inner = innerCallOf(own);
    if (inner !== undefined) enterPlan(call, inner);
    if (asked !== undefined) return runDry(call, asked) as Promise<Given>;
    // The steps produce an answer of the call's tool.
    return (
      runtime.telemetry === undefined
        ? makeCall(call)
        : runtime.telemetry.around(call as never, makeCall)
    ) as Promise<Given>;
  } catch (error) {
    return Promise.reject(error);
  }
}

async function makeCall(call: Call): Promise<AnyResult> {
  const { runtime } = call;
  const { governance } = runtime;
  const ended = countCall(runtime);
  let isOpen = false;
  try {
    const { telemetry } = runtime;
    const steps = stepsOf(call);
    for (let at = 0; at < steps.length && call.result === undefined; at += 1) {
      // The index is within the list.
      const step = steps[at] as NamedStep;
      const waiting = telemetry === undefined ? step.run(call) : runStep(call, step);
      if (waiting !== undefined) await waiting;
    }
    // The last step sets it.
    if (isOnlyDecided(call)) return call.result as AnyResult;
    const governed =
      governance && call.undoing?.own === undefined && governResult(call, governance);
    if (governed instanceof Promise) await governed;
    const result = call.result as AnyResult;
    if (call.stream !== undefined) {
      isOpen = true;
      call.stream.begin(streamEnd(call, ended));
      return result;
    }
    const delivery = runEndings(call, { result });
    if (delivery !== undefined) await delivery;
    const kept = endCall(call, { result });
    if (kept !== undefined) await kept;
    return result;
  } catch (thrown) {
    call.stream?.abandon();
    const error = errorOf(thrown, call);
    await runEndings(call, { error });
    await endCall(call, { error });
    throw thrown instanceof FakeError ? thrown : error;
  } finally {
    if (!isOpen) {
      call.release?.();
      ended();
    }
  }
}

/** Returns the error that the caller gets. */
function errorOf(thrown: unknown, call: Call): ToolError {
  const error = maskPlaces(settled(asToolError(thrown, call), call), call.tool);
  return scrubError(error, call.runtime.credentials.scrubber);
}

/** Returns what ends a call whose answer is a stream. */
function streamEnd(call: Call, ended: () => void): StreamEnd {
  const finish = async (ending: Ending): Promise<void> => {
    await runEndings(call, ending);
    await endCall(call, ending);
  };
  const { result } = call;
  const summarize = (summary: StreamSummary): void => {
    call.recorded = { status: result?.status ?? "success", data: summary } as AnyResult;
  };
  const failed = async (error: ToolError, items: number): Promise<void> => {
    // A withheld answer was still received; a stream that broke off was not.
    if (isRefusal(error.code)) summarize({ items, ended: "withheld" });
    else call.result = undefined;
    await finish({ error });
  };
  return {
    errorOf: (thrown) => {
      // If the server broke off, it may or may not have made the change.
      call.outcome = "unknown";
      return errorOf(thrown, call);
    },
    async end(ending) {
      try {
        if ("error" in ending) await failed(ending.error, ending.items);
        else {
          summarize(ending);
          // The last step has set it.
          await finish({ result: result as AnyResult });
        }
        return undefined;
      } catch (thrown) {
        const error = errorOf(thrown, call);
        await failed(error, ending.items);
        return error;
      } finally {
        call.release?.();
        ended();
      }
    },
  };
}

/**
 * Makes a dry run.
 *
 * @returns a placeholder, because a tool's function must return something
 */
async function runDry(
  call: Call,
  asked: NonNullable<ReturnType<typeof preflightOf>>,
): Promise<AnyResult> {
  const { credentials: known } = call.runtime;
  const ended = countCall(call.runtime);
  const steps = dryStepsOf(call);
  try {
    await asked.receive(call, steps, (thrown) => {
      if (thrown instanceof FakeError) throw thrown;
      return scrubError(maskPlaces(asToolError(thrown, call), call.tool), known.scrubber);
    });
    return { status: "preflight" };
  } finally {
    call.release?.();
    ended();
  }
}

function governResult(call: Call, governance: Governance, from = 0): undefined | Promise<void> {
  // `Governance` documents that they are steps.
  const steps = governance.resultSteps as readonly NamedStep[];
  for (let at = from; at < steps.length; at += 1) {
    const step = steps[at];
    const waiting = step && runStep(call, step);
    if (waiting !== undefined) return waiting.then(() => governResult(call, governance, at + 1));
  }
  return undefined;
}

function runStep(call: Call, { name, run }: NamedStep): undefined | Promise<void> {
  const { telemetry } = call.runtime;
  return telemetry === undefined ? run(call) : telemetry.step(name, run, call as never);
}

function stepsOf({ runtime, undoing }: Call): readonly NamedStep[] {
  const { governance } = runtime;
  const isUndo = undoing?.own !== undefined;
  if (governance === undefined) return isUndo ? undoSteps : usualSteps;
  // `Governance` documents that they are steps.
  return (isUndo ? governance.undoSteps : governance.steps) as readonly NamedStep[];
}

function dryStepsOf({ runtime, undoing }: Call): readonly NamedStep[] {
  const { governance } = runtime;
  const isUndo = undoing?.own !== undefined;
  if (governance === undefined) return isUndo ? undoDrySteps : usualDrySteps;
  // `Governance` documents that they are steps.
  return (isUndo ? governance.undoDrySteps : governance.drySteps) as readonly NamedStep[];
}

/**
 * Runs what waits for the end of a call. Its temporary folders are removed last.
 */
function runEndings(call: Call, ending: Ending): undefined | Promise<void> {
  if (isOwner(call.id)) (call.endings ??= []).unshift(() => removeAtEnd(call.id));
  return call.endings && endAll(call, ending);
}

/**
 * Runs the endings once each. If one throws, the call ends with this error, and the others get it.
 */
function endAll(call: Call, ending: Ending): undefined | Promise<void> {
  for (let listener = call.endings?.pop(); listener !== undefined; listener = call.endings?.pop()) {
    const waiting = listener(ending);
    if (waiting !== undefined) return waiting.then(() => endAll(call, ending));
  }
  return undefined;
}

/**
 * Rejects a run of a tool that is no plan, or of a runtime that keeps none.
 *
 * @throws TypeError
 */
function requireKeptRun({ runtime, tool, toolId }: Call): void {
  if (tool.binding.plan === undefined || Object.hasOwn(runtime.handlers, toolId))
    throw new TypeError(`\`run\` is for plans, and \`${toolId}\` is none`);
  if (runtime.runs === undefined)
    throw new TypeError(
      "`run` needs a store of runs: give one to `createRuntime({ runs })`, such as `folderRuns` or `postgresRuns` makes",
    );
}

/**
 * Sets the outcome of the caller's error. A read changes nothing, and no later attempt undoes what
 * an earlier one may have done.
 */
function settled(error: ToolError, { outcome, tool }: Call): ToolError {
  if (tool.effect === "read") return withOutcome(error, "not-done");
  return outcome === "unknown" ? withOutcome(error, outcome) : error;
}

/** Returns the values that may be part of the request. */
function givenValues({ caller = {}, params, tool }: Call): Parameters<typeof refusedParameter>[2] {
  const taken = tool.caller?.map((field) => [field, caller[field]]);
  return { params, ...(taken && { caller: Object.fromEntries(taken) }) };
}

function asToolError(thrown: unknown, call: Call): ToolError {
  if (thrown instanceof ToolError) return thrown;
  if (thrown instanceof FakeError) {
    const what: ToolFailure = { code: "UNKNOWN.INTERNAL", reason: "handler-failed" };
    return callError(call, what, thrown.message, { cause: thrown });
  }
  if (thrown instanceof RefusedValue)
    return refusedParameter(call.toolId, thrown, givenValues(call), call.attempts);
  return callError(
    call,
    { code: "UNKNOWN.INTERNAL", reason: "bug" },
    `\`${call.toolId}\` failed inside skillc; please report it`,
    { cause: thrown },
  );
}
