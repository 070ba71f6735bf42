/** Requests for approval, as every store keeps them. */
import { hash } from "node:crypto";
import type { NewApproval, RequestFacts, RequestFilter, StoredRequest } from "./store.js";

/** Maximum number of requests in a list, if the filter doesn't set another. */
export const usualRequests = 1000;

/** Returns the id of a request: 43 characters in base64url. Equal calls have the same id. */
export function requestId({ digest, manifest, subject, tenant, tool }: RequestFacts): string {
  const facts = [tool, manifest, digest, tenant ?? null, subject ?? null];
  return hash("sha256", JSON.stringify(facts), "base64url");
}

/** Returns a request that an approval has answered. */
export function approvedRequest(
  approval: Omit<NewApproval, "ttlMs">,
  { at, expiresAt, known }: ApprovedAt,
): StoredRequest {
  const { by, channel, claimed, digest, id, manifest, request, subject, tenant, tool } = approval;
  return {
    ...(known ?? { id: request, tool, manifest, digest, tenant, subject, at }),
    state: "approved",
    expiresAt,
    approval: id,
    decision: {
      by,
      at,
      ...(channel !== undefined && { channel }),
      ...(claimed !== undefined && { claimed }),
    },
  };
}

interface ApprovedAt {
  /** Time of the approval, in milliseconds since 1970. */
  readonly at: number;
  /** End of the approval's lifetime, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** The request, if it was stored before. */
  readonly known: StoredRequest | undefined;
}

/** Returns whether a filter selects a request. */
export function selectsRequest(
  { state, subject, tenant, tool }: RequestFilter,
  request: StoredRequest,
): boolean {
  return (
    (state === undefined || state === request.state) &&
    (subject === undefined || subject === request.subject) &&
    (tenant === undefined || tenant === request.tenant) &&
    (tool === undefined || tool === request.tool)
  );
}
