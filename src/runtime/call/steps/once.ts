import { fingerprintOf } from "../../governance/fingerprint.js";
import {
  askStore,
  decisionOf,
  governedTool,
  type Governor,
  refused,
  whenKnown,
} from "../../governance/governor.js";
import { settledAs } from "../../governance/settled.js";
import type {
  GovernanceStore,
  KeyedCall,
  KeyState,
  MaybePromise,
} from "../../governance/store/store.js";
import { holdTurn } from "../../governance/turns.js";
import type { ToolFailure } from "../../errors.js";
import type { AnyResult } from "../../result.js";
import { answerJson } from "../answer-json.js";
import type { Call, Ending, Step } from "../call.js";
import { abortedError } from "../call-error.js";
import { callersKey, innerCallOf, providerKey } from "../inner-call.js";
import { longestTimeOf } from "../longest-time.js";
import { refuseKey } from "../refuse-key.js";
import { pause } from "../retry.js";
import { sendsNothing } from "./shadow.js";

/**
 * First delay before a call checks whether another call with its key has ended, in milliseconds.
 * The delay doubles each time, up to the maximum.
 */
const firstLookMs = 10;
const longestLookMs = 1000;
/** Time to wait for a call beyond the maximum time of its attempts, in milliseconds. */
const graceMs = 5000;

/**
 * Makes a keyed call once, and calls of a serial tool one at a time. If an earlier step found a
 * reason to deny a keyed call, it is denied here unless the store has its answer. Shadow mode and
 * dry runs skip this step.
 */
export function once(governor: Governor): Step {
  return (call) => {
    const { concurrency, idempotency } = governedTool(governor, call);
    const key = idempotency === "keyed" ? keyOf(governor, call) : undefined;
    if (sendsNothing(call)) return undefined;
    if (key === undefined && call.refusal !== undefined) return refuse(call.refusal);
    if (key === undefined && concurrency !== "serial") return undefined;
    return beginOnce(governor, call, key, concurrency === "serial");
  };
}

function refuse(refusal: NonNullable<Call["refusal"]>): undefined | Promise<void> {
  return whenKnown(refusal(), (error) => {
    throw error;
  });
}

function beginOnce(
  governor: Governor,
  call: Call,
  key: string | undefined,
  isSerial: boolean,
): undefined | Promise<void> {
  const runsMs = longestTimeOf(call.tool) + graceMs;
  // A call that waits for its lease has also begun.
  const ttlMs = isSerial ? 2 * runsMs : runsMs;
  const begun = key === undefined ? undefined : beginKeyed(governor, call, key, ttlMs);
  return whenKnown(begun, () => {
    // A stored answer needs no approval, cost or lease.
    if (call.result !== undefined) return undefined;
    if (call.refusal !== undefined) return refuse(call.refusal);
    return isSerial ? holdTurn(governor, call, runsMs) : undefined;
  });
}

/**
 * Computes the idempotency key for the provider before the request is built. Rejects a key for a
 * write that is not keyed.
 */
export function nameOnce(governor: Governor): Step {
  return (call) => {
    const { idempotencyKey, keyFor } = call.options;
    const { idempotency } = governedTool(governor, call);
    const key = idempotencyKey ?? keyFor;
    if (idempotency !== "keyed") refuseKey(call, "its skill does not say `idempotency: keyed`");
    else if (key != null) call.onceKey = providerKey(call, key);
    return undefined;
  };
}

/**
 * Returns the store's key of a call, which includes tenant, subject and tool, so that callers never
 * share one. Undefined for a call without a key.
 */
function keyOf({ digest }: Governor, call: Call): string | undefined {
  const given = call.options.idempotencyKey ?? undefined;
  const author = call.prepared?.idempotencyKey;
  if (author !== undefined && given !== undefined && author !== given)
    throw refusal(call, "author-key", "has a key of its own, and its caller gave another");
  const key = author ?? given ?? innerCallOf(call.options)?.key ?? call.options.keyFor ?? undefined;
  // Digest the key, because its author may have built it from masked parameters.
  return key === undefined
    ? undefined
    : callersKey(call, digest(call.tool, "idempotency key", key));
}

