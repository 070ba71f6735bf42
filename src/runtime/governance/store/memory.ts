/**
 * The default store: what the calls of one process share. Nothing survives the process, so a call
 * that must be made once is made once for as long as it runs.
 */
import { stateKey } from "./digest.js";
import type {
  Approval,
  BudgetUse,
  GovernanceStore,
  Hold,
  KeyedCall,
  KeyState,
  Lease,
  NewApproval,
  Taken,
  ToolStateChange,
  ToolVersionChange,
  ToolVersionSeen,
} from "./store.js";

/**
 * Answers that are kept at most. Of the oldest only the key is kept then: that a call was made must
 * not be forgotten before its time.
 */
const mostAnswers = 10_000;
/** Keys that are kept at most: a call with another one is refused until some are over. */
const mostKeys = 1_000_000;
/** Budgets that are remembered before those whose time is over are looked for. */
const mostBudgets = 10_000;

export interface MemoryStoreOptions {
  /** Milliseconds since 1970, for windows and for times that are told; the clock when not given. */
  readonly now?: () => number;
  /**
   * Milliseconds that have passed, for all that ends when its time is over: leases, what calls
   * hold, keys. `performance.now()` when not given: a clock that is set ends none of them early.
   */
  readonly monotonic?: () => number;
}

export function createMemoryStore(options: MemoryStoreOptions = {}): GovernanceStore {
  return new MemoryStore(options);
}

interface Budget {
  /** The window that `used` is of. */
  windowStart: number;
  readonly windowMs: number;
  used: number;
}

interface Key {
  readonly fingerprint: string;
  readonly callId: string;
  /** Set while the call that began it runs: until then others wait for word of it. */
  runsUntil: number;
  done: { answer: Uint8Array | undefined; readonly endsAt: number } | undefined;
}

class MemoryStore implements GovernanceStore {
  readonly kind = "memory";
  readonly durable = false;
  readonly #now: () => number;
  readonly #monotonic: () => number;
  readonly #versions = new Map<string, string>();
  readonly #states = new Map<string, ToolStateChange>();
  readonly #budgets = new Map<string, Budget>();
  /** By budget: when each call that holds some of it has held it for as long as it may. */
  readonly #held = new Map<string, Map<string, number>>();
  readonly #approvals = new Map<string, Approval>();
  readonly #keys = new Map<string, Key>();
  /** Those that have an answer, in turns: the place that is next has the oldest. */
  readonly #answered: Key[] = [];
  #nextAnswer = 0;
  /** As many keys as there are before those whose time is over are looked for. */
  #sweepKeysAt = mostAnswers;
  readonly #leases = new Map<string, Lease & { readonly endsAt: number }>();
  #fence = 0;

