/**
 * Approvals. An approval permits one call, and is bound to everything that the call would do. A
 * call without a needed approval leaves a request in the store, and fails with it. An approver
 * decides the request (`decide-approvals.ts`). An equal call then finds its approval by itself.
 */
import { approvalIdForm, dayMs, mayConfirm, withdrawnBy } from "./approval-rules.js";
import type { ApprovalWait } from "../call/call-options.js";
import type { Call } from "../call/call.js";
import { confirmableCallOf, type Confirmation } from "../call/confirmable-call.js";
import { innerCallOf } from "../call/inner-call.js";
import { abortedError } from "../call/call-error.js";
import { pause } from "../call/retry.js";
import { sendsNothing } from "../call/steps/shadow.js";
import { type ApprovalRequest, type ToolError, type ToolFailure, withOutcome } from "../errors.js";
import type { LedgerCall } from "../ledger/ledger-call.js";
import { paramsOf, shownRequest } from "../ledger/record-call.js";
import { discardLayers } from "../rollback/kept-layers.js";
import { confirmApproval } from "./decide-approvals.js";
import { callerPart, envelope } from "./events.js";
import { fingerprintOf } from "./fingerprint.js";
import {
  askStore,
  decisionOf,
  governedTool,
  type Governor,
  quietly,
  refused,
  whenKnown,
} from "./governor.js";
import type { ApprovalRule, GovernedTool } from "./policy.js";
import { declaredWayBack } from "../rollback/record-way-back.js";
import type { TrialDetails } from "../rollback/trial.js";
import { sealRequest } from "./sealed-request.js";
import { discardTrial, isTriedTool, mayBeTried, tryCall } from "./try-call.js";
import type { Approval, MaybePromise, RequestDetails, StoredRequest } from "./store/store.js";
import { requestId } from "./store/stored-request.js";

type Reason = Extract<ToolFailure, { readonly code: "AUTH.APPROVAL_REQUIRED" }>["reason"];

/** First and longest delay before a waiting call looks for a decision again, in milliseconds. */
const firstLookMs = 20;
const longestLookMs = 1000;

/** A call that needs an approval, and the rule that says so. */
interface Asking {
  readonly governor: Governor;
  readonly call: Call;
  readonly tool: GovernedTool;
  readonly request: ApprovalRequest;
  /** Set if an equal call has left the request before, and it is pending. */
  readonly isPending?: boolean;
  /** What the call would change, if it was tried. */
  readonly trial?: TrialDetails | undefined;
}

/**
 * Finds the approval of a call, without using it up: the one that the call names, else the unused
 * one of an equal call. If a keyed call's approval was used, this may be a repetition, which gets
 * the stored answer; the step `once` denies the call if there is none.
 *
 * @throws ToolError `AUTH.APPROVAL_REQUIRED` if there is no valid approval. The call has left a
 * request then.
 */
export function requireApproval(
  governor: Governor,
  call: Call,
  tool: GovernedTool,
): undefined | Promise<void> {
  const asking = { governor, call, tool, request: approvalRequest(governor, call, tool.approval) };
  const { approval } = call.options;
  const confirmation = confirmableCallOf(call.options)?.confirmation;
  if (confirmation !== undefined && !sendsNothing(call))
    return requireConfirmed(asking, confirmation);
  if (typeof approval !== "string") return requireDecision(asking, approval ?? undefined);
  if (!approvalIdForm.test(approval)) return leave(asking, "unknown");
  return whenKnown(readApproval(asking, approval), (reason) =>
    reason === undefined ? undefined : refuse(asking, reason, undefined),
  );
}

/** Looks for a decision about an equal call. */
function requireDecision(
  asking: Asking,
  wait: ApprovalWait | undefined,
): undefined | Promise<void> {
  const { call, governor, request } = asking;
  return whenKnown(
    askStore(governor, call, (store) => store.readRequest(request.id)),
    (found) => {
      const known = { ...asking, isPending: found?.state === "pending" };
      return whenKnown(decided(known, found), (reason) =>
        reason === undefined ? undefined : refuse(known, reason, wait),
      );
    },
  );
}

/** Approves a call that a person has just confirmed, unless somebody decided about it before. */
function requireConfirmed(asking: Asking, confirmation: Confirmation): undefined | Promise<void> {
  const { call, governor, request, tool } = asking;
  return whenKnown(
    askStore(governor, call, (store) => store.readRequest(request.id)),
    (found) =>
      whenKnown(decided(asking, found), (reason) => {
        if (reason === undefined) return undefined;
        if (isRepeat(call, tool, reason)) return refuse(asking, reason, undefined);
        return confirm(asking, confirmation);
      }),
  );
}

