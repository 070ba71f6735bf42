/** Tests that every store of governance passes. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type {
  BudgetUse,
  GovernanceStore,
  KeyedCall,
  NewApproval,
} from "../../../src/runtime/governance/index.js";

import { exampleTool, succeed } from "../example-tool.js";
import { holdRequestPromises } from "./request-promises.js";
import { govern, policyOf } from "./governed.js";

/** A store whose clock stands still until the test moves it. */
export interface TestStore {
  readonly store: GovernanceStore;
  /** Store of another process; `store` itself if the store is for one process. */
  readonly other: GovernanceStore;
  /** Number of keyed calls that a test can make in reasonable time. */
  readonly manyKeys: number;
  /** Milliseconds since 1970. */
  setClock(ms: number): Promise<void>;
  /**
   * Sets the clock forward while no time passes. Absent if the store only has a server's clock,
   * which must be slewed.
   */
  readonly jumpClock?: (ms: number) => Promise<void>;
  close(): Promise<void>;
}

const minute = 60_000;
/** The beginning of a minute. */
const start = 1_700_000_040_000;

export function holdPromises(open: () => Promise<TestStore>): void {
  let opened: TestStore;
  let store: GovernanceStore;
  let other: GovernanceStore;
  let now = start;
  const setClock = (ms: number) => opened.setClock((now = ms));
  const advance = (ms: number) => setClock(now + ms);
  beforeAll(async () => {
    opened = await open();
    ({ other, store } = opened);
    await setClock(start);
  });
  afterAll(() => opened.close());

  let named = 0;
  /** Makes a new name for each test. */
  const fresh = (what: string) => `${what} ${(named += 1)}`;
  const perMinute = (more: Partial<BudgetUse> = {}): BudgetUse => ({
    key: fresh("budget"),
    name: "calls_per_minute",
    limit: 3,
    amount: 1,
    needs: 0,
    isCount: true,
    windowMs: minute,
    ...more,
  });
  const atOnce = (more: Partial<BudgetUse> = {}): BudgetUse => ({
    ...perMinute(more),
    name: "concurrent",
    windowMs: undefined,
  });
  const hold = (callId = fresh("call"), ttlMs = 1000) => ({ callId, ttlMs });
  const keyed = (more: Partial<KeyedCall> = {}): KeyedCall => ({
    key: fresh("key"),
    fingerprint: "print",
    callId: fresh("call"),
    ttlMs: 1000,
    ...more,
  });

  test("a budget is spent, then refuses until its minute is over", async () => {
    await setClock(start + 10 * minute + 15_000);
    const use = perMinute();
    for (const left of [2, 1, 0])
      expect(await store.take([use], hold())).toEqual({ taken: true, left: [left], time: now });
    expect(await other.take([use], hold())).toEqual({
      taken: false,
      at: 0,
      retryAfterMs: 45_000,
    });
    await advance(44_999);
    expect(await store.take([use], hold())).toMatchObject({ taken: false, retryAfterMs: 1 });
    await advance(1);
    expect(await store.take([use], hold())).toMatchObject({ taken: true, left: [2] });
  });

  test("a refused call spends none of several budgets, and names the full one that resets last", async () => {
    const day = 24 * 60 * minute;
    const [roomy, short, long] = [
      perMinute({ limit: 10 }),
      perMinute({ limit: 1 }),
      perMinute({ limit: 1, windowMs: day }),
    ];
    const held = atOnce({ limit: 1 });
    expect(await store.take([short, long], hold())).toMatchObject({ taken: true });
    const refused = await store.take([roomy, held, short, long], hold());
    expect(refused).toEqual({ taken: false, at: 3, retryAfterMs: day - (now % day) });
    expect(await store.peek([roomy])).toMatchObject({ left: [9] });
    expect(await store.peek([held])).toMatchObject({ left: [0] });
  });

  test("a call that is larger than its budget is refused without a retry time", async () => {
    const use = perMinute({ limit: 5, amount: 6 });
    expect(await store.take([use], hold())).toEqual({
      taken: false,
      at: 0,
      retryAfterMs: undefined,
    });
  });

  test("peek spends nothing and returns the rest of each budget", async () => {
    const use = perMinute({ amount: 0.25, needs: 1 });
    const looked = { taken: true, left: [1.75], time: now };
    expect(await store.peek([use])).toEqual(looked);
    expect(await store.peek([use])).toEqual(looked);
    expect(await store.take([use], hold())).toEqual(looked);
    expect(await store.peek([use])).toMatchObject({ left: [1.5] });
  });

  test("bytes that are added afterwards may exceed the limit, and then nothing is left", async () => {
    const use = perMinute({ limit: 100, amount: 0, needs: 1 });
    await store.take([use], hold());
    await store.add([{ ...use, amount: 70 }]);
    expect(await other.peek([use])).toMatchObject({ left: [29] });
    await other.add([{ ...use, amount: 70 }]);
    expect(await store.take([use], hold())).toMatchObject({ taken: false });
  });

  test("fractions add up like numbers", async () => {
    const use = perMinute({ limit: 1, amount: 0.1 });
    for (let calls = 0; calls < 3; calls += 1) await store.take([use], hold());
    expect(await store.peek([use])).toMatchObject({ left: [1 - (0.1 + 0.1 + 0.1) - 0.1] });
  });

  test("a returned amount goes to the window that it was taken from, not to a later one", async () => {
    const use = perMinute({ amount: 2 });
    const [first, second] = [hold(), hold()];
    const taken = await store.take([use], first);
    if (!taken.taken) throw new Error("refused");
    await store.giveBack([use], first, taken.time);
    expect(await store.peek([use])).toMatchObject({ left: [1] });
    await store.take([use], second);
    await advance(minute);
    await store.take([use], hold());
    await store.giveBack([use], second);
    expect(await store.take([use], hold())).toMatchObject({ taken: false });
  });

  test("a call returns what it took once, whether the answer arrived or was lost", async () => {
    const [use, place] = [perMinute({ amount: 2, limit: 10 }), atOnce({ limit: 1 })];
    const first = hold();
    await store.take([use, place], first);
    await store.take([use], hold());
    expect(await store.peek([use])).toMatchObject({ left: [4] });
    for (let times = 0; times < 2; times += 1) await other.giveBack([use, place], first);
    expect(await store.peek([use])).toMatchObject({ left: [6] });
    expect(await store.peek([place])).toMatchObject({ taken: true, left: [0] });
  });

  test("a call whose budgets had no room returns nothing, and may take other budgets", async () => {
    const [full, roomy] = [perMinute({ limit: 0 }), perMinute({ limit: 10 })];
    const call = hold();
    expect(await store.take([full, roomy], call)).toMatchObject({ taken: false });
    expect(await store.take([roomy], call)).toMatchObject({ taken: true, left: [9] });
    const refused = hold();
    await store.take([full, roomy], refused);
    await store.giveBack([full, roomy], refused);
    expect(await store.peek([roomy])).toMatchObject({ left: [8] });
  });

  test("a call that was returned before its take arrived takes nothing", async () => {
    const [use, place] = [perMinute({ limit: 10 }), atOnce({ limit: 1 })];
    const late = hold();
    await store.giveBack([use, place], late);
    expect(await other.take([use, place], late)).toMatchObject({ taken: false });
    expect(await store.peek([use, place])).toMatchObject({ left: [9, 0] });
  });

  test("a call returns a part of what it took, and the rest is spent", async () => {
    const [count, cost] = [perMinute({ limit: 10 }), perMinute({ amount: 5, limit: 10 })];
    const call = hold();
    const taken = await store.take([count, cost], call);
    await store.giveBack([cost], call, taken.taken ? taken.time : undefined);
    expect(await other.peek([count])).toMatchObject({ left: [8] });
    expect(await other.peek([cost])).toMatchObject({ left: [5] });
  });

  test("a call holds its place for as long as it renews it", async () => {
    const use = atOnce({ limit: 1 });
    const call = hold(undefined, 1000);
    await store.take([use], call);
    for (let times = 0; times < 5; times += 1) {
      await advance(900);
      await store.renewHold([use], call);
    }
    expect(await other.take([use], hold())).toMatchObject({ taken: false });
    await advance(1000);
    expect(await other.take([use], hold())).toMatchObject({ taken: true });
  });

  test("a call that has ended takes no place by renewing", async () => {
    const use = atOnce({ limit: 1 });
    const call = hold();
    await store.take([use], call);
    await store.release([use], call);
    await store.renewHold([use], call);
    expect(await other.take([use], hold())).toMatchObject({ taken: true });
  });

  test("running calls hold their places until they end or their process is gone", async () => {
    const use = atOnce({ limit: 2 });
    const [first, second] = [hold(), hold(undefined, 5000)];
    await store.take([use], first);
    await store.take([use], second);
    expect(await store.take([use], hold())).toEqual({
      taken: false,
      at: 0,
      retryAfterMs: undefined,
    });
    await other.release([use], first);
    await other.release([use], first);
    expect(await store.take([use], hold(undefined, 5000))).toMatchObject({ taken: true });
    expect(await store.take([use], hold())).toMatchObject({ taken: false });
    await advance(5000);
    expect(await store.take([use], hold())).toMatchObject({ taken: true, left: [1] });
  });

  test("budgets have separate counts if their names only look alike or are no text", async () => {
    const names = ["\u00e9", "e\u0301", "\ud800", "\ud801", "__proto__", "a\0b", "a", ""];
    const uses = names.map((key) => perMinute({ key: `tricky ${key}`, limit: 1 }));
    for (const use of uses) expect(await store.take([use], hold())).toMatchObject({ taken: true });
    for (const use of uses) expect(await store.take([use], hold())).toMatchObject({ taken: false });
    const long = perMinute({ key: "x".repeat(1_000_000), limit: 1 });
    expect(await store.take([long], hold())).toMatchObject({ taken: true });
  });

  test("a clock that is set back by less than a window fills no budget again", async () => {
    await setClock(start + 100 * minute + 100);
    const use = perMinute();
    for (let calls = 0; calls < 3; calls += 1) await store.take([use], hold());
    await advance(-200);
    expect(await store.take([use], hold())).toEqual({
      taken: false,
      at: 0,
      retryAfterMs: minute + 100,
    });
    await advance(-5 * minute);
    expect(await store.take([use], hold())).toMatchObject({ taken: true });
    await setClock(start + 101 * minute);
  });

  test("concurrent calls take exactly as much as a budget has", async () => {
    const uses = [perMinute({ limit: 7 }), atOnce({ limit: 100 }), perMinute({ limit: 50 })];
    const stores = [store, other];
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        // The order alternates, to test that no two calls deadlock.
        stores[at % 2]?.take(at % 3 === 0 ? uses : uses.toReversed(), hold()),
      ),
    );
    expect(all.filter((each) => each?.taken)).toHaveLength(7);
    expect(await store.peek(uses)).toMatchObject({ taken: false, at: 0 });
    expect(await store.peek(uses.slice(1))).toMatchObject({ left: [92, 42] });
  });

  test("a keyed call is made once: others wait for it and get its answer", async () => {
    const call = keyed();
    expect(await store.begin(call)).toEqual({ state: "begun" });
    const second = { ...call, callId: fresh("call") };
    expect(await other.begin(second)).toEqual({ state: "running", callId: call.callId });
    const answer = Buffer.from([0, 1, 255, 128, 10]);
    await store.finish(call.key, call.callId, answer, 5000);
    const done = await other.begin(second);
    expect(done).toMatchObject({ state: "done", callId: call.callId });
    expect(done.state === "done" && done.answer && Buffer.from(done.answer)).toEqual(answer);
    await advance(5000);
    expect(await other.begin(second)).toEqual({ state: "begun" });
    expect(await store.begin(call)).toEqual({ state: "running", callId: second.callId });
  });

  test("a call that has begun a key may begin it again, as after a lost answer", async () => {
    const call = keyed();
    await store.begin(call);
    expect(await store.begin(call)).toEqual({ state: "begun" });
  });

  test("exactly one of many concurrent calls begins a key", async () => {
    const call = keyed();
    const stores = [store, other];
    const states = await Promise.all(
      Array.from({ length: 20 }, (_, at) => stores[at % 2]?.begin({ ...call, callId: `c${at}` })),
    );
    const count = (state: string) => states.filter((each) => each?.state === state).length;
    expect({ begun: count("begun"), running: count("running") }).toEqual({ begun: 1, running: 19 });
  });

  test("a key records that its call was made if the answer is too large to keep", async () => {
    const call = keyed();
    await store.begin(call);
    await store.finish(call.key, call.callId, undefined, 5000);
    expect(await other.begin({ ...call, callId: "x" })).toEqual({
      state: "done",
      callId: call.callId,
      answer: undefined,
    });
  });

  test("an answer is kept for its time, however many others are kept", async () => {
    const calls = Array.from({ length: opened.manyKeys }, () => keyed());
    const [first = keyed(), ...others] = calls;
    await store.begin(first);
    await store.finish(first.key, first.callId, Buffer.from("first"), 60_000);
    for (let at = 0; at < others.length; at += 500) {
      const some = others.slice(at, at + 500);
      await Promise.all(some.map((each) => store.begin(each)));
      await Promise.all(
        some.map((each) => store.finish(each.key, each.callId, Buffer.from("x"), 60_000)),
      );
    }
    const done = await other.begin({ ...first, callId: "again" });
    expect(done.state === "done" && Buffer.from(done.answer ?? []).toString()).toBe("first");
  });

  test("an empty answer is an answer", async () => {
    const call = keyed();
    await store.begin(call);
    await store.finish(call.key, call.callId, new Uint8Array(), 5000);
    const done = await other.begin({ ...call, callId: "x" });
    expect(done.state === "done" && done.answer?.byteLength).toBe(0);
  });

  test("a key is refused for another request, whether the first runs or is done", async () => {
    const call = keyed();
    await store.begin(call);
    const different = { ...call, callId: "x", fingerprint: "another" };
    const refused = { state: "other", callId: call.callId };
    expect(await other.begin(different)).toEqual(refused);
    await store.finish(call.key, call.callId, undefined, 5000);
    expect(await other.begin(different)).toEqual(refused);
  });

  test("a call that did nothing frees its own key only", async () => {
    const call = keyed();
    await store.begin(call);
    await store.free(call.key, "another");
    const second = { ...call, callId: fresh("call") };
    expect(await other.begin(second)).toMatchObject({ state: "running" });
    await store.free(call.key, call.callId);
    expect(await other.begin(second)).toEqual({ state: "begun" });
    await store.finish(call.key, call.callId, Buffer.from("late"), 5000);
    expect(await other.begin({ ...call, callId: "x" })).toMatchObject({ state: "running" });
    await other.finish(call.key, second.callId, undefined, 5000);
    await other.free(call.key, second.callId);
    expect(await store.begin({ ...call, callId: "x" })).toMatchObject({ state: "done" });
  });

  test("a key is unknown until it is settled if its holder is gone or has an unknown outcome", async () => {
    const call = keyed();
    await store.begin(call);
    const second = { ...call, callId: fresh("call") };
    // Nobody can know the outcome of a call that still runs.
    expect(await other.begin({ ...second, settled: call.callId })).toMatchObject({
      state: "running",
    });
    await store.abandon(call.key, "another");
    expect(await other.begin(second)).toMatchObject({ state: "running" });
    await store.abandon(call.key, call.callId);
    const unknown = { state: "unknown", callId: call.callId };
    expect(await other.begin(second)).toEqual(unknown);
    expect(await other.begin({ ...second, settled: "another" })).toEqual(unknown);
    await advance(365 * 24 * 60 * minute);
    expect(await other.begin(second)).toEqual(unknown);
    expect(await other.begin({ ...second, settled: call.callId })).toEqual({ state: "begun" });
    await advance(1000);
    expect(await store.begin(call)).toEqual({ state: "unknown", callId: second.callId });
  });

  test("a call that ends after it was settled as not done is done", async () => {
    const call = keyed();
    await store.begin(call);
    await advance(1000);
    await store.finish(call.key, call.callId, undefined, 5000);
    expect(await other.begin({ ...call, callId: "x", settled: call.callId })).toMatchObject({
      state: "done",
    });
  });

  test("a lease has one holder until it is released, and the next holder has a higher fence", async () => {
    const name = fresh("turn");
    const lease = await store.lease(name, "a", 1000);
    if (lease === undefined) throw new Error("no lease");
    expect(lease).toMatchObject({ name, holder: "a" });
    expect(await other.lease(name, "b", 1000)).toBeUndefined();
    await other.unlease({ ...lease, fence: lease.fence + 1 });
    expect(await other.lease(name, "b", 1000)).toBeUndefined();
    await store.unlease(lease);
    const next = await other.lease(name, "b", 1000);
    expect(next?.fence).toBeGreaterThan(lease.fence);
    await store.unlease(lease);
    expect(await store.renew(lease, 1000)).toBe(false);
    expect(await store.lease(name, "a", 1000)).toBeUndefined();
  });

  test("a lease goes on if it is renewed, and else goes to another holder after its time", async () => {
    const name = fresh("turn");
    const lease = await store.lease(name, "a", 1000);
    if (lease === undefined) throw new Error("no lease");
    await advance(999);
    expect(await store.renew(lease, 1000)).toBe(true);
    await advance(999);
    expect(await other.lease(name, "b", 1000)).toBeUndefined();
    await advance(1);
    expect(await store.renew(lease, 1000)).toBe(false);
    const next = await other.lease(name, "b", 1000);
    expect(next?.fence).toBeGreaterThan(lease.fence);
    expect(await store.renew(lease, 1000)).toBe(false);
    expect(next && (await other.renew(next, 1000))).toBe(true);
  });

  /** Declares tests of time limits that need a clock jump; skipped if the clock can't be set. */
  const whenClockJumps = (name: string, body: () => Promise<void>) =>
    test(`a clock that jumps forward ${name}`, async (context) => {
      if (opened.jumpClock === undefined) return context.skip("the clock of a server");
      expect.hasAssertions();
      await body();
      await setClock(now);
    });
  const day = 24 * 60 * minute;

  whenClockJumps("gives no one the lease of a holder that is there", async () => {
    const name = fresh("turn");
    const lease = await store.lease(name, "a", 1000);
    if (lease === undefined) throw new Error("no lease");
    await opened.jumpClock?.(day);
    expect(await other.lease(name, "b", 1000)).toBeUndefined();
    expect(await store.renew(lease, 1000)).toBe(true);
    await advance(1000);
    expect(await store.renew(lease, 1000)).toBe(false);
  });

  whenClockJumps("frees no place of a call that runs", async () => {
    const use = atOnce({ limit: 1 });
    await store.take([use], hold());
    await opened.jumpClock?.(day);
    expect(await other.take([use], hold())).toMatchObject({ taken: false });
    await advance(1000);
    expect(await other.take([use], hold())).toMatchObject({ taken: true });
  });

  whenClockJumps("makes no call that runs unknown, and forgets no answer", async () => {
    const call = keyed();
    await store.begin(call);
    await opened.jumpClock?.(day);
    const second = { ...call, callId: fresh("call"), settled: call.callId };
    expect(await other.begin(second)).toMatchObject({ state: "running" });
    await store.finish(call.key, call.callId, undefined, 5000);
    await opened.jumpClock?.(2 * day);
    expect(await other.begin(second)).toMatchObject({ state: "done" });
    await advance(5000);
    expect(await other.begin(second)).toEqual({ state: "begun" });
  });

  test("a lease goes to waiting callers in the order of their first request", async () => {
    const name = fresh("turn");
    let lease = await store.lease(name, "a", 1000);
    const waiting = ["b", "c", "d", "e"];
    for (const each of waiting) expect(await other.lease(name, each, 1000)).toBeUndefined();
    await other.leaveLine(name, "c");
    const order: string[] = [];
    while (lease !== undefined) {
      order.push(lease.holder);
      await store.unlease(lease);
      // New callers, and those further behind, wait for the first in line.
      const late = [`new ${order.length}`, "e", "d", "b"].filter((each) => !order.includes(each));
      const all = await Promise.all(late.slice(0, 1).map((each) => other.lease(name, each, 1000)));
      lease = all.find((each) => each !== undefined);
      for (const each of order.length > 3 ? [] : late.slice(1))
        lease ??= await other.lease(name, each, 1000);
    }
    expect(order.slice(0, 4)).toEqual(["a", "b", "d", "e"]);
  });

  test("a caller that stops asking loses its place in line after two seconds", async () => {
    const name = fresh("turn");
    const lease = await store.lease(name, "a", 60_000);
    if (lease === undefined) throw new Error("no lease");
    await store.lease(name, "gone", 1000);
    await store.lease(name, "here", 1000);
    for (let times = 0; times < 3; times += 1) {
      await advance(1500);
      expect(await other.lease(name, "here", 1000)).toBeUndefined();
    }
    await store.unlease(lease);
    expect(await store.lease(name, "late", 1000)).toBeUndefined();
    expect(await store.lease(name, "here", 1000)).toMatchObject({ holder: "here" });
  });

  test("exactly one of many concurrent callers gets a lease", async () => {
    const name = fresh("turn");
    const stores = [store, other];
    const leases = await Promise.all(
      Array.from({ length: 20 }, (_, at) => stores[at % 2]?.lease(name, `h${at}`, 1000)),
    );
    expect(leases.filter((each) => each !== undefined)).toHaveLength(1);
  });

  const approval = (more: Partial<NewApproval> = {}): NewApproval => ({
    id: fresh("approval"),
    tool: "desk/do-it",
    manifest: "m",
    digest: "d",
    tenant: "acme \ud800 \0",
    subject: undefined,
    request: fresh("request"),
    by: "grace",
    ttlMs: 1000,
    ...more,
  });

  test("an approval is read as it was saved, with the store's times, and used by one call", async () => {
    const given = approval();
    expect(await store.readApproval(given.id)).toBeUndefined();
    expect(await store.useApproval(given.id, "c")).toBe("none");
    await store.saveApproval(given);
    const { ttlMs, ...said } = given;
    const read = await other.readApproval(given.id);
    expect(read).toEqual({ ...said, at: now, expiresAt: now + ttlMs, isExpired: false });
    const stores = [store, other];
    const used = await Promise.all(
      Array.from({ length: 20 }, (_, at) => stores[at % 2]?.useApproval(given.id, `c${at}`)),
    );
    expect(used.filter((each) => each === "used")).toHaveLength(1);
    expect(used.filter((each) => each === "spent")).toHaveLength(19);
    expect(await store.readApproval(given.id)).toMatchObject({
      usedBy: `c${used.indexOf("used")}`,
    });
  });

  test("an approval records who withdrew it", async () => {
    const given = approval();
    const usedBy = "withdrawn by \ud800 \0 e\u0301";
    await store.saveApproval(given);
    expect(await store.useApproval(given.id, usedBy)).toBe("used");
    expect(await other.useApproval(given.id, usedBy)).toBe("spent");
    expect(await other.readApproval(given.id)).toMatchObject({ usedBy });
  });

  test("an approval is returned only by the call that used it, and then used once more", async () => {
    const given = approval();
    await store.saveApproval(given);
    const first = fresh("call \ud800 \0");
    expect(await store.useApproval(given.id, first)).toBe("used");
    await other.returnApproval(given.id, "another");
    expect(await other.useApproval(given.id, "another")).toBe("spent");
    await other.returnApproval(given.id, first);
    expect(await store.readApproval(given.id)).not.toHaveProperty("usedBy");
    const stores = [store, other];
    const used = await Promise.all(
      Array.from({ length: 20 }, (_, at) => stores[at % 2]?.useApproval(given.id, `c${at}`)),
    );
    expect(used.filter((each) => each === "used")).toHaveLength(1);
    // The approval no longer belongs to the first call.
    await store.returnApproval(given.id, first);
    expect(await other.useApproval(given.id, "late")).toBe("spent");
    await store.returnApproval("none", first);
    expect(await store.readApproval("none")).toBeUndefined();
  });

  test("an approval expires at the end of its time", async () => {
    const given = approval();
    await store.saveApproval(given);
    await advance(999);
    const young = approval();
    await store.saveApproval(young);
    await advance(1);
    expect(await other.readApproval(given.id)).toMatchObject({ isExpired: true });
    expect(await other.useApproval(given.id, "c")).toBe("expired");
    expect(await other.useApproval(young.id, "c")).toBe("used");
  });

  holdRequestPromises({ stores: () => ({ store, other }), now: () => now, advance, fresh });

  test("a tool's states are kept by tenant, with the store's time", async () => {
    const tool = fresh("desk/pause");
    const mine = async () => (await other.states()).filter((each) => each.tool === tool);
    await store.setState({ tool, state: "paused", by: "ops", because: "a\0b \ud800" });
    await store.setState({ tool, tenant: "acme", state: "deprecated", by: "ops" });
    await store.setState({ tool, tenant: "__proto__", state: "paused", by: "ops" });
    const at = now;
    await advance(10);
    await other.setState({ tool, tenant: "acme", state: "enabled", by: "ada" });
    expect(
      (await mine()).toSorted((a, b) => (a.tenant ?? "").localeCompare(b.tenant ?? "")),
    ).toEqual([
      { tool, state: "paused", by: "ops", because: "a\0b \ud800", at },
      { tool, tenant: "__proto__", state: "paused", by: "ops", at },
      { tool, tenant: "acme", state: "enabled", by: "ada", at: at + 10 },
    ]);
  });

  test("removes the state of one tenant and no other", async () => {
    const tool = fresh("desk/reset");
    const mine = async () => (await other.states()).filter((each) => each.tool === tool);
    await store.setState({ tool, state: "paused", by: "ops", exceptTenants: ["a", "__proto__"] });
    await store.setState({ tool, tenant: "acme", state: "paused", by: "ops" });
    expect(await other.resetState(tool, "other")).toBe(false);
    expect(await other.resetState("desk/none", "acme")).toBe(false);
    expect(await mine()).toHaveLength(2);
    expect(await other.resetState(tool, "acme")).toBe(true);
    expect(await other.resetState(tool, "acme")).toBe(false);
    expect(await mine()).toEqual([
      { tool, state: "paused", by: "ops", exceptTenants: ["a", "__proto__"], at: now },
    ]);
  });

  describe("a tool that is paused for every tenant", () => {
    const tool = "desk/do-it";
    const change = { tool, by: "ops" };
    /** Returns the outcome of a tenant's call in a process that has just started. */
    const outcome = async (tenant: string) => {
      const { call } = govern(policyOf(), { store: other, key: Buffer.alloc(32) });
      const made = call(exampleTool(succeed), { caller: { tenant } });
      return made.then(
        () => "made",
        (error: Error) => /is paused/.exec(error.message)?.[0] ?? error.message,
      );
    };
    const outcomes = () => Promise.all(["acme", "other"].map(outcome));
    afterAll(async () => {
      await store.setState({ ...change, state: "enabled" });
      await store.resetState(tool, "acme");
    });

    test("stays paused for a tenant that was once paused and enabled again", async () => {
      await store.setState({ ...change, tenant: "acme", state: "paused" });
      await store.setState({ ...change, tenant: "acme", state: "enabled" });
      expect(await outcomes()).toEqual(["made", "made"]);
      await store.setState({ ...change, state: "paused" });
      expect(await outcomes()).toEqual(["is paused", "is paused"]);
    });

    test("stays enabled for excepted tenants until they are paused too", async () => {
      await store.setState({ ...change, state: "paused", exceptTenants: ["acme"] });
      expect(await outcomes()).toEqual(["made", "is paused"]);
      await store.setState({ ...change, tenant: "acme", state: "paused" });
      expect(await outcomes()).toEqual(["is paused", "is paused"]);
      await store.resetState(tool, "acme");
      expect(await outcomes()).toEqual(["made", "is paused"]);
      await store.setState({ ...change, state: "enabled" });
      expect(await outcomes()).toEqual(["made", "made"]);
    });
  });

  test("lists tools that are new and tools that have changed", async () => {
    const [one, two] = [fresh("desk/a"), fresh("desk/b")];
    const seen = [
      { tool: one, manifest: "1" },
      { tool: two, manifest: "1" },
    ];
    expect(await store.register(seen)).toEqual(
      seen.map((each) => ({ ...each, before: undefined })),
    );
    expect(await other.register(seen)).toEqual([]);
    expect(await other.register([{ tool: two, manifest: "2" }])).toEqual([
      { tool: two, manifest: "2", before: "1" },
    ]);
    expect(await store.register([])).toEqual([]);
  });
}
