import type { CallInProgress } from "./call-in-progress.js";
import { isToolError, ToolError, type WriteOutcome, withOutcome } from "./errors.js";
import type { AnyResult } from "./result.js";
import { pause, waitBeforeNext } from "./retry.js";
import { RunningAttempt } from "./running-attempt.js";
import type { Secret } from "./secret.js";
import { isLeftBehind } from "./shutdown.js";
import type { Outcome, PreparedCall } from "./tool.js";

/** Sends a prepared call, and again as its retry policy allows. */
export async function attemptCall<Result extends AnyResult>(
  prepared: PreparedCall<Result>,
  secrets: ReadonlyMap<string, Secret>,
  call: CallInProgress,
): Promise<Result> {
  const { retry } = call.tool;
  for (;;) {
    // The caller may have done so while credentials or the ledger were waited for.
    if (call.options.signal?.aborted) throw abortedError(call);
    if (isLeftBehind(call)) throw leftBehindError(call);
    call.attempts += 1;
    const ended = await once(prepared, secrets, call);
    call.outcome = outcomeAfter(ended, call.outcome);
    const wait = ended.retry && waitBeforeNext(retry, call.attempts, ended.retry.afterMs);
    if (wait !== undefined && (await pauseBeforeNext(wait, call))) continue;
    if ("result" in ended) return ended.result;
    throw ended.error;
  }
}

/** Whether there may be a next attempt then: not once `shutdown` has stopped waiting for the call. */
async function pauseBeforeNext(ms: number, call: CallInProgress): Promise<boolean> {
  if (isLeftBehind(call)) return false;
  // No service needs to recover, and no test should wait for it.
  if (call.runtime.fakes !== undefined) return true;
  await pause(ms, call.options.signal).catch(() => {
    throw abortedError(call);
  });
  return !isLeftBehind(call);
}

/** What is known of the write if the call ends after that. An answer that asks for another attempt tells nothing for certain. */
function outcomeAfter(ended: Outcome<AnyResult> | Lost, before: WriteOutcome): WriteOutcome {
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

/** One attempt, over when it answers, when its time is up, or when the caller aborts; never later. */
function once<Result extends AnyResult>(
  prepared: PreparedCall<Result>,
  secrets: ReadonlyMap<string, Secret>,
  call: CallInProgress,
): Promise<Outcome<Result> | Lost> {
  const { timeoutMs } = call.tool;
  const caller = call.options.signal;
  return new Promise((resolve) => {
    const attempt = new RunningAttempt(call, secrets);
    const end = (ended: Outcome<Result> | Lost) => {
      clearTimeout(timer);
      caller?.removeEventListener("abort", abort);
      resolve(ended);
    };
    const fail = (error: unknown) => end(retryable(error));
    const stop = (error: ToolError) => fail(withOutcome(error, attempt.abort(error)));
    const abort = () => stop(abortedError(call));
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => stop(timeoutError(call, timeoutMs)), timeoutMs);
    caller?.addEventListener("abort", abort, { once: true });
    try {
      Promise.resolve(prepared.send(attempt)).then(end, fail);
    } catch (error) {
      // A binding that throws where it should reject has failed all the same.
      fail(error);
    }
  });
}

function timeoutError(call: CallInProgress, timeoutMs: number): ToolError {
  return new ToolError(
    call.toolId,
    { code: "PROVIDER.TIMEOUT", timeoutMs },
    `\`${call.toolId}\` had no answer within ${timeoutMs} ms`,
    { attempts: call.attempts },
  );
}

function leftBehindError(call: CallInProgress): ToolError {
  return new ToolError(
    call.toolId,
    { code: "UNKNOWN.INTERNAL", reason: "aborted" },
    `\`${call.toolId}\` was not sent: \`shutdown\` waited for it no longer`,
    { attempts: call.attempts, outcome: call.outcome },
  );
}

export function abortedError(call: CallInProgress): ToolError {
  return new ToolError(
    call.toolId,
    { code: "UNKNOWN.INTERNAL", reason: "aborted" },
    `\`${call.toolId}\` was aborted by its caller`,
    { attempts: call.attempts, outcome: call.outcome },
  );
}