/** @param ttlMs maximum time of the call, in milliseconds */
function beginKeyed(
  governor: Governor,
  call: Call,
  key: string,
  ttlMs: number,
): undefined | Promise<void> {
  const waitsUntil = performance.now() + ttlMs;
  const keyed = { key, fingerprint: fingerprintOf(governor, call), callId: call.id, ttlMs };
  return whenKnown(askForKey(governor, call, keyed), (other) =>
    other === undefined ? undefined : awaitKey(governor, call, keyed, { other, waitsUntil }),
  );
}

/** A call that began with the key and has no known answer. */
type OtherCall = Extract<KeyState, { readonly state: "running" | "unknown" }>;

async function awaitKey(
  governor: Governor,
  call: Call,
  keyed: KeyedCall,
  { other: first, waitsUntil }: { readonly other: OtherCall; readonly waitsUntil: number },
): Promise<void> {
  let settled: string | undefined;
  let other: OtherCall | undefined = first;
  for (let wait = firstLookMs; other !== undefined; wait = Math.min(2 * wait, longestLookMs)) {
    const { callId, state } = other;
    const settlement = state === "unknown" ? await settledAs(call, callId) : undefined;
    if (settlement === "done") throw notKept(call, callId);
    // The provider recognizes a repeated call.
    const isKnown = state === "unknown" && call.prepared?.isRepeatable === true;
    const isRepeatable = isKnown && call.refusal === undefined;
    if (settlement === "not-done" || isRepeatable) settled = callId;
    else if (state === "unknown") throw unknownOutcome(call, callId);
    else if (performance.now() > waitsUntil) throw stillRuns(call, callId);
    else await pauseFor(wait, call);
    const again = settled === undefined ? keyed : { ...keyed, settled };
    other = await askForKey(governor, call, again);
  }
}

/**
 * Begins the call, or gives it the answer of an earlier one.
 *
 * @returns the other call that has the key; undefined if this call goes on
 */
function askForKey(
  governor: Governor,
  call: Call,
  keyed: KeyedCall,
): MaybePromise<OtherCall | undefined> {
  const { key } = keyed;
  const answer = askStore(
    governor,
    call,
    (store) => store.begin(keyed),
    (late, store) => (late.state === "begun" ? store.free(key, call.id) : undefined),
  );
  return whenKnown(answer, (known) => {
    // A read that goes on without the store is made again.
    if (known === undefined) return undefined;
    switch (known.state) {
      case "begun":
        watchEnd(governor, call, key);
        return undefined;
      case "done":
        replay(governor, call, key, known);
        return undefined;
      case "other":
        throw refusal(
          call,
          "other-request",
          "was already called with the same key, but for something else",
          known.callId,
        );
      default:
        return known;
    }
  });
}

async function pauseFor(ms: number, call: Call): Promise<void> {
  await pause(ms, call.options.signal).catch(() => {
    throw abortedError(call);
  });
}

/**
 * Returns the stored answer as this call's own. The obligations of this caller are applied later.
 */
function replay(
  { seal }: Governor,
  call: Call,
  key: string,
  { answer, callId }: Extract<KeyState, { readonly state: "done" }>,
): void {
  if (answer === undefined) throw notKept(call, callId);
  try {
    const text = seal === undefined ? Buffer.from(answer).toString() : seal.open(answer, key);
    // It is a result of this tool, because the fingerprint includes the manifest. The ledger and
    // events mask `answered`.
    call.answered = JSON.parse(text) as AnyResult;
    call.result = call.answered;
  } catch {
    // It was encrypted with another key, or was changed.
    throw notKept(call, callId);
  }
  decisionOf(call).replayOf = callId;
}

