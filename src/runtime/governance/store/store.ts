import type { JsonValue } from "../../json/json.js";
import type { KeptAttachment, SealOmission } from "../../ledger/attachments.js";
import type { DeclaredWayBack } from "../../rollback/way-back.js";
import type { Effect } from "../../tool.js";
import type { TrialDetails } from "../../rollback/trial.js";
import type { ApprovalBy, Risk } from "../policy.js";

/**
 * Stores what calls share: states of tools, budgets, approvals, keys of calls that are made once,
 * and leases. There is a store in memory for one process (`memory.ts`), one that keeps approvals in
 * a folder for the processes of one machine, and stores in Redis and PostgreSQL for many machines.
 * All times are the store's own, in milliseconds since 1970, because the clocks of processes differ
 * and jump. If a method throws, a write is denied.
 */
export interface GovernanceStore extends ApprovalStore {
  /** Kind of the store: `memory`, `folder`, `redis` or `postgres`. */
  readonly kind: string;
  /** True if confirmed changes survive a power failure, which calls that are made once need. */
  readonly durable: boolean;

  /** Registers the version of each tool. Returns the tools that are new or have another version. */
  register(tools: readonly ToolVersionSeen[]): MaybePromise<readonly ToolVersionChange[]>;
  /** Returns every state that was set. */
  states(): MaybePromise<readonly ToolStateChange[]>;
  /** Sets a state. Other processes see it with their next `states()`. */
  setState(change: Omit<ToolStateChange, "at">): MaybePromise<void>;
  /** Removes a tenant's own state; returns false if there is none. */
  resetState(tool: string, tenant: string): MaybePromise<boolean>;

  /**
   * Takes what a call spends from all its budgets, or nothing if one of them has too little left.
   * The store remembers it for five minutes, for `giveBack`.
   */
  take(uses: readonly BudgetUse[], hold: Hold): MaybePromise<Taken>;
  /** Returns what `take` would return, and takes nothing. */
  peek(uses: readonly BudgetUse[]): MaybePromise<Taken>;
  /** Adds usage that is known only afterwards, such as bytes of an answer. It is never denied. */
  add(uses: readonly BudgetUse[]): MaybePromise<void>;
  /**
   * Returns what the call's `take` took from these budgets. Repeated calls return it only once. A
   * budget whose window has ended since then gets nothing back. A `take` that arrives later takes
   * nothing.
   *
   * @param time time of the `take`, if its answer arrived, because the store may have forgotten it
   */
  giveBack(uses: readonly BudgetUse[], hold: Hold, time?: number): MaybePromise<void>;
  /** Extends the holds of a running call by their whole lifetime. */
  renewHold(uses: readonly BudgetUse[], hold: Hold): MaybePromise<void>;
  /** Releases what a call held while it ran. */
  release(uses: readonly BudgetUse[], hold: Hold): MaybePromise<void>;

  /** Begins a keyed call, or returns the state of the key. The call that began may ask again. */
  begin(call: KeyedCall): MaybePromise<KeyState>;
  /**
   * Stores the answer of a keyed call that has ended. `undefined` if the answer is too large to
   * keep.
   */
  finish(
    key: string,
    callId: string,
    answer: Uint8Array | undefined,
    ttlMs: number,
  ): MaybePromise<void>;
  /**
   * Frees the key of a call that certainly did nothing, unless the key is done or another call's.
   */
  free(key: string, callId: string): MaybePromise<void>;
  /** Marks the call's outcome as unknown. The key stays begun. */
  abandon(key: string, callId: string): MaybePromise<void>;

  /**
   * Takes a lease of a name; undefined if another holder has it, or another one is first in the
   * line. The asking holder then stays in the line for two seconds after it last asked. Each lease
   * of a name has a higher fence than the one before; a holder that asks again gets a new one.
   */
  lease(name: string, holder: string, ttlMs: number): MaybePromise<Lease | undefined>;
  /** Renews a lease; false if the holder has lost it. */
  renew(lease: Lease, ttlMs: number): MaybePromise<boolean>;
  /** Returns a lease. It does nothing if the holder has lost it. */
  unlease(lease: Lease): MaybePromise<void>;
  /** Leaves the line for a lease. */
  leaveLine(name: string, holder: string): MaybePromise<void>;

