import { describe, expect, test, vi } from "vitest";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import { isToolError } from "../../../src/runtime/errors.js";
import type { ToolEvent } from "../../../src/runtime/governance/events.js";
import {
  createMemoryStore,
  type GovernanceOptions,
} from "../../../src/runtime/governance/index.js";
import type { GovernedTool } from "../../../src/runtime/governance/policy.js";
import type { GovernanceStore } from "../../../src/runtime/governance/store/store.js";
import { exampleTool, succeed } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

const id = "00000000-0000-4000-8000-000000000000";

/** A promise, and the means to keep it. */
function later<Value>() {
  let keep: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => (keep = resolve));
  return { keep, promise };
}

/** Aborts a call as soon as its store is asked that, which answers only then. */
async function abortAt(
  method: keyof GovernanceStore,
  tool: Partial<GovernedTool>,
  more: CallOptions = {},
  options: Partial<GovernanceOptions> = {},
) {
  const events: ToolEvent[] = [];
  const store: GovernanceStore = createMemoryStore();
  // A store has nothing to be asked but by methods; what it is asked is handed on as it is.
  const usual = store[method] as (...args: unknown[]) => unknown;
  const asked = later<void>();
  const answered = later<void>();
  const hanging = vi.spyOn(store, method as "states").mockImplementationOnce((async (
    ...args: unknown[]
  ) => {
    asked.keep();
    await answered.promise;
    return usual.apply(store, args);
  }) as never);
  const { call, ledger, runtime } = govern(policyOf(tool), {
    store,
    events: (event) => void events.push(event),
    ...options,
  });
  const send = vi.fn(succeed);
  const controller = new AbortController();
  const ended = call(exampleTool(send), { signal: controller.signal, ...more }).catch(
    (error: unknown) => error,
  );
  await asked.promise;
  controller.abort();
  const error = await ended;
  // Only then does the store answer.
  answered.keep();
  await vi.waitFor(() => expect(hanging.mock.settledResults.at(0)?.type).toBe("fulfilled"));
  return { call, error, events, ledger, runtime, send, store };
}

const steps: readonly [string, keyof GovernanceStore, Partial<GovernedTool>, CallOptions][] = [
  ["the states of tools", "states", {}, {}],
  [
    "an approval",
    "readApproval",
    { approval: { conditional: false, ttlMs: 1000 } },
    { approval: id, caller: { subject: "ada" } },
  ],
  ["a budget", "take", { limits: { callsPerMinute: 1, concurrent: 1 } }, {}],
  ["a key", "begin", { idempotency: "keyed" }, { idempotencyKey: "k" }],
  ["its turn", "lease", { concurrency: "serial" }, {}],
];

