/** Approvals: somebody's word that one call may be made, bound to all that the call would do. */
import { randomUUID } from "node:crypto";
import type { Call } from "../call/call.js";
import { isShadowed } from "../call/steps/shadow.js";
import type { Caller } from "../caller.js";
import type { ApprovalRequest, ToolFailure } from "../errors.js";
import { fingerprintOf } from "./fingerprint.js";
import { askStore, decisionOf, type Governor, refused, whenKnown } from "./governor.js";
import type { ApprovalRule, GovernedTool } from "./policy.js";
import type { Approval, GovernanceStore } from "./store/store.js";

type Reason = Extract<ToolFailure, { readonly code: "AUTH.APPROVAL_REQUIRED" }>["reason"];

/**
 * Looks whether the call names an approval that is good for it. It is used up when the call goes on
 * to be sent: `useApproval`.
 *
 * @throws ToolError `AUTH.APPROVAL_REQUIRED` when it doesn't
 */
export function requireApproval(
  governor: Governor,
  call: Call,
  { approval: rule }: GovernedTool,
): undefined | Promise<void> {
  const request = approvalRequest(call, rule);
  const id = call.options.approval;
  if (id === undefined) throw approvalError(call, "none", request);
  return whenKnown(
    askStore(governor, call, (store) => store.readApproval(id)),
    (found) => {
      const reason = found === undefined ? "unknown" : whyNot(found, request, call);
      if (reason !== undefined) throw approvalError(call, reason, request);
      decisionOf(call).approval = id;
      // Shadow mode sends nothing: the approval stays.
      return isShadowed(call) ? undefined : useApproval(governor, call, id, request);
    },
  );
}

function useApproval(
  governor: Governor,
  call: Call,
  id: string,
  request: ApprovalRequest,
): undefined | Promise<void> {
  return whenKnown(
    askStore(governor, call, (store) => store.useApproval(id, call.id)),
    (used) => {
      if (used === "used") return undefined;
      throw approvalError(call, used === "spent" || used === "expired" ? used : "unknown", request);
    },
  );
}

function whyNot(approval: Approval, request: ApprovalRequest, call: Call): Reason | undefined {
  const { digest, manifest, subject, tenant, tool } = approval;
  const isSame =
    tool === request.tool &&
    manifest === request.manifest &&
    digest === request.digest &&
    tenant === request.tenant &&
    subject === request.subject;
  if (!isSame) return "other-call";
  if (approval.usedBy !== undefined) return "spent";
  return approval.by === call.caller?.subject ? "own" : undefined;
}

function approvalRequest(call: Call, rule: ApprovalRule | undefined): ApprovalRequest {
  const { subject, tenant } = call.caller ?? {};
  return {
    tool: call.toolId,
    manifest: call.tool.version.manifest,
    digest: fingerprintOf(call),
    ...(tenant !== undefined && { tenant }),
    ...(subject !== undefined && { subject }),
    ttlMs: rule?.ttlMs ?? dayMs,
  };
}

const dayMs = 24 * 60 * 60 * 1000;

const words: { readonly [R in Reason]: string } = {
  none: "has to be approved first",
  unknown: "has no such approval",
  expired: "has an approval that is too old",
  spent: "has an approval that was used before",
  "other-call": "has an approval of another call",
  own: "was approved by its own caller",
};

function approvalError(call: Call, reason: Reason, request: ApprovalRequest) {
  return refused(
    call,
    { code: "AUTH.APPROVAL_REQUIRED", reason, request },
    `this call of \`${call.toolId}\` ${words[reason]}`,
    ["approval"],
  );
}

/**
 * Approves one call: what `failure.request` of `AUTH.APPROVAL_REQUIRED` says, or `preflight`.
 *
 * @param by who approves; never the subject that the call is made for
 * @returns the id to pass as a call's `approval`
 * @throws TypeError when nobody approves, or the caller itself does
 */
export async function saveApproval(
  store: GovernanceStore,
  request: ApprovalRequest,
  by: Pick<Caller, "subject">,
): Promise<string> {
  const { digest, manifest, subject, tenant, tool, ttlMs } = request;
  if (by.subject === undefined)
    throw new TypeError("an approval needs the `subject` of whoever gives it");
  if (by.subject === subject) throw new TypeError("nobody approves calls of their own");
  const id = randomUUID();
  await store.saveApproval({ id, tool, manifest, digest, tenant, subject, by: by.subject, ttlMs });
  return id;
}
