/**
 * How a call ended, by one rule: the ledger's status, the state of events, and which metric counts
 * it.
 */
import { isRefusal, type ToolError } from "../errors.js";
import type { AnyResult } from "../result.js";
import type { Call, Ending } from "./call.js";

/**
 * `Completed`: it was answered, and the answer is one that the tool promises. `Denied`: governance
 * refused it before it was made. `Canceled`: its caller aborted it. `Failed`: all else.
 */
export type EndState = "Completed" | "Denied" | "Failed" | "Canceled";

export interface CallEnd {
  readonly state: EndState;
  /**
   * Of the answer; without one `unknown` for a write that may have been made all the same, else
   * `denied` or `failed`.
   */
  readonly status: string;
  /** What was answered, whether its caller has it or not. */
  readonly answer: AnyResult | undefined;
  /** What its caller got in place of the answer. */
  readonly error: ToolError | undefined;
}

/**
 * The call's state follows from what was done, and not from what its caller was told: a call that
 * was answered has been made, also when governance withholds the answer (its bytes are too many, or
 * an obligation can't be met).
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

/** A call that is made once may have an answer that doesn't tell whether it was. */
function completed({ decision }: Call, answer: AnyResult, error: ToolError | undefined): CallEnd {
  return { state: "Completed", status: decision?.outcome ?? answer.status, answer, error };
}

/**
 * The step `answer` has accepted it: only what comes behind the list can have kept it back. A call
 * that would have been given a stored answer was not made itself.
 */
function withheldAnswer({ answered, attempts, result }: Call): AnyResult | undefined {
  return attempts === 0 || result === undefined ? undefined : answered;
}

/**
 * A call without an attempt was not made. Where its outcome is unknown all the same, that is an
 * earlier call's with the same key.
 */
function isDenied({ attempts, decision }: Call, { code, outcome }: ToolError): boolean {
  if (decision === undefined || !isRefusal(code)) return false;
  return outcome === "not-done" || attempts === 0;
}

function isAborted({ failure }: ToolError): boolean {
  return failure.code === "UNKNOWN.INTERNAL" && failure.reason === "aborted";
}