  constructor({ monotonic = () => performance.now(), now = Date.now }: MemoryStoreOptions) {
    this.#now = now;
    this.#monotonic = monotonic;
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
    for (const use of uses) {
      const { amount, key, windowMs } = use;
      if (windowMs === undefined) this.#hold(key, hold.callId, this.#monotonic() + hold.ttlMs);
      else this.#budgetOf(key, windowMs, found.time).used += amount;
    }
    return found;
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

  add(uses: readonly BudgetUse[], since?: number): void {
    const now = this.#now();
    for (const { amount, key, windowMs } of uses) {
      if (windowMs === undefined) continue;
      const budget = this.#budgetOf(key, windowMs, now);
      if (since === undefined || budget.windowStart <= since) budget.used += amount;
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

  /**
   * Calls that have been gone for longer than they may run hold nothing: they are looked for where
   * there is no room else.
   */
  #countHeld(key: string, room: number): number {
    const held = this.#held.get(key);
    if (held === undefined || held.size <= room) return held?.size ?? 0;
    const now = this.#monotonic();
    for (const [callId, endsAt] of held) if (endsAt <= now) held.delete(callId);
    return held.size;
  }

  #budgetOf(key: string, windowMs: number, now: number): Budget {
    const current = now - (now % windowMs);
    let budget = this.#budgets.get(key);
    if (budget === undefined) {
      if (this.#budgets.size >= mostBudgets) this.#forgetBudgets(now);
      budget = { windowStart: current, windowMs, used: 0 };
      this.#budgets.set(key, budget);
    } else if (isOver(budget, current)) {
      budget.windowStart = current;
      budget.used = 0;
    }
    return budget;
  }

  #forgetBudgets(now: number): void {
    for (const [key, budget] of this.#budgets)
      if (now - budget.windowStart >= 2 * budget.windowMs) this.#budgets.delete(key);
  }

  saveApproval({ ttlMs, ...approval }: NewApproval): void {
    const now = this.#now();
    for (const [id, { expiresAt }] of this.#approvals)
      if (expiresAt <= now) this.#approvals.delete(id);
    this.#approvals.set(approval.id, { ...approval, at: now, expiresAt: now + ttlMs });
  }

  readApproval(id: string): Approval | undefined {
    const approval = this.#approvals.get(id);
    return approval && { ...approval, isExpired: approval.expiresAt <= this.#now() };
  }

  useApproval(id: string, callId: string): "used" | "spent" | "expired" | "none" {
    const approval = this.#approvals.get(id);
    if (approval === undefined) return "none";
    if (approval.usedBy !== undefined) return "spent";
    if (approval.expiresAt <= this.#now()) return "expired";
    this.#approvals.set(id, { ...approval, usedBy: callId });
    return "used";
  }

  returnApproval(id: string, callId: string): void {
    const known = this.#approvals.get(id);
    if (known?.usedBy !== callId) return;
    const { usedBy: _, ...unused } = known;
    this.#approvals.set(id, unused);
  }

  begin({ callId, fingerprint, key, settled, ttlMs }: KeyedCall): KeyState {
    const now = this.#monotonic();
    const known = this.#keys.get(key);
    if (known === undefined || isFree(known, callId, settled, now)) {
      if (known !== undefined) this.#forgetKey(key);
      this.#makeRoomForKey(now);
      this.#keys.set(key, { fingerprint, callId, runsUntil: now + ttlMs, done: undefined });
      return { state: "begun" };
    }
    const other = { callId: known.callId };
    if (known.fingerprint !== fingerprint) return { state: "other", ...other };
    if (known.done !== undefined) return { state: "done", ...other, answer: known.done.answer };
    return { state: known.runsUntil > now ? "running" : "unknown", ...other };
  }

  /**
   * Forgets keys whose time is over, when there are twice as many as were left the last time.
   *
   * @throws Error when there are too many all the same
   */
  #makeRoomForKey(now: number): void {
    if (this.#keys.size < this.#sweepKeysAt) return;
    for (const [key, { done }] of this.#keys)
      if (done !== undefined && done.endsAt <= now) this.#forgetKey(key);
    if (this.#keys.size >= mostKeys) throw new Error("the store in memory has no room for a key");
    this.#sweepKeysAt = Math.min(mostKeys, Math.max(mostAnswers, 2 * this.#keys.size));
  }

  #forgetKey(key: string): void {
    dropAnswer(this.#keys.get(key));
    this.#keys.delete(key);
  }

  finish(key: string, callId: string, answer: Uint8Array | undefined, ttlMs: number): void {
    const known = this.#own(key, callId);
    if (known === undefined) return;
    known.done = { answer, endsAt: this.#monotonic() + ttlMs };
    if (answer === undefined) return;
    dropAnswer(this.#answered[this.#nextAnswer]);
    this.#answered[this.#nextAnswer] = known;
    this.#nextAnswer = (this.#nextAnswer + 1) % mostAnswers;
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
    const known = this.#keys.get(key);
    return known?.callId === callId ? known : undefined;
  }

  lease(name: string, holder: string, ttlMs: number): Lease | undefined {
    const now = this.#monotonic();
    const known = this.#leases.get(name);
    if (known !== undefined && known.endsAt > now && known.holder !== holder) return undefined;
    this.#fence += 1;
    this.#leases.set(name, { name, holder, fence: this.#fence, endsAt: now + ttlMs });
    return { name, holder, fence: this.#fence };
  }

  renew(lease: Lease, ttlMs: number): boolean {
    const now = this.#monotonic();
    const known = this.#leases.get(lease.name);
    if (known === undefined || known.fence !== lease.fence || known.endsAt <= now) return false;
    this.#leases.set(lease.name, { ...lease, endsAt: now + ttlMs });
    return true;
  }

  unlease(lease: Lease): void {
    if (this.#leases.get(lease.name)?.fence === lease.fence) this.#leases.delete(lease.name);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function dropAnswer(key: Key | undefined): void {
  if (key?.done !== undefined) key.done.answer = undefined;
}

/**
 * Whether another window has begun. A clock that was set back by less than a window is still in the
 * one that was counted last.
 */
function isOver({ windowMs, windowStart }: Budget, current: number): boolean {
  return current > windowStart || windowStart - current > windowMs;
}

/** Milliseconds until there is more of it; infinite where that is when other calls end. */
function waitFor(budget: Budget | undefined, now: number): number {
  return budget === undefined ? Infinity : budget.windowStart + budget.windowMs - now;
}

/** Whether a call may begin with a key that another one had, or it itself. */
function isFree(
  { callId: known, done, runsUntil }: Key,
  callId: string,
  settled: string | undefined,
  now: number,
): boolean {
  if (done !== undefined) return done.endsAt <= now;
  return known === callId || (known === settled && runsUntil <= now);
}
