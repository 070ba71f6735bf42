/**
 * Approvals. An approval permits one call, and is bound to everything that the call would do. A
 * call without a needed approval fails with an approval request. The application shows the request
 * to an approver, calls `approve`, and repeats the call with the approval's id.
 */
import { randomUUID } from "node:crypto";
import type { Call } from "../call/call.js";
import { sendsNothing } from "../call/steps/shadow.js";
import { ownCaller } from "../caller.js";
import type { ApprovalRequest, ToolFailure } from "../errors.js";
import type { LedgerCall } from "../ledger/ledger-call.js";
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
import type { Approver } from "./governance.js";
import type { ApprovalRule, GovernedTool } from "./policy.js";
import type { Approval, GovernanceStore } from "./store/store.js";
import { requestId } from "./store/stored-request.js";

type Reason = Extract<ToolFailure, { readonly code: "AUTH.APPROVAL_REQUIRED" }>["reason"];

/** Form of ids that `approve` makes. Other ids are rejected without asking the store. */
const idForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const digestForm = /^[\w-]{43}$/;
/**
 * Marks a withdrawn approval, in place of the id of the call that used it. No call has such an id.
 */
const withdrawnBy = "withdrawn by ";

/**
 * Checks the approval that a call names, without using it up. If it was used, this may be a
 * repetition of the same keyed call, which gets the stored answer; the step `once` denies the call
 * if there is none.
 *
 * @throws ToolError `AUTH.APPROVAL_REQUIRED` if there is no valid approval
 */
export function requireApproval(
  governor: Governor,
  call: Call,
  { approval: rule, idempotency }: GovernedTool,
): undefined | Promise<void> {
  const mayBeRepeat = idempotency === "keyed" && !sendsNothing(call);
  const request = approvalRequest(governor, call, rule);
  const id = call.options.approval;
  if (id === undefined) throw approvalError(call, "none", request);
  if (!idForm.test(id)) throw approvalError(call, "unknown", request);
  return whenKnown(
    askStore(governor, call, (store) => store.readApproval(id)),
    (found) => {
      if (found !== undefined) decisionOf(call).approval = id;
      const reason = found === undefined ? "unknown" : whyNot(found, request, call);
      if (reason === undefined) return undefined;
      const refusal = () => approvalError(call, reason, request);
      if (reason !== "spent" || !mayBeRepeat) throw refusal();
      call.refusal = refusal;
      return undefined;
    },
  );
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
      const request = approvalRequest(governor, call, governedTool(governor, call).approval);
      throw approvalError(call, used === "spent" || used === "expired" ? used : "unknown", request);
    },
  );
}

/** Returns whether any part of the call may have been carried out, or its provider has answered. */
function wasMade({ answered, outcome }: Call): boolean {
  return answered !== undefined || outcome === "unknown";
}

function whyNot(approval: Approval, request: ApprovalRequest, call: Call): Reason | undefined {
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
  return approval.by === call.caller?.subject ? "own" : undefined;
}

function approvalRequest(
  governor: Governor,
  call: Call,
  rule: ApprovalRule | undefined,
): ApprovalRequest {
  const { subject, tenant } = call.caller ?? {};
  return {
    tool: call.toolId,
    manifest: call.tool.version.manifest,
    digest: fingerprintOf(governor, call),
    ...(tenant !== undefined && { tenant }),
    ...(subject !== undefined && { subject }),
    ttlMs: rule?.ttlMs ?? dayMs,
  };
}

const dayMs = 24 * 60 * 60 * 1000;

const words: { readonly [R in Reason]: string } = {
  none: "needs an approval",
  unknown: "has an unknown approval",
  expired: "has an expired approval",
  spent: "has an approval that was already used",
  withdrawn: "has an approval that was withdrawn",
  "other-call": "has an approval for another call",
  own: "was approved by its own caller",
};

