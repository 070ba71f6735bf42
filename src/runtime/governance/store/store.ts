/**
 * Where governance keeps what calls share: states of tools, budgets, approvals, keys of calls that
 * are made once, leases. In memory for one process (`memory.ts`), in Redis or PostgreSQL for many.
 * Every time is the store's own, in milliseconds since 1970: the clocks of processes differ, and
 * jump. A method that throws decides nothing: a write is then refused.
 */
export interface GovernanceStore {
  /** `memory`, `redis`, `postgres`. */
  readonly kind: string;
  /**
   * Whether a power failure loses nothing that it has confirmed: what is made once must ask that of
   * it.
   */
  readonly durable: boolean;

  /** Keeps which version there is of each tool; gives those that are new, or were another one. */
  register(tools: readonly ToolVersionSeen[]): MaybePromise<readonly ToolVersionChange[]>;
  /** Every state that somebody set. */
  states(): MaybePromise<readonly ToolStateChange[]>;
  /** Sets one; seen by other processes with their next `states()`. */
  setState(change: Omit<ToolStateChange, "at">): MaybePromise<void>;
  /** Removes the state that a tenant has of its own; false if there is none. */
  resetState(tool: string, tenant: string): MaybePromise<boolean>;

  /**
   * Takes what a call spends of all its budgets, or, where one of them has not as much left,
   * nothing. It is remembered for five minutes, for `giveBack`.
   */
  take(uses: readonly BudgetUse[], hold: Hold): MaybePromise<Taken>;
  /** The same as an answer only. */
  peek(uses: readonly BudgetUse[]): MaybePromise<Taken>;
  /** Adds to budgets what is known only afterwards, such as bytes of an answer; never refused. */
  add(uses: readonly BudgetUse[]): MaybePromise<void>;
  /**
   * Undoes what the call's `take` took of these budgets: once, however often it is called. A budget
   * whose window has ended since then gets nothing back. A `take` that arrives later takes nothing.
   *
   * @param time time of the `take`, if its answer came: the store may have forgotten it
   */
  giveBack(uses: readonly BudgetUse[], hold: Hold, time?: number): MaybePromise<void>;
  /** Extends the hold of a call that still runs by its whole time. */
  renewHold(uses: readonly BudgetUse[], hold: Hold): MaybePromise<void>;
  /** Gives back what a call held of these for as long as it ran. */
  release(uses: readonly BudgetUse[], hold: Hold): MaybePromise<void>;

  saveApproval(approval: NewApproval): MaybePromise<void>;
  readApproval(id: string): MaybePromise<Approval | undefined>;
  /** Marks it as used by that call: once, however many ask. */
  useApproval(id: string, callId: string): MaybePromise<"used" | "spent" | "expired" | "none">;
  /** That call was certainly not made: what it used is unused again, and what another did is not. */
  returnApproval(id: string, callId: string): MaybePromise<void>;

  /**
   * Begins a keyed call, or tells what is known of the key. The call that has begun it may ask
   * again.
   */
  begin(call: KeyedCall): MaybePromise<KeyState>;
  /** The call has ended, and this is its answer. `undefined`: it was too large to keep. */
  finish(
    key: string,
    callId: string,
    answer: Uint8Array | undefined,
    ttlMs: number,
  ): MaybePromise<void>;
  /** The call has certainly done nothing: the key is free again, unless it is done, or another's. */
  free(key: string, callId: string): MaybePromise<void>;
  /** The call can't tell what it did: the key stays begun. */
  abandon(key: string, callId: string): MaybePromise<void>;

  /**
   * Takes a lease of a name; undefined if another holder has it, or is first in line. The holder that
   * asked is then in line, until it has not asked for two seconds. A later lease of a name
   * has a higher fence; a holder that asks again gets one.
   */
  lease(name: string, holder: string, ttlMs: number): MaybePromise<Lease | undefined>;
  /** False when it is the holder's no longer. */
  renew(lease: Lease, ttlMs: number): MaybePromise<boolean>;
  /** Gives it back; nothing happens when it is the holder's no longer. */
  unlease(lease: Lease): MaybePromise<void>;
  /** Leaves the line for a lease. */
  leaveLine(name: string, holder: string): MaybePromise<void>;

  /**
   * Releases what it holds, and answers nobody any more. For whoever opened it: runtimes may share
   * it, so that none of them closes it. `shutdown` closes the stores of this package, and no other.
   */
  close(): Promise<void>;
}

