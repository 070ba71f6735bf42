import { EndingMap } from "./ending-map.js";
import type {
  Approval,
  ApprovalStore,
  NewApproval,
  NewRequestDecision,
  NewStoredRequest,
  RequestFilter,
  RequestState,
  SavedApproval,
  StoredRequest,
} from "./store.js";
import { approvedRequest, isSpent, listedRequests } from "./stored-request.js";

/** Approvals and their requests in the memory of this process. */
export class MemoryApprovals implements ApprovalStore {
  readonly #now: () => number;
  readonly #requests = new EndingMap<StoredRequest>();
  readonly #approvals = new EndingMap<Approval>();

  /** @param now returns the current time in milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  saveRequest(given: NewStoredRequest): {
    readonly request: StoredRequest;
    readonly isNew: boolean;
  } {
    const known = this.readRequest(given.id);
    if (known !== undefined && !this.#isUsed(known)) return { request: known, isNew: false };
    const { ttlMs, ...facts } = given;
    const now = this.#now();
    const request = { ...facts, state: "pending", at: now, expiresAt: now + ttlMs } as const;
    this.#setRequest(request);
    return { request, isNew: true };
  }

  /** Returns whether the request's approval can't be used any more. */
  #isUsed({ approval = "", state }: StoredRequest): boolean {
    return state === "approved" && isSpent(this.#approvals.entries.get(approval), this.#now());
  }

  #setRequest(request: StoredRequest): void {
    const now = this.#now();
    this.#requests.makeRoom(({ expiresAt }) => expiresAt <= now);
    this.#requests.entries.delete(request.id);
    this.#requests.entries.set(request.id, request);
  }

  readRequest(id: string): StoredRequest | undefined {
    const request = this.#requests.entries.get(id);
    return request !== undefined && request.expiresAt > this.#now() ? request : undefined;
  }

  requests(filter: RequestFilter): readonly StoredRequest[] {
    return listedRequests(this.#requests.entries.values(), filter, this.#now());
  }

  denyRequest(id: string, decision: NewRequestDecision): RequestState | "none" {
    const request = this.readRequest(id);
    if (request === undefined) return "none";
    if (request.state !== "pending") return request.state;
    const decided = { ...decision, at: this.#now() };
    this.#requests.entries.set(id, { ...request, state: "denied", decision: decided });
    return "denied";
  }

  saveApproval({ ttlMs, ...approval }: NewApproval): SavedApproval {
    if (this.#approvals.entries.has(approval.id)) return "known";
    const request = this.readRequest(approval.request);
    if (request?.state === "denied") return "denied";
    const now = this.#now();
    this.#approvals.makeRoom(({ expiresAt }) => expiresAt <= now);
    const expiresAt = now + ttlMs;
    this.#approvals.entries.set(approval.id, { ...approval, at: now, expiresAt });
    this.#setRequest(approvedRequest(approval, { at: now, expiresAt, known: request }));
    return "saved";
  }

  readApproval(id: string): Approval | undefined {
    const approval = this.#approvals.entries.get(id);
    return approval && { ...approval, isExpired: approval.expiresAt <= this.#now() };
  }

  useApproval(id: string, callId: string): "used" | "spent" | "expired" | "none" {
    const approval = this.#approvals.entries.get(id);
    if (approval === undefined) return "none";
    if (approval.usedBy !== undefined) return "spent";
    if (approval.expiresAt <= this.#now()) return "expired";
    this.#approvals.entries.set(id, { ...approval, usedBy: callId });
    return "used";
  }

  returnApproval(id: string, callId: string): void {
    const known = this.#approvals.entries.get(id);
    if (known?.usedBy !== callId) return;
    const { usedBy: _, ...unused } = known;
    this.#approvals.entries.set(id, unused);
  }
}