/** Leaves no request if the confirmation is not valid, because the call may be a replay. */
async function confirm(asking: Asking, confirmation: Confirmation): Promise<void> {
  const { call, governor, request } = asking;
  const { approval, channel, trial } = confirmation;
  const subject = call.caller?.subject ?? "";
  const by = { subject, channel, ...(trial !== undefined && { trial }) };
  await askStore(governor, call, () => confirmApproval(governor, request, by, approval));
  const reason = await readApproval(asking, approval);
  if (reason !== undefined) throw approvalError(asking, reason);
}

/**
 * Checks that a person has confirmed this call and no other one.
 *
 * @throws ToolError `AUTH.APPROVAL_REQUIRED` for another call
 */
export function requireConfirmedCall(governor: Governor, call: Call, tool: GovernedTool): void {
  const confirmation = confirmableCallOf(call.options)?.confirmation;
  if (confirmation === undefined) return;
  const request = approvalRequest(governor, call, tool.approval);
  if (request.digest !== confirmation.digest)
    throw approvalError({ governor, call, tool, request }, "other-call");
}

/**
 * Returns the reason why a stored request doesn't permit the call; undefined if it does.
 *
 * @throws ToolError if the request was denied
 */
function decided(
  asking: Asking,
  found: StoredRequest | undefined,
): MaybePromise<Reason | undefined> {
  if (found?.state === "denied") throw deniedError(asking, found);
  if (found?.state !== "approved" || found.approval === undefined) return "none";
  return whenKnown(readApproval(asking, found.approval), (reason) =>
    // A used approval of an equal call says nothing about this one.
    reason === undefined || reason === "spent" || reason === "own" ? reason : "none",
  );
}

/** Returns the reason why an approval doesn't permit the call; undefined if it does. */
function readApproval(
  { call, governor, request, tool }: Asking,
  id: string,
): MaybePromise<Reason | undefined> {
  return whenKnown(
    askStore(governor, call, (store) => store.readApproval(id)),
    (found) => {
      if (found === undefined) return "unknown" as const;
      const reason = whyNot(found, request, call, mayConfirm(governor.policy, tool, found));
      const { by, channel, claimed } = found;
      decisionOf(call).approval = id;
      decisionOf(call).approved = {
        by,
        ...(channel !== undefined && { channel }),
        ...(claimed !== undefined && { claimed }),
      };
      return reason;
    },
  );
}

/** Denies a call, unless it may be a repetition of a keyed call. Or waits for an approval. */
function refuse(
  asking: Asking,
  reason: Reason,
  wait: ApprovalWait | undefined,
): undefined | Promise<void> {
  const { call, tool } = asking;
  if (!isRepeat(call, tool, reason)) return leave(asking, reason, wait);
  call.refusal = () => leftError(asking, reason);
  return undefined;
}

/** Returns whether a call may be a repetition of a keyed call, whose approval was used. */
function isRepeat(call: Call, tool: GovernedTool, reason: Reason): boolean {
  return reason === "spent" && tool.idempotency === "keyed" && !sendsNothing(call);
}

/**
 * Leaves a request, and then waits for its decision or denies the call. A call that can be tried
 * does so at its last step before the attempt, because a trial must pass all other checks.
 */
function leave(asking: Asking, reason: Reason, wait?: ApprovalWait): undefined | Promise<void> {
  const { call, isPending, request } = asking;
  if (isPending === true || request.subject === undefined || !mayBeTried(call))
    return leaveNow(asking, reason, wait);
  call.trial = async () => {
    const found = await askStore(asking.governor, call, (store) => store.readRequest(request.id));
    // An equal call may have left its request meanwhile.
    const isKnown = found?.state === "pending";
    const trial = isKnown ? undefined : await tryCall(call, request.ttlMs);
    await leaveNow({ ...asking, isPending: isKnown, trial }, reason, wait);
  };
  return undefined;
}

function leaveNow(asking: Asking, reason: Reason, wait?: ApprovalWait): undefined | Promise<void> {
  return whenKnown(leftError(asking, reason), (error) => {
    if (wait === undefined || sendsNothing(asking.call)) throw error;
    return awaitDecision(asking, wait);
  });
}