  /**
   * Closes the store. Call it if you opened the store; runtimes don't, because they may share it.
   * `shutdown` closes only stores of this package.
   */
  close(): Promise<void>;
}

/** The part of a store that keeps approvals, and the requests for them. */
export interface ApprovalStore {
  /**
   * Stores the request of a call that needs an approval. A request with the same id that is still
   * pending or denied stays as it is. So does one whose approval can still be used. Any other is
   * replaced.
   *
   * @returns the stored request; `isNew` if this call stored it
   */
  saveRequest(
    request: NewStoredRequest,
  ): MaybePromise<{ readonly request: StoredRequest; readonly isNew: boolean }>;
  /** Returns a request; undefined if there is none with this id, or it has expired. */
  readRequest(id: string): MaybePromise<StoredRequest | undefined>;
  /** Returns requests that have not expired, newest first. */
  requests(filter: RequestFilter): MaybePromise<readonly StoredRequest[]>;
  /**
   * Denies a request if it is pending.
   *
   * @returns the state in which the request now is; `none` if there is no such request
   */
  denyRequest(id: string, decision: NewRequestDecision): MaybePromise<RequestState | "none">;
  /**
   * Stores an approval. If a request with the id `approval.request` is stored, it becomes approved;
   * if there is none, an approved one is stored.
   *
   * @returns the reason why nothing was stored, or `saved`
   */
  saveApproval(approval: NewApproval): MaybePromise<SavedApproval>;
  /** Returns an approval; undefined if there is none with this id. */
  readApproval(id: string): MaybePromise<Approval | undefined>;
  /** Marks an approval as used by a call. Only one call can use it. */
  useApproval(id: string, callId: string): MaybePromise<"used" | "spent" | "expired" | "none">;
  /**
   * Makes an approval usable again after its call was certainly not made. It does nothing if
   * another call used the approval.
   */
  returnApproval(id: string, callId: string): MaybePromise<void>;
}

/**
 * `known`: an approval with this id was stored before, used or not. `denied`: the request was denied
 * and the denial holds. Nothing is stored then.
 */
export type SavedApproval = "saved" | "known" | "denied";

/** A value, or a promise of one. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** The version of a tool. */
export interface ToolVersionSeen {
  /** Id of the tool: `skill/tool`. */
  readonly tool: string;
  /** Hash of the tool's manifest. */
  readonly manifest: string;
}

/** A tool that is new or has another version. */
export interface ToolVersionChange extends ToolVersionSeen {
  /** Hash of the manifest before; undefined if the tool was unknown. */
  readonly before: string | undefined;
}

/**
 * State of a tool. Calls of a paused tool are denied. A deprecated tool is not offered to models.
 */
export type ToolState = "enabled" | "paused" | "deprecated";

/** Details of a change of a tool's state. */
export interface StateChange {
  /** Tenant for whose calls the state changes; every tenant if absent. */
  readonly tenant?: string;
  /**
   * Tenants that a change for every tenant excludes. For them their own states count, or `enabled`.
   */
  readonly exceptTenants?: readonly string[];
  /** Who changes the state. */
  readonly by: string;
  /** Reason for the change. */
  readonly because?: string;
}

/** A state of a tool that was set. */
export interface ToolStateChange extends StateChange {
  /** Id of the tool: `skill/tool`. */
  readonly tool: string;
  /** State of the tool. */
  readonly state: ToolState;
  /** Time of the change, in milliseconds since 1970. */
  readonly at: number;
}

