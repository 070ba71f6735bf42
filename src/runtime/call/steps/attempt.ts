import { isToolError, type ToolError, type WriteOutcome, withOutcome } from "../../errors.js";
import type { AnyResult } from "../../result.js";
import { pause, waitBeforeNext } from "../retry.js";
import { isLeftBehind } from "../../shutdown.js";
import type { AttemptOutcome, PreparedCall } from "../../tool.js";
import { abortedError, callError } from "../call-error.js";
import type { Call } from "../call.js";
import { MissingPackage } from "../missing-package.js";
import { RunningAttempt } from "../running-attempt.js";

/** Sends the request, and again as the tool's retry policy allows. */
export function attempt(call: Call): undefined | Promise<void> {
  return call.prepared && sendUntilAnswered(call.prepared, call);
}

async function sendUntilAnswered(prepared: PreparedCall<AnyResult>, call: Call): Promise<void> {
  const { retry } = call.tool;
  for (;;) {
    // The caller may have done so while credentials or the ledger were waited for.
    if (call.options.signal?.aborted) throw abortedError(call);
    if (call.cancel?.error !== undefined) throw call.cancel.error;
    if (isLeftBehind(call)) throw leftBehindError(call);
    call.attempts += 1;
    const ended = await once(prepared, call);
    call.outcome = outcomeAfter(ended, call.outcome);
    const again = prepared.isSpent === true ? undefined : ended.retry;
    const wait = again && waitBeforeNext(retry, call.attempts, again.afterMs);
    if (wait !== undefined && (await pauseBeforeNext(wait, call))) continue;
    if ("error" in ended) throw ended.error;
    call.answered = ended.result;
    call.answerOutcome = ended.outcome ?? "not-done";
    return;
  }
}

/**
 * Whether there may be a next attempt then: not once `shutdown` has stopped waiting for the call.
 */
async function pauseBeforeNext(ms: number, call: Call): Promise<boolean> {
  if (isLeftBehind(call)) return false;
  // No service needs to recover, and no test should wait for it.
  if (call.runtime.fakes !== undefined) return true;
  await pause(ms, call.options.signal).catch(() => {
    throw abortedError(call);
  });
  return !isLeftBehind(call);
}

/**
 * What is known of the write if the call ends after that. An answer that asks for another attempt
 * tells nothing for certain.
 */
function outcomeAfter(ended: AttemptOutcome<AnyResult> | Lost, before: WriteOutcome): WriteOutcome {
  const isDone = "result" in ended ? ended.retry === undefined : !isUnknown(ended.error);
  return isDone ? before : "unknown";
}

function isUnknown(error: unknown): boolean {
  return !isToolError(error) || error.outcome === "unknown";
}

interface Lost {
  readonly error: unknown;
  readonly retry?: { readonly afterMs?: number };
}

/** Only what the network lost is worth another attempt. */
function retryable(error: unknown): Lost {
  if (isToolError(error, "PROVIDER.TIMEOUT")) return { error, retry: {} };
  if (!isToolError(error, "PROVIDER.UNAVAILABLE")) return { error };
  const { retryAfterMs: afterMs } = error.failure;
  return { error, retry: afterMs === undefined ? {} : { afterMs } };
}

/**
 * One attempt, over when it answers, when its time is up, or when the caller aborts; never later.
 */
function once(
  prepared: PreparedCall<AnyResult>,
  call: Call,
): Promise<AttemptOutcome<AnyResult> | Lost> {
  const { timeoutMs } = call.tool;
  const { cancel } = call;
  const caller = call.options.signal;
  return new Promise((resolve) => {
    const attempt = new RunningAttempt(call);
    const end = (ended: AttemptOutcome<AnyResult> | Lost) => {
      clearTimeout(timer);
      caller?.removeEventListener("abort", abort);
      if (cancel !== undefined) cancel.listener = undefined;
      resolve(ended);
    };
    const fail = (error: unknown) => end(retryable(errorOf(call, error)));
    const stop = (error: ToolError) => fail(withOutcome(error, attempt.abort(error)));
    const abort = () => stop(abortedError(call));
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => stop(timeoutError(call, timeoutMs)), timeoutMs);
    caller?.addEventListener("abort", abort, { once: true });
    if (cancel !== undefined) cancel.listener = stop;
    try {
      call.hooks.sending?.(prepared.reach(attempt.open), attempt.open);
      Promise.resolve(prepared.send(attempt)).then(end, fail);
    } catch (error) {
      // A binding that throws where it should reject has failed all the same.
      fail(error);
    }
  });
}

/** What ended an attempt, as the call's own error where it is known what it means. */
function errorOf(call: Call, error: unknown): unknown {
  if (error instanceof MissingPackage) return missingError(call, error);
  return call.hooks.failing?.(error) ?? error;
}

function timeoutError(call: Call, timeoutMs: number): ToolError {
  return callError(
    call,
    { code: "PROVIDER.TIMEOUT", timeoutMs },
    `\`${call.toolId}\` had no answer within ${timeoutMs} ms`,
  );
}

function leftBehindError(call: Call): ToolError {
  return callError(
    call,
    { code: "UNKNOWN.INTERNAL", reason: "aborted" },
    `\`${call.toolId}\` was not sent: \`shutdown\` waited for it no longer`,
    { outcome: call.outcome },
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
