import { isToolError } from "../errors.js";
import { recordAcceptance } from "../ledger/record-call.js";
import type { AnyResult } from "../result.js";
import { isLeftBehind } from "../shutdown.js";
import type { Accepted, AttemptOutcome } from "./attempt.js";
import type { Call } from "./call.js";
import { abortedError, callError, leftBehindError } from "./call-error.js";
import { type Lost, oneAttempt } from "./one-attempt.js";
import { usualPollLimits } from "./poll-limits.js";
import { pause } from "./retry.js";

/**
 * Polls accepted work until there is an answer. Each poll has the time limit of an attempt, and at
 * most the time that is left. A poll that fails in the network is repeated; the original request is
 * never sent again.
 *
 * @throws ToolError with outcome `unknown` if there is no answer in time
 */
export async function pollUntilDone(
  call: Call,
  first: Accepted<AnyResult>,
): Promise<AttemptOutcome<AnyResult>> {
  const { mostPolls, timeoutMs } = call.binding.polling ?? usualPollLimits;
  const endsAt = performance.now() + timeoutMs;
  call.outcome = "unknown";
  let { ask, at, waitMs } = first;
  for (let polls = 0; ; polls += 1) {
    const isNewPlace = call.accepted?.at !== at;
    call.accepted = { at, polls };
    if (isNewPlace && call.tool.effect === "write") await recordAcceptance(call);
    if (polls === mostPolls) throw notDone(call, timeoutMs, `after ${polls} polls`);
    if (performance.now() + waitMs > endsAt)
      throw notDone(call, timeoutMs, `within ${timeoutMs} ms`);
    await waitFor(waitMs, call);
    const ended = await oneAttempt(call, ask, endsAt - performance.now());
    if ("error" in ended) waitMs = Math.max(first.waitMs, againAfterMs(ended, call));
    else if (ended.accepted !== undefined) ({ ask, at, waitMs } = ended.accepted);
    else {
      call.accepted = { at, polls: polls + 1 };
      return ended;
    }
  }
}

/**
 * Returns the delay before the next poll, in milliseconds.
 *
 * @throws the poll's error if another poll can't help
 */
function againAfterMs({ error, retry }: Lost, call: Call): number {
  if (call.options.signal?.aborted || call.cancel?.error !== undefined) throw error;
  if (retry !== undefined) return retry.afterMs ?? 0;
  // The origin asked for a pause.
  if (!isToolError(error, "QUOTA.RATE_LIMITED")) throw error;
  return error.failure.retryAfterMs ?? 0;
}

async function waitFor(ms: number, call: Call): Promise<void> {
  await pause(ms, call.options.signal).catch(() => {
    throw abortedError(call);
  });
  if (call.cancel?.error !== undefined) throw call.cancel.error;
  if (isLeftBehind(call)) throw leftBehindError(call);
}

function notDone(call: Call, timeoutMs: number, when: string): Error {
  return callError(
    call,
    { code: "PROVIDER.TIMEOUT", timeoutMs },
    `\`${call.toolId}\` was accepted, but did not finish ${when}`,
    { outcome: "unknown" },
  );
}
