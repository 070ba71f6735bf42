/**
 * Determines how a call ended: the status in the ledger, the state in events, and the metric that
 * counts it.
 */
import { isRefusal, type ToolError } from "../errors.js";
import type { AnyResult } from "../result.js";
import type { Call, Ending } from "./call.js";

/**
 * `Completed`: the tool answered as it promises. `Denied`: governance denied the call before it was
 * made. `Canceled`: the caller aborted. `Failed`: everything else.
 */
export type EndState = "Completed" | "Denied" | "Failed" | "Canceled";

/** How a call ended. */
export interface CallEnd {
  readonly state: EndState;
  /**
   * Status of the answer. Without an answer: `unknown` for a write that may have been made,
   * otherwise `denied` or `failed`.
   */
  readonly status: string;
  /** The answer, even if the caller didn't get it. */
  readonly answer: AnyResult | undefined;
  /** The error that the caller got in place of the answer. */
  readonly error: ToolError | undefined;
}

/**
 * Returns how a call ended. The state depends on what was done, not on what the caller got: a call
 * that was answered is completed, even if governance withholds the answer because it is too large
 * or an obligation can't be applied.
 */
export function callEnd(call: Call, ending: Ending): CallEnd {
  if ("result" in ending) return completed(call, ending.result, undefined);
  const { error } = ending;
  const withheld = withheldAnswer(call);
  if (withheld !== undefined) return completed(call, withheld, error);
  if (isDenied(call, error)) return { state: "Denied", status: "denied", answer: undefined, error };
  return {
    state: isAborted(error) ? "Canceled" : "Failed",
    status: error.outcome === "unknown" ? "unknown" : "failed",
    answer: undefined,
    error,
  };
}

/** If a call is made once, its answer may not say whether it was made. */
function completed({ decision }: Call, answer: AnyResult, error: ToolError | undefined): CallEnd {
  return { state: "Completed", status: decision?.outcome ?? answer.status, answer, error };
}

/**
 * Returns an answer that was withheld. The step `answer` had accepted it, so only later steps can
 * have withheld it. A call that would have got a stored answer was not made itself.
 */
function withheldAnswer({ answered, attempts, result }: Call): AnyResult | undefined {
  return attempts === 0 || result === undefined ? undefined : answered;
}

/**
 * Returns whether a call was denied. A call without an attempt was not made; an unknown outcome is
 * then that of an earlier call with the same key.
 */
function isDenied({ attempts, decision }: Call, { code, outcome }: ToolError): boolean {
  if (decision === undefined || !isRefusal(code)) return false;
  return outcome === "not-done" || attempts === 0;
}

function isAborted({ failure }: ToolError): boolean {
  return failure.code === "UNKNOWN.INTERNAL" && failure.reason === "aborted";
}