export type MaybePromise<Value> = Value | Promise<Value>;

export interface ToolVersionSeen {
  /** `skill/tool`. */
  readonly tool: string;
  readonly manifest: string;
}

export interface ToolVersionChange extends ToolVersionSeen {
  /** Undefined: the tool was not known. */
  readonly before: string | undefined;
}

export type ToolState = "enabled" | "paused" | "deprecated";

/** Why a tool's state is changed, and for whom. */
export interface StateChange {
  /** Whose calls it is for; everybody's when not given. */
  readonly tenant?: string;
  /** A change for every tenant leaves these out: their own states count, or `enabled`. */
  readonly exceptTenants?: readonly string[];
  /** Who changes it. */
  readonly by: string;
  readonly because?: string;
}

export interface ToolStateChange extends StateChange {
  /** `skill/tool`. */
  readonly tool: string;
  readonly state: ToolState;
  readonly at: number;
}

/** What one call takes of one budget. */
export interface BudgetUse {
  /** The same for the same budget; made of encoded parts, so that no name reaches into another. */
  readonly key: string;
  /** As it is told: `calls_per_minute of order-desk/refund`. */
  readonly name: string;
  readonly limit: number;
  /** 1 of a budget without a window: it counts calls that run. */
  readonly amount: number;
  /** How much has to be left beside that, though nothing of it is taken. */
  readonly needs: number;
  /** Whether it counts calls: one that is answered from the store counts, and costs nothing. */
  readonly isCount: boolean;
  /**
   * The budget is full again at each multiple of this, and not once more when the store's clock is
   * set back by less than that; undefined: when the call gives back what it holds.
   */
  readonly windowMs: number | undefined;
}

/**
 * What a call holds while it runs, by its id. What nobody gave back is free again when the time is
 * over: its process has died.
 */
export interface Hold {
  readonly callId: string;
  readonly ttlMs: number;
}

export type Taken =
  /** `left`: of each budget, in the order of the uses. `time`: the store's. */
  | { readonly taken: true; readonly left: readonly number[]; readonly time: number }
  | {
      readonly taken: false;
      /** The place of the budget in the uses; of several, the one that is full again last. */
      readonly at: number;
      /** When there is as much again; undefined where nobody can tell. */
      readonly retryAfterMs: number | undefined;
    };

/** An approval as it is given: the store says when. */
export interface NewApproval extends Omit<Approval, "at" | "expiresAt" | "isExpired" | "usedBy"> {
  readonly ttlMs: number;
}

/** Somebody's word that one call may be made. */
export interface Approval {
  /** Random. */
  readonly id: string;
  readonly tool: string;
  readonly manifest: string;
  /** Of what the call would do: its prepared request, credentials by name. */
  readonly digest: string;
  readonly tenant: string | undefined;
  /** Who asked. */
  readonly subject: string | undefined;
  /** Who approved: never the subject. */
  readonly by: string;
  readonly at: number;
  readonly expiresAt: number;
  /** The call that used it; who took it back. */
  readonly usedBy?: string;
  /** Its time is over, by the store's clock; a store that doesn't say tells it when it is used. */
  readonly isExpired?: boolean;
}

export interface KeyedCall {
  /** Of tenant, subject, tool and the caller's or the author's key. */
  readonly key: string;
  /**
   * A digest of the prepared request, credentials by name, and the manifest's hash, by which nobody
   * guesses a masked parameter.
   */
  readonly fingerprint: string;
  readonly callId: string;
  /** How long others take the call for one that runs, without word of it. */
  readonly ttlMs: number;
  /**
   * A call whose outcome a person has settled as not done: its key may be taken over, as long as
   * its outcome is unknown here, too.
   */
  readonly settled?: string;
}

export type KeyState =
  /** It is this call's to make. */
  | { readonly state: "begun" }
  /** Another call with this key runs. */
  | { readonly state: "running"; readonly callId: string }
  /** Another call with this key has begun, and nobody knows how it ended. */
  | { readonly state: "unknown"; readonly callId: string }
  /** It was made. `answer`: undefined when it was too large to keep. */
  | { readonly state: "done"; readonly callId: string; readonly answer: Uint8Array | undefined }
  /** The key was used for another request. */
  | { readonly state: "other"; readonly callId: string };

export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Higher than that of every earlier lease of the name. */
  readonly fence: number;
}