/** Updates the key when the call has ended. The stored answer is the one before obligations. */
function watchEnd(
  { largestAnswer, keepAnswersMs, seal, store }: Governor,
  call: Call,
  key: string,
) {
  (call.endings ??= []).push((ending) => {
    const end = keyEnd(call, ending);
    if (end === "free") return tellEnd(store, () => store.free(key, call.id));
    if (end === "unknown") {
      decisionOf(call).outcome = "unknown";
      return tellEnd(store, () => store.abandon(key, call.id));
    }
    // The call ended with an error, so its answer must not be returned later.
    if (!("result" in ending))
      return tellEnd(store, () => store.finish(key, call.id, undefined, keepAnswersMs));
    const text = keptJson(call);
    const sealed = text === undefined ? undefined : sealedAnswer(seal, text, key);
    const kept = sealed && sealed.byteLength <= largestAnswer ? sealed : undefined;
    return tellEnd(store, () => store.finish(key, call.id, kept, keepAnswersMs));
  });
}

/**
 * Returns the answer's JSON to store; undefined if a handler's value is not JSON. An answer that
 * doesn't match its schema is not stored, because a repetition would not report the mismatch.
 */
function keptJson(call: Call): string | undefined {
  if (call.misfits !== undefined) return undefined;
  try {
    return answerJson(call);
  } catch {
    return undefined;
  }
}

function sealedAnswer(seal: Governor["seal"], text: string, key: string): Uint8Array {
  return seal === undefined ? Buffer.from(text) : seal.seal(text, key);
}

/**
 * Decides about the key. A success, or another declared status, is the call's final answer. After
 * `error` or a failure of the server, the call may be made again if it was certainly not carried
 * out.
 */
function keyEnd(call: Call, ending: Ending): "done" | "free" | "unknown" {
  const { answered, answerOutcome, outcome, tool } = call;
  const isRead = tool.effect === "read";
  const isAnswer =
    answered !== undefined && answered.status !== "error" && answerOutcome === "not-done";
  if (isAnswer && ("result" in ending || !isRead)) return "done";
  const isUnknown =
    outcome === "unknown" ||
    answerOutcome === "unknown" ||
    (answered === undefined && "error" in ending && ending.error.outcome === "unknown");
  return isUnknown && !isRead ? "unknown" : "free";
}

/** Stores that missed the last end of a keyed call. */
const behind = new WeakSet<GovernanceStore>();

/**
 * Reports an end to the store. If the store misses it, the key stays begun, which is safe. It warns
 * once until the store works again.
 */
function tellEnd(
  store: GovernanceStore,
  tell: () => MaybePromise<void>,
): undefined | Promise<void> {
  const taken = (): undefined => void behind.delete(store);
  const missed = (): undefined => {
    if (behind.has(store)) return;
    behind.add(store);
    process.emitWarning("the governance store could not record the end of a keyed call", {
      type: "SkillcGovernanceWarning",
    });
  };
  try {
    const delivery = tell();
    return delivery instanceof Promise ? delivery.then(taken, missed) : taken();
  } catch {
    return missed();
  }
}

type Reason = Extract<ToolFailure, { readonly code: "IDEMPOTENCY.REFUSED" }>["reason"];

function refusal(call: Call, reason: Reason, what: string, other?: string) {
  const failure = { code: "IDEMPOTENCY.REFUSED", reason, ...(other && { call: other }) } as const;
  return refused(call, failure, `\`${call.toolId}\` ${what}`, ["idempotency"]);
}

/** The other call may still make the write, so the outcome is unknown. */
function stillRuns(call: Call, other: string) {
  call.outcome = "unknown";
  return refusal(call, "running", "is still running with the same key", other);
}

function notKept(call: Call, other: string) {
  // The call with this key was made, so the outcome of a write is not `not-done`.
  call.outcome = "unknown";
  return refusal(
    call,
    "answer-not-kept",
    "was called with the same key before, but its answer was not kept",
    other,
  );
}

function unknownOutcome(call: Call, other: string) {
  call.outcome = "unknown";
  return refusal(
    call,
    "unknown-outcome",
    `began earlier with the same key, and nobody knows how it ended: find out, and record the outcome with \`skillc ledger settle ${other}\``,
    other,
  );
}
