/** The end of a call that lacks an approval. */
import { randomBytes } from "node:crypto";
import {
  type CallToolResult,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ConfirmableCall } from "../../call/confirmable-call.js";
import { type ApprovalRequest, isToolError } from "../../errors.js";
import type { StoredRequest } from "../../governance/store/store.js";
import type { OfferedEntry } from "../../model/offer-entries.js";
import type { AnyResult } from "../../result.js";
import { failedResult, valueResult } from "../own-result.js";
import type { CallEnd, CallingConnection } from "../served.js";
import { inputKey } from "./answered-question.js";
import { approvalForm, type ShownCall } from "./approval-form.js";
import { channelFor } from "./channel.js";
import { signQuestion } from "./signed-question.js";

const nonceBytes = 18;

/**
 * Waits for a call, and returns the request that it left; undefined if the call needs no approval.
 * It returns undefined also for a plan whose earlier steps may have changed something, because a
 * repetition could change it twice.
 */
export async function requestLeftBy(
  call: Promise<AnyResult>,
): Promise<ApprovalRequest | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (!isToolError(error, "AUTH.APPROVAL_REQUIRED")) return undefined;
    const { reason, request } = error.failure;
    return reason === "denied" || error.outcome !== "not-done" ? undefined : request;
  }
}

/**
 * Returns the end of a call that lacks an approval: it tells the model to wait for an approver, or
 * asks the client's user.
 *
 * @returns undefined if nobody can approve the call
 */
export async function unapprovedEnd(
  connection: CallingConnection,
  entry: OfferedEntry,
  { confirmation, parameters }: ConfirmableCall,
  { context, request }: { readonly context: ServerContext; readonly request: ApprovalRequest },
): Promise<CallEnd | undefined> {
  // A plan may lack the approval of a step.
  const isOwn = request.tool === entry.tool.id;
  if (confirmation !== undefined && isOwn) return { result: refusedAnswer };
  const stored = await storedRequest(connection, request);
  if (stored === undefined) return undefined;
  const channel = channelFor(connection, entry.tool.id, context);
  const result = pendingResult(request.id);
  if (!isOwn || channel === undefined || parameters === undefined) return { result };
  const trial = stored.details?.trial;
  const question = await askClient(connection, { entry, request, parameters, trial }, context);
  return { result, question };
}

/** Returns the request that others may decide; undefined if there is none. */
async function storedRequest(
  { served }: CallingConnection,
  { id }: ApprovalRequest,
): Promise<StoredRequest | undefined> {
  try {
    const found = await served.runtime.governance?.store.readRequest(id);
    return found?.state === "denied" ? undefined : found;
  } catch (error) {
    served.onError(error);
    return undefined;
  }
}

async function askClient(
  connection: CallingConnection,
  call: ShownCall,
  context: ServerContext,
): Promise<InputRequiredResult> {
  const { digest, ttlMs } = call.request;
  const question = {
    digest,
    ...(call.trial !== undefined && { trial: call.trial.sha256 }),
    nonce: randomBytes(nonceBytes).toString("base64url"),
  };
  const toolId = call.entry.tool.id;
  return inputRequired({
    inputRequests: { [inputKey]: inputRequired.elicit(approvalForm(call)) },
    requestState: await signQuestion(connection, toolId, question, { context, ttlMs }),
  });
}

/** Returns the result of a call that waits for its approval. */
export function pendingResult(id: string): CallToolResult {
  return valueResult({
    status: "skillc:pending",
    id,
    message:
      "nothing was done: a person has to approve this call first. Wait with the tool skillc__await, then repeat the call unchanged",
  });
}

const refusedAnswer = failedResult(
  "AUTH.APPROVAL_REQUIRED",
  "nothing was done: the person's answer is for another call, was used before, or is no longer valid; repeat the call to ask again",
);
