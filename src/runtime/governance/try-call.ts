/** Trials of calls that need an approval: see `../rollback/trial.ts`. */
import type { Call } from "../call/call.js";
import { maskedLeaves, maskText } from "../call/mask.js";
import { oneAttempt } from "../call/one-attempt.js";
import { sendsNothing } from "../call/steps/shadow.js";
import type { TrialDetails } from "../rollback/trial.js";
import { unidentified } from "./fingerprint.js";

/** Returns whether calls of a tool may be tried: the runtime makes their changes itself. */
export function isTriedTool({ tool }: Call): boolean {
  return tool.rollback?.strategy === "effects";
}

/** Returns whether a call can be tried before it is prepared. */
export function mayBeTried(call: Call): boolean {
  return isTriedTool(call) && !sendsNothing(call) && unidentified(call).trial !== undefined;
}

/**
 * Tries a call.
 *
 * @param ttlMs lifetime of the request, and of an approval for it, in milliseconds
 * @returns undefined if that is not possible on this machine
 * @throws ToolError if the trial fails
 */
export async function tryCall(call: Call, ttlMs: number): Promise<TrialDetails | undefined> {
  const { prepared, runtime, tool } = call;
  const trial = prepared?.trial;
  if (trial === undefined) return undefined;
  const masked = maskedLeaves(call.args, tool.maskedParams ?? []).map(String);
  const options = {
    keepMs: 2 * ttlMs,
    shown: (text: string) => withoutMasked(runtime.credentials.scrubber.scrub(text), masked),
    hidesContent: masked.length > 0,
  };
  let details: TrialDetails | undefined;
  call.attempts = 1;
  const ended = await oneAttempt(call, async (attempt) => {
    call.hooks.sending?.(prepared?.reach(attempt.open) ?? [], attempt.open);
    details = await trial.run(attempt, options);
    return { result: { status: "tried", data: null } };
  });
  if ("error" in ended) throw ended.error;
  call.attempts = 0;
  return details;
}

function withoutMasked(text: string, masked: readonly string[]): string {
  return masked.reduce((at, each) => (each === "" ? at : at.replaceAll(each, maskText)), text);
}

/** Removes the changes of a trial that no request names. It never rejects. */
export async function discardTrial(call: Call, trial: TrialDetails | undefined): Promise<void> {
  if (trial !== undefined) await call.prepared?.trial?.discard(trial);
}