describe("a call whose caller aborts", () => {
  test.each(steps)(
    "while it waits for %s is canceled, and not sent",
    async (_, method, tool, more) => {
      const { error, events, ledger, send } = await abortAt(method, tool, more);
      expect(isToolError(error, "UNKNOWN.INTERNAL") && error.failure.reason).toBe("aborted");
      expect(isToolError(error) && error.outcome).toBe("not-done");
      expect(send).not.toHaveBeenCalled();
      expect(events.at(-1)).toMatchObject({ type: "ToolInvokeEnd", state: "Canceled" });
      expect(ledger.records).toMatchObject([{ type: "end", status: "failed", attempts: 0 }]);
    },
  );

  test("leaves nothing taken of a budget that came too late", async () => {
    const limits = { callsPerMinute: 1, concurrent: 1 };
    const { call } = await abortAt("take", { limits });
    expect(await call(exampleTool(succeed))).toMatchObject({ status: "success" });
  });

  test("leaves a key free that came too late", async () => {
    const key = { idempotencyKey: "k" };
    const { call } = await abortAt("begin", { idempotency: "keyed" }, key);
    expect(await call(exampleTool(succeed), key)).toMatchObject({ status: "success" });
  });

  test("leaves a turn free that came too late", async () => {
    const { call, store } = await abortAt("lease", { concurrency: "serial" });
    await vi.waitFor(() => expect(vi.isMockFunction(store.lease)).toBe(true));
    expect(await call(exampleTool(succeed))).toMatchObject({ status: "success" });
  });

  test("before it begins asks no store, and spends nothing", async () => {
    const store = createMemoryStore();
    const take = vi.spyOn(store, "take");
    const { call } = govern(policyOf({ limits: { callsPerMinute: 1 } }), { store });
    const signal = AbortSignal.abort();
    await expect(call(exampleTool(succeed), { signal })).rejects.toThrow("aborted");
    expect(take).not.toHaveBeenCalled();
  });

  test.each([
    ["another call with its key", { idempotency: "keyed" }, { idempotencyKey: "k" }],
    ["the call before it", { concurrency: "serial" }, {}],
  ] satisfies readonly [string, Partial<GovernedTool>, CallOptions][])(
    "while it waits for %s is canceled, and that one goes on",
    async (_, tool, more) => {
      const events: ToolEvent[] = [];
      const store = createMemoryStore();
      const { call } = govern(policyOf(tool), {
        store,
        events: (event) => void events.push(event),
      });
      const answer = later<Awaited<ReturnType<typeof succeed>>>();
      const first = call(
        exampleTool(() => answer.promise),
        more,
      );
      await vi.waitFor(() => expect(events.at(-1)?.type).toBe("ToolInvokeBegin"));
      const controller = new AbortController();
      const send = vi.fn(succeed);
      const second = call(exampleTool(send), { ...more, signal: controller.signal });
      const refused = second.catch((error: unknown) => error);
      await new Promise(setImmediate);
      expect(events.at(-1)?.type).toBe("ToolInvokeBegin");
      controller.abort();
      expect(await refused).toMatchObject({ failure: { reason: "aborted" } });
      expect(send).not.toHaveBeenCalled();
      answer.keep(await succeed());
      expect(await first).toMatchObject({ status: "success" });
      const states = events.flatMap((each) => (each.type === "ToolInvokeEnd" ? [each.state] : []));
      expect(states).toEqual(["Canceled", "Completed"]);
    },
  );

  test("can be canceled while it waits for a credential", async () => {
    const asked = later<void>();
    const never = () => {
      asked.keep();
      return new Promise<never>(() => {});
    };
    const { call, ledger } = govern(policyOf(), {}, { SET: never });
    const controller = new AbortController();
    const send = vi.fn(succeed);
    const made = call(exampleTool(send, { credentials: ["SET"] }), {
      signal: controller.signal,
    });
    const refused = made.catch((error: unknown) => error);
    await asked.promise;
    controller.abort();
    expect(await refused).toMatchObject({ failure: { reason: "aborted" } });
    expect(send).not.toHaveBeenCalled();
    expect(ledger.records).toMatchObject([{ type: "end", status: "failed" }]);
  });

  test("can be canceled between two attempts, and the outcome of the first is unknown", async () => {
    const { call, ledger } = govern(policyOf());
    const controller = new AbortController();
    const send = vi.fn(async () => {
      setTimeout(() => controller.abort(), 0);
      return { ...(await succeed()), retry: {} };
    });
    const retry = { maxAttempts: 2, backoffMs: 60_000, backoffMultiplier: 1 };
    vi.spyOn(Math, "random").mockReturnValue(1);
    const made = call(exampleTool(send, { retry }), { signal: controller.signal });
    await expect(made).rejects.toMatchObject({ failure: { reason: "aborted" } });
    vi.restoreAllMocks();
    expect(send).toHaveBeenCalledTimes(1);
    expect(ledger.records.at(-1)).toMatchObject({ status: "unknown" });
  });
});

describe("the states of a call", () => {
  test.each([
    ["Completed", {}, succeed],
    ["Denied", { scopes: ["held by nobody"] }, succeed],
    ["Failed", {}, () => Promise.reject(new Error("no"))],
  ] as const)("end with %s", async (state, tool, send) => {
    const events: ToolEvent[] = [];
    const { call } = govern(policyOf(tool), { events: (event) => void events.push(event) });
    await call(exampleTool(send)).catch(() => {});
    expect(events.at(-1)).toMatchObject({ type: "ToolInvokeEnd", state });
  });
});
