/** Requests for approval, as every store keeps them. */
import { hash } from "node:crypto";
import type {
  Approval,
  NewApproval,
  NewRequestDecision,
  NewStoredRequest,
  RequestFacts,
  RequestFilter,
  RequestState,
  StoredRequest,
} from "./store.js";
import { StoreUnavailable } from "./store-unavailable.js";

/** Maximum number of requests in a list, if the filter doesn't set another. */
const usualRequests = 1000;

/** Returns the id of a request: 43 characters in base64url. Equal calls have the same id. */
export function requestId({ digest, manifest, subject, tenant, tool }: RequestFacts): string {
  const facts = [tool, manifest, digest, tenant ?? null, subject ?? null];
  // An id that begins with `-` would be an option on the command line.
  return hash("sha256", JSON.stringify(facts), "base64url").replace(/^-/, "_");
}

/** Returns a request that an approval has answered. */
export function approvedRequest(
  approval: Omit<NewApproval, "ttlMs">,
  { at, expiresAt, known }: ApprovedAt,
): StoredRequest {
  return {
    ...(known ?? { ...requestOfApproval(approval), at }),
    state: "approved",
    expiresAt,
    approval: approval.id,
    decision: { ...decisionOfApproval(approval), at },
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

/** Returns the request that an approval answers, if it was never stored. */
export function requestOfApproval(
  approval: Omit<NewApproval, "ttlMs">,
): Omit<NewStoredRequest, "ttlMs"> {
  const { digest, manifest, request, subject, tenant, tool } = approval;
  return { id: request, tool, manifest, digest, tenant, subject };
}

/** Returns the decision that an approval is. */
export function decisionOfApproval({
  by,
  channel,
  claimed,
}: Omit<NewApproval, "ttlMs">): NewRequestDecision {
  return {
    by,
    ...(channel !== undefined && { channel }),
    ...(claimed !== undefined && { claimed }),
  };
}

/** A request as Redis and PostgreSQL store it. */
export interface RequestRow {
  /** JSON of the request without its times. */
  readonly request: string;
  readonly state: string;
  /** Time of the request, in milliseconds since 1970. */
  readonly at: number;
  /** End of its lifetime, in milliseconds since 1970. */
  readonly ends: number;
  /** JSON of a `RowDecision`, if somebody decided. */
  readonly decision: string | undefined;
  /** Time of the decision, in milliseconds since 1970. */
  readonly decidedAt: number | undefined;
}

/** A decision in a row, without its time. */
interface RowDecision {
  readonly decision: NewRequestDecision;
  /** Id of the approval, if it is one. */
  readonly approval?: string;
}

/** Writes a decision for a row. */
export function decisionText(decision: NewRequestDecision, approval?: string): string {
  const written: RowDecision = { decision, ...(approval !== undefined && { approval }) };
  return JSON.stringify(written);
}

/** Reads a row. */
export function requestOfRow({
  at,
  decidedAt,
  decision,
  ends,
  request,
  state,
}: RequestRow): StoredRequest {
  // `saveRequest` or `saveApproval` wrote it. JSON leaves out an absent tenant or subject.
  const facts = JSON.parse(request) as Omit<NewStoredRequest, "ttlMs">;
  const kept = { ...facts, state: stateOf(state), at, expiresAt: ends };
  if (decision === undefined || decidedAt === undefined) return kept;
  // `decisionText` wrote it.
  const { decision: decided, ...approval } = JSON.parse(decision) as RowDecision;
  return { ...kept, ...approval, decision: { ...decided, at: decidedAt } };
}

/**
 * Reads the state of a request.
 *
 * @throws StoreUnavailable if it is none
 */
export function stateOf(text: unknown): RequestState {
  if (text === "pending" || text === "approved" || text === "denied") return text;
  throw new StoreUnavailable("a stored request for approval has an unknown state");
}

/** Reads the JSON of an approval. Earlier versions stored no id of its request. */
export function approvalFacts(
  text: string,
): Omit<Approval, "at" | "expiresAt" | "isExpired" | "usedBy"> {
  // `saveApproval` wrote it. JSON leaves out an absent tenant or subject.
  const facts = JSON.parse(text) as Omit<Approval, "request"> & { readonly request?: string };
  return { ...facts, request: facts.request ?? requestId(facts) };
}

/**
 * Returns the maximum number of requests in a list.
 *
 * @throws RangeError if the filter's limit is not a positive integer
 */
export function limitOf({ limit = usualRequests }: RequestFilter): number {
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new RangeError(`\`limit\` must be a whole number from 1, not ${limit}`);
}

/**
 * Returns the requests that a filter selects, newest first.
 *
 * @throws RangeError if the filter's limit is not a positive integer
 */
export function listedRequests(
  requests: Iterable<StoredRequest>,
  filter: RequestFilter,
  now: number,
): readonly StoredRequest[] {
  const limit = limitOf(filter);
  return [...requests]
    .filter((each) => each.expiresAt > now && selectsRequest(filter, each))
    .toSorted((a, b) => b.at - a.at)
    .slice(0, limit);
}

/** Returns whether an approval can't be used any more. */
export function isSpent(approval: Approval | undefined, now: number): boolean {
  return approval === undefined || approval.usedBy !== undefined || approval.expiresAt <= now;
}

/** Returns whether a filter selects a request. */
function selectsRequest(
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
