/** The steps of a call over a store that other processes share, while it is slow, away or back. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { isToolError, ToolError } from "../../../src/runtime/errors.js";
import { createMemoryStore, type GovernanceStore } from "../../../src/runtime/governance/index.js";
import { tellEndsLater } from "../../../src/runtime/governance/store/late-ends.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import type { LedgerStore } from "../../../src/runtime/ledger/store.js";
import { stopClock } from "../../support/stopped-clock.js";
import { exampleTool, succeed } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

async function errorOf(call: Promise<unknown>): Promise<ToolError> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isToolError(thrown)) throw new Error(`not a ToolError: ${String(thrown)}`);
  return thrown;
}

/** A store in memory of which some operations do something else. */
function storeWith(
  changes: Partial<GovernanceStore>,
  options: Parameters<typeof createMemoryStore>[0] = {},
): GovernanceStore {
  const store = createMemoryStore(options);
  // Methods of a class: they are found on its prototype.
  return Object.assign(Object.create(store) as GovernanceStore, boundTo(store), changes);
}

function boundTo(store: GovernanceStore): Partial<GovernanceStore> {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(store));
  const methods = names.flatMap((name): [string, unknown][] => {
    const method: unknown = Reflect.get(store, name);
    return typeof method === "function" && name !== "constructor"
      ? [[name, method.bind(store)]]
      : [];
  });
  return Object.fromEntries(methods);
}

const isGone = () => Promise.reject(new Error("the store is gone"));
const never = () => new Promise<never>(() => {});

/** A binding that runs until the test, or an abort, ends it. */
function endless() {
  const send = vi.fn((attempt: Parameters<Parameters<typeof exampleTool>[0]>[0]) => {
    attempt.onAbort(() => "unknown");
    return never();
  });
  return send;
}