/** Leaves a request in the store, and returns the error for the call. */
function leftError(asking: Asking, reason: Reason): MaybePromise<ToolError> {
  const { call, governor, request } = asking;
  // Nobody can approve the call of an unknown subject.
  if (sendsNothing(call) || request.subject === undefined) return approvalError(asking, reason);
  const { id, ttlMs, ...facts } = request;
  const details = detailsOf(asking);
  const stored = askStore(governor, call, (store) =>
    store.saveRequest({ ...facts, id, ttlMs, details }),
  );
  return whenKnown(stored, (kept) => {
    if (kept?.isNew === true) announceRequest(asking);
    else void discardTrial(call, asking.trial);
    // Somebody may have denied the request meanwhile.
    if (kept?.request.state === "denied") return deniedError(asking, kept.request);
    const shown = kept?.request.details?.trial?.sha256;
    const left = { ...request, ...(shown !== undefined && { trial: shown }) };
    return approvalError({ ...asking, request: left }, reason);
  });
}

function detailsOf({ call, governor, isPending, tool, trial }: Asking): RequestDetails {
  const { approval, effect, risk } = tool;
  const { caller, id, options } = call;
  const trace = options.trace ?? caller?.trace;
  const run = innerCallOf(options)?.run?.id ?? options.run;
  const request = shownRequest(call);
  const rollback = declaredWayBack(call.tool);
  // A pending request stays as it is, so don't keep another attachment.
  const sealed = isPending === true ? undefined : sealRequest(call, request, governor.requestSeal);
  return {
    call: id,
    risk,
    effect,
    by: approval?.by ?? "other",
    ...(caller?.origin !== undefined && { origin: caller.origin }),
    ...(trace !== undefined && { trace }),
    ...(options.step != null && { step: options.step }),
    ...(run != null && { run }),
    ...(rollback !== undefined && { rollback }),
    ...(request !== undefined && { request }),
    ...(sealed !== undefined && { sealed }),
    ...(trial !== undefined && { trial }),
  };
}

function announceRequest({ call, governor, request, tool }: Asking): void {
  governor.tell?.({
    type: "ApprovalRequested",
    ...envelope(call.toolId, governor.policy.hash),
    request_id: request.id,
    call_id: call.id,
    ...callerPart(call),
    manifest_hash: request.manifest,
    risk: tool.risk,
    effect: tool.effect,
  });
}

/** Waits until somebody has decided the request. */
async function awaitDecision(
  asking: Asking,
  { timeoutMs = Infinity }: ApprovalWait,
): Promise<void> {
  const { call, governor, request } = asking;
  const until = performance.now() + timeoutMs;
  for (let waitMs = firstLookMs; ; waitMs = Math.min(2 * waitMs, longestLookMs)) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) throw approvalError(asking, "none");
    await pause(Math.min(waitMs, leftMs), call.options.signal).catch(() => {
      throw abortedError(call);
    });
    const found = await askStore(governor, call, (store) => store.readRequest(request.id));
    if (found === undefined) throw approvalError(asking, "expired");
    const reason = await decided(asking, found);
    if (reason === undefined) return;
    if (reason !== "none") throw approvalError(asking, reason);
  }
}

/**
 * Uses up an approval that was valid when it was checked. If the call was certainly not made, its
 * end returns the approval. Until then no other call can use it.
 *
 * @throws ToolError `AUTH.APPROVAL_REQUIRED` if the approval is no longer valid
 */
export function spendApproval(
  governor: Governor,
  call: Call,
  id: string,
): undefined | Promise<void> {
  const free = ({ store }: Pick<Governor, "store">) => store.returnApproval(id, call.id);
  // Register this before the store answers, because the answer may come too late.
  (call.endings ??= []).push(() => (wasMade(call) ? undefined : quietly(() => free(governor))));
  return whenKnown(
    askStore(
      governor,
      call,
      (store) => store.useApproval(id, call.id),
      (used, store) => (used === "used" ? free({ store }) : undefined),
    ),
    (used) => {
      if (used === "used") return undefined;
      const tool = governedTool(governor, call);
      const request = approvalRequest(governor, call, tool.approval);
      const reason = used === "spent" || used === "expired" ? used : "unknown";
      throw approvalError({ governor, call, tool, request }, reason);
    },
  );
}

/**
 * Finds the trial that an approval is for. The call then makes the changes of the trial.
 *
 * @throws ToolError `AUTH.APPROVAL_REQUIRED` if the approval is for a trial that is not there
 */