function approvalError(call: Call, reason: Reason, request: ApprovalRequest) {
  const { digest, ttlMs } = request;
  const isKeyed = reason === "other-call" && call.tool.maskedParams !== undefined;
  const other = isKeyed ? ", or the approver's governance has another `key` or none" : "";
  decisionOf(call).approvable = { digest, ttlMs };
  return refused(
    call,
    { code: "AUTH.APPROVAL_REQUIRED", reason, request },
    `this call of \`${call.toolId}\` ${words[reason]}${other}`,
    ["approval"],
  );
}

/**
 * Approves one call.
 *
 * @param request the `failure.request` of an `AUTH.APPROVAL_REQUIRED` error, or that of `preflight`
 * @param by the approver, who must not be the subject of the call
 * @returns the id to pass as the call's `approval`
 * @throws TypeError if there is no approver, the approver is the call's subject, the call has no
 * subject, or the policy doesn't know the tool in this version
 */
export async function giveApproval(
  { policy, store }: Pick<Governor, "policy" | "store">,
  request: ApprovalRequest,
  by: Approver,
): Promise<string> {
  const { digest, manifest, subject, tenant, tool, ttlMs } = { ...request };
  const known = Object.hasOwn(policy.tools, tool) ? policy.tools[tool] : undefined;
  if (known === undefined) throw new TypeError("the policy doesn't know the tool to approve");
  if (known.manifest !== manifest)
    throw new TypeError(`\`${tool}\` has changed since its call asked for approval`);
  const isWhole = typeof digest === "string" && digestForm.test(digest) && ttlMs > 0;
  if (!isWhole)
    throw new TypeError(
      "pass `failure.request` of `AUTH.APPROVAL_REQUIRED` to `approve` unchanged",
    );
  const approver = approverOf(by);
  const whose = ownCaller({
    ...(tenant !== undefined && { tenant }),
    ...(subject !== undefined && { subject }),
  });
  if (whose.subject === undefined)
    throw new TypeError(
      "a call without a `subject` can't be approved, because its approver could be its caller",
    );
  if (approver === whose.subject) throw new TypeError("callers can't approve their own calls");
  const longestMs = known.approval?.ttlMs ?? dayMs;
  const id = randomUUID();
  const facts = { tool, manifest, digest, tenant: whose.tenant, subject: whose.subject };
  const saved = await store.saveApproval({
    ...facts,
    id,
    request: requestId(facts),
    by: approver,
    // The approver's UI may have changed the request, so limit the lifetime to the tool's rule.
    ttlMs: Math.min(ttlMs, longestMs),
  });
  if (saved === "denied") throw new TypeError("the request was denied, and the denial still holds");
  return id;
}

/**
 * Withdraws an approval.
 *
 * @returns false if there was no such approval, or it was used or has expired
 * @throws TypeError if `by` has no valid subject
 */
export async function withdrawApproval(
  store: GovernanceStore,
  id: string,
  by: Approver,
): Promise<boolean> {
  const who = approverOf(by);
  if (typeof id !== "string" || !idForm.test(id)) return false;
  return (await store.useApproval(id, `${withdrawnBy}${who}`)) === "used";
}

/**
 * Returns the approver's subject.
 *
 * @throws TypeError if it is missing or not valid
 */
function approverOf({ subject }: Approver): string {
  if (subject === undefined) throw new TypeError("the approver needs a `subject`");
  return ownCaller({ subject }).subject ?? "";
}

/**
 * Returns the approval request of a denied call in the ledger; undefined if the call was not denied
 * for lack of an approval. Use it to list the calls that wait for approval.
 */
export function approvalRequestOf(call: LedgerCall): ApprovalRequest | undefined {
  const { approvable } = call.decision ?? {};
  if (approvable === undefined) return undefined;
  const { caller = {}, skill, tool, version } = call;
  return {
    tool: `${skill}/${tool}`,
    manifest: version.manifest,
    digest: approvable.digest,
    ...(caller.tenant !== undefined && { tenant: caller.tenant }),
    ...(caller.subject !== undefined && { subject: caller.subject }),
    ttlMs: approvable.ttlMs,
  };
}