describe("the lease of a serial tool", () => {
  const serial = policyOf({ concurrency: "serial" });
  const slow = { timeoutMs: 600_000 };

  test("the lease is held for as long as it is renewed", async () => {
    stopClock();
    const renew = vi.fn(() => Promise.resolve(true));
    const { call } = govern(serial, { store: storeWith({ renew }) });
    let answer: (() => void) | undefined;
    const made = call(
      exampleTool(async () => {
        await new Promise<void>((resolve) => (answer = resolve));
        return succeed();
      }, slow),
    );
    await vi.advanceTimersByTimeAsync(60_000);
    answer?.();
    expect(await made).toMatchObject({ status: "success" });
    expect(renew).toHaveBeenCalledTimes(24);
  });

  test.each([
    ["its renewal is refused", () => Promise.resolve(false)],
    ["its renewals fail", isGone],
    ["its renewal gets no answer", never],
  ])("ends its call before it runs out, and is not released early, if %s", async (_, renew) => {
    stopClock();
    const unlease = vi.fn();
    const { call } = govern(serial, { store: storeWith({ renew, unlease }) });
    let endedAt: number | undefined;
    const began = performance.now();
    const error = errorOf(call(exampleTool(endless(), slow)));
    void error.then(() => (endedAt = performance.now()));
    await vi.advanceTimersByTimeAsync(9999);
    expect((await error).failure).toMatchObject({ reason: "lease-lost" });
    expect((await error).outcome).toBe("unknown");
    expect(endedAt).toBeLessThan(began + 10_000);
    expect(unlease).not.toHaveBeenCalled();
  });

  test("sends nothing if it ran out while the process was suspended, even without a timer", async () => {
    const real = performance.now.bind(performance);
    let stoodStillMs = 0;
    const spy = vi.spyOn(performance, "now").mockImplementation(() => real() + stoodStillMs);
    onTestFinished(() => spy.mockRestore());
    const ledger = createMemoryLedger();
    const slowLedger: LedgerStore = {
      ...ledger,
      append(entry) {
        if (entry.type === "begin") stoodStillMs = 8000;
        return ledger.append(entry);
      },
    };
    const { call, runtime } = govern(serial);
    const send = vi.fn(succeed);
    const stopped = { ...runtime, ledger: slowLedger };
    const error = await errorOf(call(exampleTool(send), { runtime: stopped }));
    expect(error).toMatchObject({ outcome: "not-done", failure: { reason: "lease-lost" } });
    expect(send).not.toHaveBeenCalled();
  });

  test("still returns an answer that came when it was over, and the ledger records that", async () => {
    const real = performance.now.bind(performance);
    let stoodStillMs = 0;
    const spy = vi.spyOn(performance, "now").mockImplementation(() => real() + stoodStillMs);
    onTestFinished(() => spy.mockRestore());
    const { call, ledger } = govern(serial);
    const send = async () => {
      // A hostile answer was parsed for that long.
      stoodStillMs = 11_000;
      return succeed();
    };
    expect(await call(exampleTool(send, slow))).toMatchObject({ status: "success" });
    expect(ledger.records.at(-1)).toMatchObject({
      status: "success",
      decision: { turn: "lease-lost" },
    });
    expect(await call(exampleTool(succeed))).toMatchObject({ status: "success" });
    expect(ledger.records.at(-1)).not.toMatchObject({ decision: { turn: expect.anything() } });
  });

  test("still returns an answer that waited in the event loop when it was found to be over", async () => {
    const real = performance.now.bind(performance);
    let stoodStillMs = 0;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const spy = vi.spyOn(performance, "now").mockImplementation(() => real() + stoodStillMs);
    onTestFinished(() => {
      spy.mockRestore();
      vi.useRealTimers();
    });
    const { call, ledger } = govern(serial);
    const send = async () => {
      stoodStillMs = 11_000;
      const answered = new Promise<void>((resolve) => setImmediate(resolve));
      // The process goes on: its timers come first.
      vi.advanceTimersByTime(2500);
      await answered;
      return succeed();
    };
    expect(await call(exampleTool(send, slow))).toMatchObject({ status: "success" });
    expect(ledger.records.at(-1)).toMatchObject({ decision: { turn: "lease-lost" } });
  });

  test("the lease is requested again if it arrived when it was nearly over", async () => {
    stopClock();
    const store = createMemoryStore();
    let asked = 0;
    const lease: GovernanceStore["lease"] = async (...args) => {
      const given = await store.lease(...args);
      asked += 1;
      if (asked === 1) await new Promise((resolve) => setTimeout(resolve, 5000));
      return given;
    };
    const { call } = govern(serial, { store: storeWith({ lease }) });
    const made = call(exampleTool(succeed, slow));
    await vi.advanceTimersByTimeAsync(6000);
    expect(await made).toMatchObject({ status: "success" });
    expect(asked).toBe(2);
  });

  test("the lease is not awaited by a read that goes on without its store", async () => {
    const { call } = govern(policyOf({ concurrency: "serial", effect: "read" }), {
      store: storeWith({ lease: isGone }),
      readsWithoutStore: "made",
    });
    expect(await call(exampleTool(succeed, { effect: "read" }))).toMatchObject({
      status: "success",
    });
  });
});