export function findTrial(
  governor: Governor,
  call: Call,
  approval: string,
): undefined | Promise<void> {
  if (!isTriedTool(call)) return undefined;
  const tool = governedTool(governor, call);
  const asking = { governor, call, tool, request: approvalRequest(governor, call, tool.approval) };
  return whenKnown(
    askStore(governor, call, (store) => store.readApproval(approval)),
    (given) => {
      if (given?.trial === undefined) return undefined;
      return whenKnown(
        askStore(governor, call, (store) => store.readRequest(given.request)),
        (found) => {
          const kept = found?.details?.trial;
          if (kept === undefined || kept.sha256 !== given.trial || !call.prepared?.trial)
            throw approvalError(asking, "expired");
          call.trial = {
            kept,
            isOver: false,
            stale: ({ message }) => staleError(asking, message),
          };
          return undefined;
        },
      );
    },
  );
}

function staleError(asking: Asking, why: string): ToolError {
  return withOutcome(approvalError(asking, "stale", why), "not-done");
}

/**
 * Returns whether any part of the call may have been carried out, its provider has answered, or
 * nobody can carry out what was approved.
 */
function wasMade({ answered, outcome, trial }: Call): boolean {
  return (
    answered !== undefined || outcome === "unknown" || (typeof trial === "object" && trial.isOver)
  );
}

/** @param mayConfirm whether the caller's own subject may have given the approval */
function whyNot(
  approval: Approval,
  request: ApprovalRequest,
  call: Call,
  mayConfirm: boolean,
): Reason | undefined {
  const { digest, isExpired, manifest, subject, tenant, tool, usedBy } = approval;
  const isSame =
    tool === request.tool &&
    manifest === request.manifest &&
    digest === request.digest &&
    tenant === request.tenant &&
    subject === request.subject;
  if (!isSame) return "other-call";
  if (usedBy !== undefined) return usedBy.startsWith(withdrawnBy) ? "withdrawn" : "spent";
  if (isExpired === true) return "expired";
  return approval.by === call.caller?.subject && !mayConfirm ? "own" : undefined;
}

function approvalRequest(
  governor: Governor,
  call: Call,
  rule: ApprovalRule | undefined,
): ApprovalRequest {
  const { subject, tenant } = call.caller ?? {};
  const facts = {
    tool: call.toolId,
    manifest: call.tool.version.manifest,
    digest: fingerprintOf(governor, call),
    ...(tenant !== undefined && { tenant }),
    ...(subject !== undefined && { subject }),
  };
  return { ...facts, id: requestId(facts), ttlMs: rule?.ttlMs ?? dayMs };
}

const words: { readonly [R in Reason]: string } = {
  none: "needs an approval",
  unknown: "has an unknown approval",
  expired: "has an expired approval",
  spent: "has an approval that was already used",
  withdrawn: "has an approval that was withdrawn",
  "other-call": "has an approval for another call",
  own: "was approved by its own caller",
  stale: "was approved, and can't make the changes that were approved",
  denied: "was denied",
};

function approvalError(
  { call, governor, request }: Asking,
  reason: Reason,
  note?: string,
): ToolError {
  const { digest, ttlMs } = request;
  const isMasked = call.tool.maskedParams !== undefined;
  const other =
    isMasked && reason === "other-call"
      ? ", or the approver's governance has another `key` or none"
      : "";
  const keyMissing = isMasked && governor.key === undefined;
  decisionOf(call).approvable = { digest, ttlMs };
  const confirmable = confirmableCallOf(call.options);
  if (confirmable !== undefined) confirmable.parameters = paramsOf(call);
  return refused(
    call,
    {
      code: "AUTH.APPROVAL_REQUIRED",
      reason,
      request,
      ...(note !== undefined && { note }),
      ...(keyMissing && { keyMissing }),
    },
    `this call of \`${call.toolId}\` ${words[reason]}${other}${note === undefined ? "" : `: ${note}`}`,
    ["approval"],
  );
}

function deniedError(asking: Asking, { decision, details }: StoredRequest): ToolError {
  const { call } = asking;
  // The denial may come from another machine, which can't reach the layers of the trial.
  if (!sendsNothing(call)) void discardLayers(call.runtime.directory, details?.trial);
  return approvalError(asking, "denied", decision?.note);
}

/**
 * Returns the approval request of a denied call in the ledger; undefined if the call was not denied
 * for lack of an approval. Use it to list the calls that wait for approval.
 */
export function approvalRequestOf(call: LedgerCall): ApprovalRequest | undefined {
  const { approvable } = call.decision ?? {};
  if (approvable === undefined) return undefined;
  const { caller = {}, skill, tool, version } = call;
  const facts = {
    tool: `${skill}/${tool}`,
    manifest: version.manifest,
    digest: approvable.digest,
    ...(caller.tenant !== undefined && { tenant: caller.tenant }),
    ...(caller.subject !== undefined && { subject: caller.subject }),
  };
  return { ...facts, id: requestId(facts), ttlMs: approvable.ttlMs };
}
