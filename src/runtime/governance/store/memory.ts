/**
 * The default store, for the calls of one process. It doesn't survive the process, so keyed calls
 * are made once only while the process runs.
 */
import { stateKey } from "./digest.js";
import { EndingMap } from "./ending-map.js";
import { MemoryApprovals } from "./memory-approvals.js";
import type {
  Approval,
  ApprovalStore,
  BudgetUse,
  GovernanceStore,
  Hold,
  KeyedCall,
  KeyState,
  Lease,
  MaybePromise,
  NewApproval,
  NewRequestDecision,
  NewStoredRequest,
  RequestFilter,
  RequestState,
  SavedApproval,
  StoredRequest,
  Taken,
  ToolStateChange,
  ToolVersionChange,
  ToolVersionSeen,
} from "./store.js";
import { lineMs, takenMs } from "./times.js";

/** Default maximum size of all stored answers, in bytes. */
const usualAnswerBytes = 256 * 1024 * 1024;
/** Maximum number of keys. A call with another key is denied until some keys expire. */
const maxKeys = 1_000_000;
/**
 * Number of calls whose `take` is remembered for longer than `takenMs`, until there are more of
 * them.
 */
const fewTaken = 10_000;
/**
 * Maximum number of calls whose `take` is remembered. Above it, the oldest are forgotten before
 * `takenMs`.
 */
const maxTaken = 100_000;

/** Options of a store in memory. */
export interface MemoryStoreOptions {
  /**
   * Returns the current time in milliseconds since 1970, for windows and reported times; `Date.now`
   * by default.
   */
  readonly now?: () => number;
  /**
   * Returns elapsed milliseconds, for everything that expires: leases, holds, keys. By default
   * `performance.now`, which changes of the system clock don't affect.
   */
  readonly monotonic?: () => number;
  /**
   * Maximum size of all stored answers of keyed calls, in bytes; 256 MiB by default. Above it, the
   * oldest answers are dropped, but their keys are kept until they expire.
   */
  readonly maxAnswerBytes?: number;
}

/** Creates a store in the memory of this process. */
export function createMemoryStore(options: MemoryStoreOptions = {}): GovernanceStore {
  return new MemoryStore("memory", new MemoryApprovals(options.now ?? Date.now), options);
}

/** Creates a store in memory that keeps approvals and their requests elsewhere. */
export function createMemoryStoreWith(
  kind: string,
  approvals: ApprovalStore,
  options: MemoryStoreOptions,
): GovernanceStore {
  return new MemoryStore(kind, approvals, options);
}

interface Budget {
  /** Start of the window that `used` counts. */
  windowStart: number;
  readonly windowMs: number;
  used: number;
}

interface Key {
  readonly fingerprint: string;
  readonly callId: string;
  /** End of the time during which the call that began the key counts as running. */
  runsUntil: number;
  done: { answer: Uint8Array | undefined; readonly endsAt: number } | undefined;
}

class MemoryStore implements GovernanceStore {
  readonly kind: string;
  readonly durable = false;
  readonly #now: () => number;
  readonly #monotonic: () => number;
  readonly #versions = new Map<string, string>();
  readonly #states = new Map<string, ToolStateChange>();
  readonly #budgets = new EndingMap<Budget>();
  /** For each budget, when the hold of each call expires. */
  readonly #held = new Map<string, Map<string, number>>();
  /** For each call, when it took from its budgets; undefined if it gave everything back. */
  #taken = new Map<string, number | undefined>();
  #takenBefore: ReadonlyMap<string, number | undefined> = new Map();
  #takenSince = 0;
  readonly #approvals: ApprovalStore;
  readonly #keys = new EndingMap<Key>();
  /** Keys with an answer, oldest first. */
  readonly #answered = new Set<Key>();
  #answerBytes = 0;
  readonly #maxAnswerBytes: number;
  readonly #leases = new EndingMap<Lease & { readonly endsAt: number }>();
  /** For each lease, the waiting holders in order, and when each place expires. */
  readonly #lines = new Map<string, Map<string, number>>();
  #fence = 0;