describe("a store that is away", () => {
  const everything = { callsPerMinute: 5, concurrent: 5 };

  test.each([
    ["states", {}],
    ["take", { limits: everything }],
    ["begin", {}],
    ["lease", { concurrency: "serial" }],
  ] as const)(
    "makes the runtime refuse a write and send nothing (%s)",
    async (operation, steps) => {
      const policy = policyOf({ ...steps, idempotency: "keyed" });
      const store = storeWith({ kind: "shared", [operation]: isGone });
      const key = Buffer.alloc(32);
      const { call } = govern(policy, { store, key, readsWithoutStore: "made" });
      const send = vi.fn(succeed);
      const error = await errorOf(call(exampleTool(send), { idempotencyKey: "k" }));
      expect(error).toMatchObject({
        outcome: "not-done",
        failure: { code: "UNKNOWN.INTERNAL", reason: "store-unavailable" },
      });
      expect(send).not.toHaveBeenCalled();
    },
  );

  test.each([
    ["made", "success"],
    ["refused", "store-unavailable"],
  ] as const)("leaves a read %s, as configured", async (readsWithoutStore, ended) => {
    const policy = policyOf({ effect: "read", limits: everything, idempotency: "keyed" });
    const store = storeWith({ kind: "shared", states: isGone, take: isGone, begin: isGone });
    const { call } = govern(policy, { store, key: Buffer.alloc(32), readsWithoutStore });
    const made = call(exampleTool(succeed, { effect: "read" }), { idempotencyKey: "k" });
    const end = await made.then(
      ({ status }) => status,
      (error: unknown) => isToolError(error, "UNKNOWN.INTERNAL") && error.failure.reason,
    );
    expect(end).toBe(ended);
  });

  test("frees what a refused call may have taken or begun, after the store is back", async () => {
    stopClock();
    const kept = createMemoryStore();
    let isBack = false;
    // It does what it is asked, and nobody hears of it.
    const unheard = async <Value>(done: Value | Promise<Value>): Promise<Value> =>
      isBack ? done : isGone();
    const store = tellEndsLater(
      storeWith({
        kind: "shared",
        take: (...args) => unheard(kept.take(...args)),
        begin: (...args) => unheard(kept.begin(...args)),
        giveBack: (...args) => (isBack ? kept.giveBack(...args) : isGone()),
        release: (...args) => (isBack ? kept.release(...args) : isGone()),
        free: (...args) => (isBack ? kept.free(...args) : isGone()),
      }),
    );
    const policy = policyOf({ limits: { concurrent: 1, callsPerMinute: 1 } });
    const { call } = govern(policy, { store });
    expect((await errorOf(call(exampleTool(succeed)))).failure).toMatchObject({
      reason: "store-unavailable",
    });
    const keyed = govern(policyOf({ idempotency: "keyed" }), { store, key: Buffer.alloc(32) });
    await errorOf(keyed.call(exampleTool(succeed), { idempotencyKey: "k" }));
    isBack = true;
    expect((await errorOf(call(exampleTool(succeed)))).failure).toMatchObject({
      code: "QUOTA.RATE_LIMITED",
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect(await call(exampleTool(succeed))).toMatchObject({ status: "success" });
    expect(await keyed.call(exampleTool(succeed), { idempotencyKey: "k" })).toMatchObject({
      status: "success",
    });
  });

  test("receives the answer of a call that ended meanwhile, after the store is back", async () => {
    stopClock();
    const warning = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    onTestFinished(() => warning.mockRestore());
    const kept = createMemoryStore();
    let isBack = false;
    const store = tellEndsLater(
      storeWith({
        begin: (call) => kept.begin(call),
        finish: (...args) => (isBack ? kept.finish(...args) : isGone()),
      }),
    );
    const { call } = govern(policyOf({ idempotency: "keyed" }), { store });
    const send = vi.fn(succeed);
    await call(exampleTool(send), { idempotencyKey: "k" });
    expect(warning).toHaveBeenCalledTimes(1);
    const again = call(exampleTool(send), { idempotencyKey: "k" });
    isBack = true;
    await vi.advanceTimersByTimeAsync(5000);
    expect(await again).toMatchObject({ status: "success" });
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("receives pending messages when the runtime closes it", async () => {
    const kept = createMemoryStore();
    let isBack = false;
    const release = vi.fn(() => (isBack ? undefined : isGone()));
    const store = tellEndsLater(storeWith({ take: (...args) => kept.take(...args), release }));
    const { call } = govern(policyOf({ limits: { concurrent: 1 } }), { store });
    await call(exampleTool(succeed));
    isBack = true;
    await store.close();
    expect(release).toHaveBeenCalledTimes(2);
  });
});

describe("a key whose end the store has not received", () => {
  /** The first call's end is lost on its way to the store, and its time is over. */
  async function forgotten(first: Parameters<typeof exampleTool>[0]) {
    const warning = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    onTestFinished(() => warning.mockRestore());
    let now = 0;
    const lost = { finish: isGone, free: isGone, abandon: isGone };
    const store = storeWith(lost, { now: () => now });
    const { call } = govern(policyOf({ idempotency: "keyed" }), { store });
    await call(exampleTool(first), { idempotencyKey: "k" }).catch(() => {});
    now = 60 * 60 * 1000;
    const send = vi.fn(succeed);
    return { send, again: () => call(exampleTool(send), { idempotencyKey: "k" }) };
  }

  test("a key is free if the ledger shows that its call did nothing", async () => {
    const { again, send } = await forgotten(() => {
      throw new Error("nothing was sent");
    });
    // A binding that throws has been asked: nobody knows what it did.
    expect((await errorOf(again())).failure).toMatchObject({ reason: "unknown-outcome" });
    expect(send).not.toHaveBeenCalled();
    const refused = await forgotten(() => {
      const failure = { code: "PROVIDER.PROTOCOL", reason: "refused" } as const;
      throw new ToolError("desk/do-it", failure, "refused", { attempts: 1, outcome: "not-done" });
    });
    expect(await refused.again()).toMatchObject({ status: "success" });
    expect(refused.send).toHaveBeenCalledTimes(1);
  });

  test("a key is used up if the ledger shows that its call was made", async () => {
    const { again, send } = await forgotten(succeed);
    expect((await errorOf(again())).failure).toMatchObject({ reason: "answer-not-kept" });
    expect(send).not.toHaveBeenCalled();
  });
});

test("reports an answer that was encrypted with another key as one that is not kept", async () => {
  const store = createMemoryStore();
  const policy = policyOf({ idempotency: "keyed" });
  const before = govern(policy, { store, key: Buffer.alloc(32, 1) });
  const after = govern(policy, { store, key: Buffer.alloc(32, 2) });
  const send = vi.fn(succeed);
  await before.call(exampleTool(send), { idempotencyKey: "k" });
  const error = await errorOf(after.call(exampleTool(send), { idempotencyKey: "k" }));
  expect(error.failure).toMatchObject({ code: "IDEMPOTENCY.REFUSED", reason: "answer-not-kept" });
  expect(send).toHaveBeenCalledTimes(1);
});

test("a replay gives back its cost and still counts as a call", async () => {
  const policy = policyOf(
    { idempotency: "keyed", limits: { cost: 2 } },
    { quotas: [{ name: "q", per: ["tenant"], callsPerDay: 3, costPerDay: 4, concurrent: 1 }] },
  );
  const { call } = govern(policy);
  for (let calls = 0; calls < 3; calls += 1)
    expect(await call(exampleTool(succeed), { idempotencyKey: "k" })).toMatchObject({
      status: "success",
    });
  expect((await errorOf(call(exampleTool(succeed)))).failure).toMatchObject({
    budget: "calls_per_day of q, tenant none",
  });
});

test("gives subjects of the same name a budget in each tenant", async () => {
  const quota = { name: "q", per: ["caller"], callsPerMinute: 1 } as const;
  const { call } = govern(policyOf({}, { quotas: [quota] }));
  const as = (tenant: string) =>
    call(exampleTool(succeed), { caller: { tenant, subject: "admin" } });
  await as("acme");
  expect(await as("other")).toMatchObject({ status: "success" });
  expect((await errorOf(as("acme"))).failure).toMatchObject({ code: "QUOTA.RATE_LIMITED" });
});

test("concurrent calls ask a shared store once for the states of tools", async () => {
  const states = vi.fn(() => Promise.resolve([]));
  const { call } = govern(policyOf(), { store: storeWith({ kind: "shared", states }) });
  await Promise.all(Array.from({ length: 50 }, () => call(exampleTool(succeed))));
  expect(states).toHaveBeenCalledTimes(1);
});

test("refuses a tool within a second after another process paused it, and asks no sooner", async () => {
  stopClock();
  const store = createMemoryStore();
  const states = vi.fn(() => Promise.resolve(store.states()));
  const { call } = govern(policyOf(), { store: storeWith({ kind: "shared", states }) });
  await call(exampleTool(succeed));
  await store.setState({ tool: "desk/do-it", state: "paused", by: "ops" });
  await vi.advanceTimersByTimeAsync(399);
  await call(exampleTool(succeed));
  expect(states).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect((await errorOf(call(exampleTool(succeed)))).failure).toMatchObject({
    code: "POLICY.DENY_TOOL",
  });
});
