import { isToolError, type ToolError } from "../errors.js";
import { adviceFor } from "./model-advice.js";
import { collected } from "./collect.js";
import type { AnyResult } from "../result.js";

/**
 * Result of a tool call for a model. Both fields are those of Anthropic's `tool_result`; OpenAI's
 * API takes `content`.
 */
export interface ModelResult {
  /** JSON of the tool's answer, or of the reason why there is none. */
  readonly content: string;
  /** True if the call failed, so that there is no answer. */
  readonly is_error: boolean;
}

/**
 * Turns the end of a call into text for a model: the answer, or the part of the error that helps
 * the model. It leaves out details for operators: names of credentials, and the request of shadow
 * mode. docs/runtime/errors.md has the table.
 *
 * @param call the promise from `dispatchTool` or a tool
 * @throws any error that is not a `ToolError`; and the `ToolError` of a call that its caller
 * aborted
 */
export async function resultForModel(call: Promise<AnyResult>): Promise<ModelResult> {
  const { isError, value } = await valueForModel(call);
  return { content: JSON.stringify(value), is_error: isError };
}

/** End of a call in the form of a value, before it becomes text. */
export interface ValueForModel {
  /** The answer, or why there is none. Its JSON is the text for the model. */
  readonly value: AnyResult;
  /** True if the call failed, so that there is no answer. */
  readonly isError: boolean;
}

/** Does the same as `resultForModel`, but returns a value in place of text. */
export async function valueForModel(call: Promise<AnyResult>): Promise<ValueForModel> {
  try {
    const result = await call;
    const shown = isSuspendedPlan(result)
      ? waiting
      : result.status === "shadow"
        ? notMade
        : await collected(result);
    return { value: shown, isError: false };
  } catch (error) {
    if (!isToolError(error) || isAborted(error)) throw error;
    return failureForModel(error);
  }
}

/** Returns the part of an error that helps a model, also of a call that its caller aborted. */
export function failureForModel(error: ToolError): ValueForModel {
  const failed = { status: "failed", code: error.code, message: messageFor(error) };
  return { value: failed, isError: true };
}

/** Replaces the request of shadow mode, which names the service and its credentials. */
const notMade = {
  status: "shadow",
  message: "nothing was done: this application only records calls that change something",
};

/** Replaces the request of a suspended plan, which names its caller. */
const waiting = {
  status: "suspended",
  message: "the work has begun, and goes on once somebody has approved it or a service has done it",
};

/** A tool may have its own status `suspended`. */
function isSuspendedPlan(result: AnyResult): boolean {
  return result.status === "suspended" && "run" in result && "step" in result;
}

function isAborted({ failure }: ToolError): boolean {
  return failure.code === "UNKNOWN.INTERNAL" && failure.reason === "aborted";
}

function messageFor(error: ToolError): string {
  const unknown = "the change may have been made anyway: find out before you repeat the call";
  const advice = error.outcome === "unknown" ? unknown : adviceFor(error);
  return [reasonFor(error), ...(advice === undefined ? [] : [advice])].join("; ");
}

function reasonFor({ failure, message, step }: ToolError): string {
  switch (failure.code) {
    case "SCHEMA.VALIDATION_FAILED":
      // Models must not learn about the caller.
      if (failure.subject === "caller") return notAvailable;
      // The model gave the parameters of the plan, not those of its step.
      if (step !== undefined) return notUnderstood;
      return failure.subject === "parameters" ? message : notUnderstood;
    case "POLICY.DENY_TOOL":
      return failure.missing.every(({ kind }) => kind === "tools") ? message : notAvailable;
    case "CREDENTIAL.MISSING":
      return notAvailable;
    case "PROVIDER.TIMEOUT":
      return "the service did not answer in time";
    case "PROVIDER.UNAVAILABLE":
      return "the service can't be reached";
    case "PROVIDER.PROTOCOL":
      return failure.subject === "next-page" ? noNextPage : notUnderstood;
    case "AUTH.CALLER_MISSING":
    case "SANDBOX.CAPABILITY_BLOCKED":
      return notAvailable;
    case "AUTH.FORBIDDEN":
      return notPermitted(failure.messages);
    case "AUTH.APPROVAL_REQUIRED":
      if (failure.reason !== "denied") return approvalNeeded;
      return failure.note === undefined
        ? "a person denied this call"
        : `a person denied this call: ${failure.note}`;
    case "QUOTA.RATE_LIMITED":
    case "QUOTA.BUDGET_EXCEEDED":
      return message;
    case "IDEMPOTENCY.REFUSED":
      return failure.reason === "unknown-outcome" ? unknownBefore : message;
    case "PLAN.MASKED_VALUE":
      return "a step of this tool would use a value that is hidden from its caller";
    case "PLAN.NO_VALUE":
      return "a step of this tool needs a value that an earlier step did not get";
    case "PLAN.TOO_MANY_ITEMS":
      return "a step of this tool has more items than are allowed";
    case "PLAN.NOT_INFERRED":
      return "nothing could be found for a parameter of a step of this tool";
    case "PLAN.OUTCOME_UNKNOWN":
      return unknownBefore;
    case "PLAN.RUN_TAKEN":
    case "PLAN.NO_RUN":
    case "PLAN.RUN_UNAVAILABLE":
    case "PLAN.RUN_ENDED":
    case "ROLLBACK.REFUSED":
    case "PLAN.CHANGED":
      return "the tool failed";
    case "UNKNOWN.INTERNAL":
      return failure.reason === "aborted" ? "the call was aborted" : "the tool failed";
  }
}

function notPermitted(reasons: readonly string[] = []): string {
  const denied = "this call is not permitted";
  return reasons.length === 0 ? denied : `${denied}: ${reasons.join("; ")}`;
}

const approvalNeeded =
  "a person has to approve this call first; repeat the call unchanged after that";
const unknownBefore = "the same call began earlier, and nobody knows how it ended";
const notAvailable = "this tool is not available here";
const notUnderstood = "the service's answer could not be understood";
const noNextPage =
  "there is more, but no further page can be fetched: you have everything that is available";