/** The use of one budget by one call. */
export interface BudgetUse {
  /**
   * Key of the budget. Its parts are encoded, so that different budgets never have the same key.
   */
  readonly key: string;
  /** Name for messages: `calls_per_minute of order-desk/refund`. */
  readonly name: string;
  /** Limit of the budget. */
  readonly limit: number;
  /** Amount to take; 1 for a budget without a window, which counts running calls. */
  readonly amount: number;
  /** Amount that must be left in addition, although it is not taken. */
  readonly needs: number;
  /**
   * True if the budget counts calls. A call that is answered from the store counts, but costs
   * nothing.
   */
  readonly isCount: boolean;
  /**
   * Length of the window, in milliseconds. The budget is full again at each multiple of it, and not
   * a second time if the clock is set back by less. Undefined if each call gives back what it
   * holds.
   */
  readonly windowMs: number | undefined;
}

/**
 * The hold of a running call. A hold expires after its lifetime, in case the call's process
 * died.
 */
export interface Hold {
  /** Id of the call. */
  readonly callId: string;
  /** Lifetime of the hold, in milliseconds. */
  readonly ttlMs: number;
}

/** Result of taking from budgets. */
export type Taken =
  /** `left`: amount left in each budget, in the order of the uses. `time`: time of the store. */
  | { readonly taken: true; readonly left: readonly number[]; readonly time: number }
  | {
      readonly taken: false;
      /**
       * Index of the budget with too little left. If there are several, the one that is full again
       * last.
       */
      readonly at: number;
      /** Milliseconds until the budget has enough again; undefined if unknown. */
      readonly retryAfterMs: number | undefined;
    };

/** Facts that identify the calls that one approval can permit. */
export interface RequestFacts {
  /** Id of the tool: `skill/tool`. */
  readonly tool: string;
  /** Hash of the tool's manifest. */
  readonly manifest: string;
  /** Digest of the prepared request, with names of credentials in place of values. */
  readonly digest: string;
  /** Tenant of the call. */
  readonly tenant?: string | undefined;
  /** Subject of the call. */
  readonly subject?: string | undefined;
}

/**
 * A request for approval to store. The store adds its times. Its id is the digest of its facts
 * (`requestId`), so that an equal call finds it.
 */
export interface NewStoredRequest extends RequestFacts {
  readonly id: string;
  /** Lifetime of the request, and of an approval for it, in milliseconds. */
  readonly ttlMs: number;
  /** Details for the approver; absent if the request is known by its approval alone. */
  readonly details?: RequestDetails;
}

/** Details about a call that needs an approval. They contain no credential and no masked value. */
export interface RequestDetails {
  /** Id of the denied call in the ledger. */
  readonly call: string;
  /** Risk of the tool. */
  readonly risk: Risk;
  readonly effect: Effect;
  /** Origin of the call: `llm`, `api` or `system`. */
  readonly origin?: string;
  /** Trace of the call. */
  readonly trace?: string;
  /** Step of a plan that the call belongs to. */
  readonly step?: string;
  /** Run of a plan that the call belongs to. */
  readonly run?: string;
  /** How the call can be undone; absent if its tool declares no way back. */
  readonly rollback?: DeclaredWayBack;
  /** Who may approve: somebody other than the caller, or the caller in person too. */
  readonly by: ApprovalBy;
  /** The prepared request, masked; an `OmittedRequest` if it has more than 64 KiB of JSON. */
  readonly request?: JsonValue;
  /** Where the whole request is; absent if `request` is whole. */
  readonly sealed?: SealedRequest;
  /** What the call would change, if it was tried. */
  readonly trial?: TrialDetails;
}

/**
 * An attachment of the ledger with the whole request, encrypted with governance's `key`. Or the
 * reason why there is none.
 */
export type SealedRequest =
  | KeptAttachment
  | {
      /** Size of the whole request, in bytes of JSON. */
      readonly bytes: number;
      readonly omitted: SealOmission;
    };

/** State of a request. */
export type RequestState = "pending" | "approved" | "denied";

/** A request for approval, as it was stored. */
export interface StoredRequest extends Omit<NewStoredRequest, "ttlMs"> {
  readonly state: RequestState;
  /** Time of the request, in milliseconds since 1970. */
  readonly at: number;
  /** End of the request's lifetime; after an approval, end of the approval's. */
  readonly expiresAt: number;
  /** Decision, if there is one. */
  readonly decision?: RequestDecision;
  /** Id of the approval, if the request is approved. */
  readonly approval?: string;
}

