import { isToolError, type ToolError, withOutcome } from "../errors.js";
import type { AnyResult } from "../result.js";
import type { Attempt, AttemptOutcome } from "./attempt.js";
import { abortedError, callError } from "./call-error.js";
import type { Call } from "./call.js";
import { MissingPackage } from "./missing-package.js";
import { onAborted } from "../on-aborted.js";
import { RunningAttempt } from "./running-attempt.js";

/** An attempt without an answer. */
export interface Lost {
  readonly error: unknown;
  readonly retry?: { readonly afterMs?: number };
}

/** Marks network errors as retryable. Another attempt can't fix other errors. */
function retryable(error: unknown): Lost {
  if (isToolError(error, "PROVIDER.TIMEOUT")) return { error, retry: {} };
  if (!isToolError(error, "PROVIDER.UNAVAILABLE")) return { error };
  // A program that failed once fails again.
  if (error.failure.exit !== undefined) return { error };
  const { retryAfterMs: afterMs } = error.failure;
  return { error, retry: afterMs === undefined ? {} : { afterMs } };
}

/**
 * Makes one attempt. It ends when it is answered, at its time limit, or when the caller aborts;
 * later only if the binding must first end what it began (`Attempt.whenAborted`).
 *
 * @param leftMs remaining time in milliseconds, if that may be less than the tool's `timeout_ms`
 */
export function oneAttempt(
  call: Call,
  send: (attempt: Attempt) => Promise<AttemptOutcome<AnyResult>>,
  leftMs?: number,
): Promise<AttemptOutcome<AnyResult> | Lost> {
  const timeoutMs = leastOf(call.tool.timeoutMs, leftMs);
  const { cancel } = call;
  const caller = call.options.signal;
  return new Promise((resolve) => {
    const attempt = new RunningAttempt(call, timeoutMs);
    const end = (ended: AttemptOutcome<AnyResult> | Lost) => {
      clearTimeout(timer);
      stopListening?.();
      if (cancel !== undefined) cancel.listener = undefined;
      resolve(ended);
    };
    const fail = (error: unknown) => end(retryable(errorOf(call, error)));
    const failAfterWork = async (error: ToolError) => {
      await attempt.endWork();
      fail(error);
    };
    let isStopped = false;
    const stop = (error: ToolError) => {
      isStopped = true;
      const stopped = withOutcome(error, attempt.abort(error));
      if (attempt.hasWork) void failAfterWork(stopped);
      else fail(stopped);
    };
    const abort = () => stop(abortedError(call));
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => stop(timeoutError(call, timeoutMs)), timeoutMs);
    const stopListening = caller && onAborted(caller, abort);
    if (cancel !== undefined) cancel.listener = stop;
    try {
      // After a stop, the end of what was begun is no answer.
      Promise.resolve(send(attempt)).then(
        (ended) => (isStopped ? undefined : end(ended)),
        (error: unknown) => (isStopped ? undefined : fail(error)),
      );
    } catch (error) {
      // A binding should reject, but may throw.
      fail(error);
    }
  });
}

/** Returns the smaller limit in whole milliseconds, as timers need. */
function leastOf(timeoutMs: number | undefined, leftMs: number | undefined): number | undefined {
  if (leftMs === undefined) return timeoutMs;
  return Math.min(timeoutMs ?? Infinity, Math.max(1, Math.ceil(leftMs)));
}

/** Returns the call's own error for a known cause, or the error itself. */
function errorOf(call: Call, error: unknown): unknown {
  if (error instanceof MissingPackage) return missingError(call, error);
  return call.hooks.failing?.(error) ?? error;
}

function timeoutError(call: Call, timeoutMs: number): ToolError {
  return callError(
    call,
    { code: "PROVIDER.TIMEOUT", timeoutMs },
    `\`${call.toolId}\` got no answer within ${timeoutMs} ms`,
  );
}

function missingError(call: Call, cause: MissingPackage): ToolError {
  return callError(
    call,
    { code: "POLICY.DENY_TOOL", missing: [{ kind: "packages", name: cause.packageName }] },
    `\`${call.toolId}\` can't be called here: ${cause.message}`,
    { cause, outcome: "not-done" },
  );
}