  constructor(
    kind: string,
    approvals: ApprovalStore,
    {
      monotonic = () => performance.now(),
      maxAnswerBytes = usualAnswerBytes,
      now = Date.now,
    }: MemoryStoreOptions,
  ) {
    this.kind = kind;
    this.#approvals = approvals;
    this.#now = now;
    this.#monotonic = monotonic;
    this.#maxAnswerBytes = maxAnswerBytes;
  }

  register(tools: readonly ToolVersionSeen[]): readonly ToolVersionChange[] {
    const changes = tools.map((each) => ({ ...each, before: this.#versions.get(each.tool) }));
    for (const { manifest, tool } of tools) this.#versions.set(tool, manifest);
    return changes.filter(({ before, manifest }) => before !== manifest);
  }

  states(): readonly ToolStateChange[] {
    return [...this.#states.values()];
  }

  setState(change: Omit<ToolStateChange, "at">): void {
    this.#states.set(stateKey(change.tool, change.tenant), { ...change, at: this.#now() });
  }

  resetState(tool: string, tenant: string): boolean {
    return this.#states.delete(stateKey(tool, tenant));
  }

  take(uses: readonly BudgetUse[], hold: Hold): Taken {
    const found = this.peek(uses);
    if (!found.taken) return found;
    // `giveBack` came before this `take`: the call has stopped waiting for it.
    if (this.#isKnown(hold.callId)) return { taken: false, at: 0, retryAfterMs: undefined };
    this.#remember(hold.callId, found.time);
    for (const use of uses) {
      const { amount, key, windowMs } = use;
      if (windowMs === undefined) this.#hold(key, hold.callId, this.#monotonic() + hold.ttlMs);
      else this.#budgetOf(key, windowMs, found.time).used += amount;
    }
    return found;
  }

  #isKnown(callId: string): boolean {
    return this.#taken.has(callId) || this.#takenBefore.has(callId);
  }

  #remember(callId: string, time: number | undefined): void {
    const now = this.#monotonic();
    const { size } = this.#taken;
    if (size >= maxTaken || (size >= fewTaken && now - this.#takenSince >= takenMs)) {
      this.#takenBefore = this.#taken;
      this.#taken = new Map();
      this.#takenSince = now;
    }
    this.#taken.set(callId, time);
  }

  peek(uses: readonly BudgetUse[]): Taken {
    const time = this.#now();
    let refused: { readonly at: number; readonly waitMs: number } | undefined;
    const left = uses.map((use, at) => {
      const { amount, key, limit, needs, windowMs } = use;
      const budget = windowMs === undefined ? undefined : this.#budgetOf(key, windowMs, time);
      const room = limit - amount - needs;
      const rest = room - (budget?.used ?? this.#countHeld(key, room));
      const waitMs = amount + needs > limit ? Infinity : waitFor(budget, time);
      if (rest < 0 && (refused === undefined || waitMs > refused.waitMs)) refused = { at, waitMs };
      return rest;
    });
    if (refused === undefined) return { taken: true, left, time };
    const { at, waitMs } = refused;
    return { taken: false, at, retryAfterMs: Number.isFinite(waitMs) ? waitMs : undefined };
  }

  add(uses: readonly BudgetUse[]): void {
    const now = this.#now();
    for (const { amount, key, windowMs } of uses)
      if (windowMs !== undefined) this.#budgetOf(key, windowMs, now).used += amount;
  }

  giveBack(uses: readonly BudgetUse[], hold: Hold, time?: number): void {
    const { callId } = hold;
    const known = [this.#taken, this.#takenBefore].find((each) => each.has(callId));
    const taken = known === undefined ? time : known.get(callId);
    this.#remember(callId, undefined);
    if (taken === undefined) return;
    this.release(uses, hold);
    const now = this.#now();
    for (const { amount, key, windowMs } of uses) {
      if (windowMs === undefined) continue;
      const budget = this.#budgetOf(key, windowMs, now);
      if (budget.windowStart <= taken) budget.used -= amount;
    }
  }

  renewHold(uses: readonly BudgetUse[], { callId, ttlMs }: Hold): void {
    const endsAt = this.#monotonic() + ttlMs;
    for (const { key } of uses) {
      const held = this.#held.get(key);
      if (held?.has(callId)) held.set(callId, endsAt);
    }
  }

  release(uses: readonly BudgetUse[], { callId }: Hold): void {
    for (const { key } of uses) {
      const held = this.#held.get(key);
      held?.delete(callId);
      if (held?.size === 0) this.#held.delete(key);
    }
  }

  #hold(key: string, callId: string, endsAt: number): void {
    const held = this.#held.get(key) ?? new Map<string, number>();
    held.set(callId, endsAt);
    this.#held.set(key, held);
  }

  /** Counts holds. It removes expired ones only if there would be no room otherwise. */
  #countHeld(key: string, room: number): number {
    const held = this.#held.get(key);
    if (held === undefined || held.size <= room) return held?.size ?? 0;
    const now = this.#monotonic();
    for (const [callId, endsAt] of held) if (endsAt <= now) held.delete(callId);
    return held.size;
  }

  #budgetOf(key: string, windowMs: number, now: number): Budget {
    const current = now - (now % windowMs);
    let budget = this.#budgets.entries.get(key);
    if (budget === undefined) {
      this.#budgets.makeRoom((each) => now - each.windowStart >= 2 * each.windowMs);
      budget = { windowStart: current, windowMs, used: 0 };
      this.#budgets.entries.set(key, budget);
    } else if (isOver(budget, current)) {
      budget.windowStart = current;
      budget.used = 0;
    }
    return budget;
  }

  saveRequest(request: NewStoredRequest): ReturnType<ApprovalStore["saveRequest"]> {
    return this.#approvals.saveRequest(request);
  }

  readRequest(id: string): MaybePromise<StoredRequest | undefined> {
    return this.#approvals.readRequest(id);
  }

  requests(filter: RequestFilter): MaybePromise<readonly StoredRequest[]> {
    return this.#approvals.requests(filter);
  }

  denyRequest(id: string, decision: NewRequestDecision): MaybePromise<RequestState | "none"> {
    return this.#approvals.denyRequest(id, decision);
  }

  saveApproval(approval: NewApproval): MaybePromise<SavedApproval> {
    return this.#approvals.saveApproval(approval);
  }

  readApproval(id: string): MaybePromise<Approval | undefined> {
    return this.#approvals.readApproval(id);
  }

  useApproval(id: string, callId: string): ReturnType<ApprovalStore["useApproval"]> {
    return this.#approvals.useApproval(id, callId);
  }

  returnApproval(id: string, callId: string): MaybePromise<void> {
    return this.#approvals.returnApproval(id, callId);
  }

  begin({ callId, fingerprint, key, settled, ttlMs }: KeyedCall): KeyState {
    const now = this.#monotonic();
    const known = this.#keys.entries.get(key);
    if (known === undefined || isFree(known, callId, settled, now)) {
      if (known !== undefined) this.#forgetKey(key);
      this.#makeRoomForKey(now);
      this.#keys.entries.set(key, { fingerprint, callId, runsUntil: now + ttlMs, done: undefined });
      return { state: "begun" };
    }
    const other = { callId: known.callId };
    if (known.fingerprint !== fingerprint) return { state: "other", ...other };
    if (known.done !== undefined) return { state: "done", ...other, answer: known.done.answer };
    return { state: known.runsUntil > now ? "running" : "unknown", ...other };
  }

  /**
   * Removes expired keys.
   *
   * @throws Error if there are too many keys
   */
  #makeRoomForKey(now: number): void {
    const isOver = ({ done }: Key) => done !== undefined && done.endsAt <= now;
    this.#keys.makeRoom(isOver, (key) => this.#forgetKey(key));
    if (this.#keys.entries.size >= maxKeys)
      throw new Error("the memory store has no room for another key");
  }

  #forgetKey(key: string): boolean {
    const known = this.#keys.entries.get(key);
    if (known !== undefined) this.#dropAnswer(known);
    return this.#keys.entries.delete(key);
  }

  #dropAnswer(key: Key): void {
    if (!this.#answered.delete(key) || key.done === undefined) return;
    this.#answerBytes -= key.done.answer?.byteLength ?? 0;
    key.done.answer = undefined;
  }

  finish(key: string, callId: string, answer: Uint8Array | undefined, ttlMs: number): void {
    const known = this.#own(key, callId);
    if (known === undefined) return;
    this.#dropAnswer(known);
    known.done = { answer, endsAt: this.#monotonic() + ttlMs };
    if (answer === undefined) return;
    this.#answered.add(known);
    this.#answerBytes += answer.byteLength;
    for (const oldest of this.#answered) {
      if (this.#answerBytes <= this.#maxAnswerBytes) return;
      this.#dropAnswer(oldest);
    }
  }

  free(key: string, callId: string): void {
    const known = this.#own(key, callId);
    if (known !== undefined && known.done === undefined) this.#forgetKey(key);
  }

  abandon(key: string, callId: string): void {
    const known = this.#own(key, callId);
    if (known !== undefined) known.runsUntil = 0;
  }

  #own(key: string, callId: string): Key | undefined {
    const known = this.#keys.entries.get(key);
    return known?.callId === callId ? known : undefined;
  }

  lease(name: string, holder: string, ttlMs: number): Lease | undefined {
    const now = this.#monotonic();
    const known = this.#leases.entries.get(name);
    const isHeld = known !== undefined && known.endsAt > now;
    const isOwn = isHeld && known.holder === holder;
    const line = this.#lines.get(name);
    for (const [each, until] of line ?? []) if (until <= now) line?.delete(each);
    const [first = holder] = line?.keys() ?? [];
    if (!isOwn && (isHeld || first !== holder)) {
      // A holder that is already in the line keeps its place.
      if (line === undefined) this.#lines.set(name, new Map([[holder, now + lineMs]]));
      else line.set(holder, now + lineMs);
      return undefined;
    }
    this.leaveLine(name, holder);
    this.#fence += 1;
    this.#leases.makeRoom(({ endsAt }) => endsAt <= now);
    this.#leases.entries.set(name, { name, holder, fence: this.#fence, endsAt: now + ttlMs });
    return { name, holder, fence: this.#fence };
  }

  renew(lease: Lease, ttlMs: number): boolean {
    const now = this.#monotonic();
    const known = this.#leases.entries.get(lease.name);
    if (known === undefined || known.fence !== lease.fence || known.endsAt <= now) return false;
    this.#leases.entries.set(lease.name, { ...lease, endsAt: now + ttlMs });
    return true;
  }

  unlease(lease: Lease): void {
    const { entries } = this.#leases;
    if (entries.get(lease.name)?.fence === lease.fence) entries.delete(lease.name);
  }

  leaveLine(name: string, holder: string): void {
    const line = this.#lines.get(name);
    line?.delete(holder);
    if (line?.size === 0) this.#lines.delete(name);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/**
 * Returns whether another window has begun. If the clock was set back by less than a window, the
 * last window goes on.
 */
function isOver({ windowMs, windowStart }: Budget, current: number): boolean {
  return current > windowStart || windowStart - current > windowMs;
}

/**
 * Returns the milliseconds until the budget is full again; infinite if it depends on the end of
 * other calls.
 */
function waitFor(budget: Budget | undefined, now: number): number {
  return budget === undefined ? Infinity : budget.windowStart + budget.windowMs - now;
}

/** Returns whether a call may take over a key. */
function isFree(
  { callId: known, done, runsUntil }: Key,
  callId: string,
  settled: string | undefined,
  now: number,
): boolean {
  if (done !== undefined) return done.endsAt <= now;
  return known === callId || (known === settled && runsUntil <= now);
}