/** Who decided a request, and how. */
export interface RequestDecision {
  /** Subject of the approver. */
  readonly by: string;
  /** Time of the decision, in milliseconds since 1970. */
  readonly at: number;
  /** Channel on which the approver decided, such as `terminal`. */
  readonly channel?: string;
  /** Set if nobody checked that the approver is `by`: the command line believes its user. */
  readonly claimed?: true;
  /** Reason, which the refused caller gets. */
  readonly note?: string;
}

/** A decision to store. The store adds its time. */
export type NewRequestDecision = Omit<RequestDecision, "at">;

/** Selects requests. */
export interface RequestFilter {
  readonly tenant?: string;
  readonly subject?: string;
  /** Id of a tool: `skill/tool`. */
  readonly tool?: string;
  readonly state?: RequestState;
  /** Maximum number of requests; 1,000 by default. */
  readonly limit?: number;
}

/** An approval to store. The store adds its times. */
export interface NewApproval extends Omit<Approval, "at" | "expiresAt" | "isExpired" | "usedBy"> {
  /** Lifetime of the approval, in milliseconds. */
  readonly ttlMs: number;
}

/** Permission for one call. */
export interface Approval {
  /** Random id. */
  readonly id: string;
  /** Id of the tool: `skill/tool`. */
  readonly tool: string;
  /** Hash of the tool's manifest. */
  readonly manifest: string;
  /** Digest of the prepared request, with names of credentials in place of values. */
  readonly digest: string;
  /** Tenant of the call. */
  readonly tenant: string | undefined;
  /** Subject of the call. */
  readonly subject: string | undefined;
  /** Id of the request that it answers. */
  readonly request: string;
  /** SHA-256 of the trial that the approver saw; absent if the call was not tried. */
  readonly trial?: string;
  /** The approver. It is the subject only if the tool's rule lets the caller confirm in person. */
  readonly by: string;
  /** Channel on which the approver decided, such as `terminal`. */
  readonly channel?: string;
  /** Set if nobody checked that the approver is `by`. */
  readonly claimed?: true;
  /** Time of the approval, in milliseconds since 1970. */
  readonly at: number;
  /** End of the approval's lifetime, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** Id of the call that used the approval, or who withdrew it. */
  readonly usedBy?: string;
  /** True if the approval has expired by the store's clock. If absent, `useApproval` reports it. */
  readonly isExpired?: boolean;
}

/** A call that is made only once. */
export interface KeyedCall {
  /** Key made of the tenant, the subject, the tool, and the caller's or author's key. */
  readonly key: string;
  /**
   * Digest of the prepared request, with names of credentials, and of the manifest's hash. Masked
   * parameters can't be guessed from it.
   */
  readonly fingerprint: string;
  /** Id of the call. */
  readonly callId: string;
  /**
   * Time during which other calls consider this one as running without news of it, in milliseconds.
   */
  readonly ttlMs: number;
  /**
   * Id of a call that a person has settled as not done. This call may take over its key if the
   * store doesn't know its outcome either.
   */
  readonly settled?: string;
}

/** State of a key when a call begins with it. */
export type KeyState =
  /** The call may be made. */
  | { readonly state: "begun" }
  /** Another call with this key is running. */
  | { readonly state: "running"; readonly callId: string }
  /** Another call with this key began, and its outcome is unknown. */
  | { readonly state: "unknown"; readonly callId: string }
  /** The call was made. `answer` is undefined if it was too large to keep. */
  | { readonly state: "done"; readonly callId: string; readonly answer: Uint8Array | undefined }
  /** The key was used for another request. */
  | { readonly state: "other"; readonly callId: string };

/** The right of one holder to run a serial call. */
export interface Lease {
  /** Name of the lease. */
  readonly name: string;
  /** Id of the holder. */
  readonly holder: string;
  /** Number that is higher than that of every earlier lease of the name. */
  readonly fence: number;
}
