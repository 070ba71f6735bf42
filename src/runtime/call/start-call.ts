import { randomUUID } from "node:crypto";
import { currentCaller } from "../caller.js";
import { noSecrets } from "../credentials/secret.js";
import type { AnyResult } from "../result.js";
import type { Runtime } from "../runtime.js";
import type { ToolContract } from "../tool.js";
import { noHooks } from "./attempt.js";
import type { Call } from "./call.js";
import type { CallOptions } from "./call-options.js";
import { nextCallNumber } from "./calls-in-flight.js";
import type { PreflightNotes } from "./preflight-notes.js";
import { undoingOf } from "./undoing.js";

/** Makes the state of a call that begins now. */
export function startCall<Params, Arguments, Result extends AnyResult, Given extends AnyResult>(
  tool: ToolContract<Params, Arguments, Result, Given>,
  given: Params,
  options: CallOptions,
  runtime: Runtime,
  preflight: PreflightNotes | undefined,
): Call {
  return {
    id: randomUUID(),
    number: nextCallNumber(),
    toolId: `${tool.skill}/${tool.name}`,
    tool,
    options,
    runtime,
    mode: options.mode ?? runtime.mode ?? tool.mode,
    caller: options.caller ?? currentCaller() ?? runtime.caller,
    undoing: undoingOf(options),
    startedAt: performance.now(),
    given,
    params: undefined,
    hasLargeInteger: false,
    areParamsFit: false,
    args: undefined,
    pagedArgs: undefined,
    paths: undefined,
    page: undefined,
    binding: tool.binding,
    prepared: undefined,
    secrets: noSecrets,
    release: undefined,
    hooks: noHooks,
    cancel: undefined,
    attempts: 0,
    accepted: undefined,
    outcome: "not-done",
    answered: undefined,
    answerJson: undefined,
    recorded: undefined,
    produced: undefined,
    containment: undefined,
    answerBytes: undefined,
    stream: undefined,
    misfits: undefined,
    mustFit: false,
    answeredWith: undefined,
    answerOutcome: "not-done",
    onceKey: undefined,
    refusal: undefined,
    trial: undefined,
    result: undefined,
    request: undefined,
    recordedParams: undefined,
    sealed: undefined,
    keeper: undefined,
    wayBack: undefined,
    preflight,
    decision: undefined,
    endings: undefined,
  };
}
