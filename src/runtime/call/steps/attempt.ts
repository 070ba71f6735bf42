import { isToolError, type WriteOutcome } from "../../errors.js";
import type { AnyResult } from "../../result.js";
import { isLeftBehind } from "../../shutdown.js";
import type { Attempt, AttemptOutcome } from "../attempt.js";
import type { PreparedCall } from "../binding.js";
import { abortedError, callError, leftBehindError } from "../call-error.js";
import { StaleTrial } from "../../rollback/trial.js";
import type { ApprovedTrial, Call } from "../call.js";
import { acceptInnerCall, innerCallOf } from "../inner-call.js";
import { type Lost, oneAttempt } from "../one-attempt.js";
import { pollUntilDone } from "../poll.js";
import { RefusedValue } from "../refused-value.js";
import { pause, waitBeforeNext } from "../retry.js";

/** Sends the request, and repeats it as the tool's retry policy allows. */
export function attempt(call: Call): undefined | Promise<void> {
  return call.prepared && sendUntilAnswered(call.prepared, call);
}

async function sendUntilAnswered(prepared: PreparedCall<AnyResult>, call: Call): Promise<void> {
  const { retry } = call.tool;
  for (;;) {
    // The caller may have aborted while the call waited for credentials or the ledger.
    if (call.options.signal?.aborted) throw abortedError(call);
    if (call.cancel?.error !== undefined) throw call.cancel.error;
    if (isLeftBehind(call)) throw leftBehindError(call);
    call.attempts += 1;
    const ended = await oneAttempt(call, (each) => {
      call.hooks.sending?.(prepared.reach(each.open), each.open);
      return sendOrFollow(prepared, call, each);
    });
    if ("result" in ended && ended.accepted !== undefined)
      return (await acceptInnerCall(call, ended.accepted))
        ? answerWith({ ...ended, outcome: "unknown" }, call)
        : answerWith(await pollUntilDone(call, ended.accepted), call);
    call.outcome = outcomeAfter(ended, call.outcome);
    const again = prepared.isSpent === true ? undefined : ended.retry;
    const wait = again && waitBeforeNext(retry, call.attempts, again.afterMs);
    if (wait !== undefined && (await pauseBeforeNext(wait, call))) continue;
    if ("error" in ended) throw ended.error;
    return answerWith(ended, call);
  }
}

/** Sends the request, or polls the work that an earlier call of the same run began. */
function sendOrFollow(
  prepared: PreparedCall<AnyResult>,
  call: Call,
  attempt: Attempt,
): Promise<AttemptOutcome<AnyResult>> {
  const address = innerCallOf(call.options)?.follows;
  if (typeof call.trial === "object") return makeTried(prepared, call.trial, attempt);
  if (address === undefined) return prepared.send(attempt);
  call.outcome = "unknown";
  if (prepared.follow !== undefined) return prepared.follow(address, attempt);
  throw callError(
    call,
    { code: "PROVIDER.PROTOCOL", reason: "work that an earlier call began can't be polled here" },
    `\`${call.toolId}\` was not sent: an earlier call of the run was accepted, and what serves the tool now can't poll that work`,
    { outcome: "unknown" },
  );
}

/** Makes the changes of an approved trial. */
async function makeTried(
  { trial }: PreparedCall<AnyResult>,
  approved: ApprovedTrial,
  attempt: Attempt,
): Promise<AttemptOutcome<AnyResult>> {
  if (trial === undefined) throw new Error("a call without trials has an approved trial");
  try {
    return await trial.apply(approved.kept, attempt);
  } catch (error) {
    if (!(error instanceof StaleTrial)) throw error;
    approved.isOver = error.isOver;
    throw approved.stale(error);
  }
}

function answerWith(
  { answerBytes, answeredWith, outcome = "not-done", result }: AttemptOutcome<AnyResult>,
  call: Call,
): void {
  call.answered = result;
  call.answerBytes = answerBytes;
  call.answeredWith = answeredWith;
  call.answerOutcome = outcome;
}

/**
 * Waits, and returns whether there may be a next attempt: not if `shutdown` stopped waiting for the
 * call.
 */
async function pauseBeforeNext(ms: number, call: Call): Promise<boolean> {
  if (isLeftBehind(call)) return false;
  // A fake needs no time to recover, so tests don't wait.
  if (call.runtime.fakes !== undefined) return true;
  await pause(ms, call.options.signal).catch(() => {
    throw abortedError(call);
  });
  return !isLeftBehind(call);
}

/**
 * Returns what is known about the write if the call ends after this attempt. An answer that asks
 * for another attempt proves nothing.
 */
function outcomeAfter(ended: AttemptOutcome<AnyResult> | Lost, before: WriteOutcome): WriteOutcome {
  const isDone = "result" in ended ? ended.retry === undefined : !isUnknown(ended.error);
  return isDone ? before : "unknown";
}

function isUnknown(error: unknown): boolean {
  const hasOutcome = isToolError(error) || error instanceof RefusedValue;
  return !hasOutcome || error.outcome === "unknown";
}
