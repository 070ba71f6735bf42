import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ToolEvent } from "../../../src/runtime/governance/events.js";
import { createMemoryStore, type GovernanceStore } from "../../../src/runtime/governance/index.js";
import { exampleTool, succeed } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

function listen(...[policy, options]: Partial<Parameters<typeof govern>>) {
  const events: ToolEvent[] = [];
  const governed = govern(policy ?? policyOf(), {
    ...options,
    events: (event) => void events.push(event),
  });
  return { ...governed, events, types: () => events.map(({ type }) => type) };
}

const caller = { tenant: "acme", subject: "ada", origin: "llm" } as const;

describe("events of governance", () => {
  test("announce a new tool or version once for all processes that share a store", async () => {
    const store = createMemoryStore();
    const first = listen(policyOf(), { store });
    await first.call(exampleTool(succeed));
    await first.call(exampleTool(succeed));
    expect(first.types().filter((type) => type === "ToolRegistered")).toHaveLength(1);
    const same = listen(policyOf(), { store });
    await same.call(exampleTool(succeed));
    expect(same.types()).toEqual(["ToolInvokeBegin", "ToolInvokeEnd"]);
    const newer = listen(policyOf({ manifest: "t2" }), { store });
    const tool = exampleTool(succeed, {
      version: { skill: "s1", binding: "b1", manifest: "t2" },
    });
    await newer.call(tool);
    expect(newer.events[0]).toMatchObject({ type: "ToolUpdated", manifest_hash: "t2" });
  });

  test("announce new tools after the store is back, and no call waits for that", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const store: GovernanceStore = createMemoryStore();
    const register = vi.spyOn(store, "register");
    let fail = (): void => {};
    register.mockReturnValueOnce(
      new Promise((_, reject) => (fail = () => reject(new Error("the store is away")))),
    );
    const { call, types } = listen(policyOf(), { store });
    // The store has not answered, and the call has.
    expect(await call(exampleTool(succeed))).toMatchObject({ status: "success" });
    expect(await call(exampleTool(succeed))).toMatchObject({ status: "success" });
    expect(register).toHaveBeenCalledTimes(1);
    fail();
    await new Promise(setImmediate);
    await call(exampleTool(succeed));
    expect(register).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1000);
    register.mockImplementationOnce(() => {
      throw new Error("the store is away");
    });
    await call(exampleTool(succeed));
    expect(types()).not.toContain("ToolRegistered");
    vi.advanceTimersByTime(1000);
    await call(exampleTool(succeed));
    vi.advanceTimersByTime(1000);
    await call(exampleTool(succeed));
    expect(types().filter((type) => type === "ToolRegistered")).toHaveLength(1);
    expect(register).toHaveBeenCalledTimes(3);
  });

  test("announce a call before it is sent and after it has ended, with digests and without values", async () => {
    const { call, events, types } = listen(policyOf({ limits: { callsPerMinute: 5 } }));
    const seenBeforeSending = vi.fn(() => types().at(-1));
    const tool = exampleTool(async () => {
      seenBeforeSending();
      return { result: { status: "success", data: { name: "a secret name" } } };
    });
    await call(tool, { caller, trace: "trace-1" }, { id: "an argument" });
    expect(seenBeforeSending).toHaveReturnedWith("ToolInvokeBegin");
    expect(events.at(-2)).toMatchObject({
      type: "ToolInvokeBegin",
      tool_id: "desk/do-it",
      tenant: "acme",
      subject: "ada",
      origin: "llm",
      trace: "trace-1",
      policy_hash: "p1",
      manifest_hash: "t1",
      risk: "high",
      effect: "write",
      args_digest: { bytes: 20, sha256: expect.stringMatching(/^[\da-f]{64}$/) },
    });
    expect(events.at(-1)).toMatchObject({
      type: "ToolInvokeEnd",
      state: "Completed",
      status: "success",
      budget_used: { "calls_per_minute of tenant acme, desk/do-it": 1 },
      output_digest: { bytes: expect.any(Number) },
    });
    expect(JSON.stringify(events)).not.toMatch(/an argument|a secret name/);
  });

  test("announce a refused call as denied, and no beginning", async () => {
    const { call, events, types } = listen(policyOf({ scopes: ["orders.write"] }));
    await expect(call(exampleTool(succeed), { caller })).rejects.toThrow("orders.write");
    expect(types()).toEqual(["ToolRegistered", "ToolInvokeEnd"]);
    expect(events.at(-1)).toMatchObject({
      state: "Denied",
      error_code: "AUTH.FORBIDDEN",
      decided_by: ["scopes"],
    });
    expect(events.at(-1)).not.toHaveProperty("side_effects_digest");
  });

  test("distinguish a call that failed from one that its caller ended", async () => {
    const { call, events } = listen();
    const fail = () => Promise.reject(new Error("no"));
    await expect(call(exampleTool(fail))).rejects.toThrow("failed inside");
    expect(events.at(-1)).toMatchObject({ state: "Failed", error_code: "UNKNOWN.INTERNAL" });
    const controller = new AbortController();
    const stuck = () => {
      controller.abort();
      return new Promise<never>(() => {});
    };
    await expect(call(exampleTool(stuck), { signal: controller.signal })).rejects.toThrow(
      "aborted",
    );
    expect(events.at(-1)).toMatchObject({ state: "Canceled" });
  });

  test("announce the end of a call whose signal was aborted before it began", async () => {
    const { call, events, ledger } = listen();
    const signal = AbortSignal.abort();
    await expect(call(exampleTool(succeed), { caller, signal })).rejects.toThrow("aborted");
    expect(events).toMatchObject([
      {
        type: "ToolInvokeEnd",
        state: "Canceled",
        tenant: "acme",
        args_digest: { bytes: Buffer.byteLength(JSON.stringify({ id: "a" })) },
      },
    ]);
    expect(ledger.records).toMatchObject([{ type: "end", status: "failed" }]);
  });

  test("announce the end of a call whose parameters can't be copied", async () => {
    const { call, events } = listen();
    const params = new Proxy({ id: "a" }, { ownKeys: () => ["id", "id"] });
    const made = call(exampleTool(succeed), {}, params);
    await expect(made).rejects.toMatchObject({ tool: "desk/do-it" });
    expect(events).toMatchObject([{ type: "ToolInvokeEnd", state: "Failed" }]);
  });

  test("announce a tool's state, and who changed it", async () => {
    const { events, runtime } = listen();
    const change = { by: "ops", because: "a leak", tenant: "acme" };
    await runtime.governance?.setToolState("desk/do-it", "paused", change);
    expect(events).toMatchObject([
      {
        type: "ToolStateChanged",
        tool_id: "desk/do-it",
        state: "paused",
        by: "ops",
        tenant: "acme",
      },
    ]);
    const canary = { by: "ops", exceptTenants: ["acme"] };
    await runtime.governance?.setToolState("desk/do-it", "paused", canary);
    expect(events.at(-1)).toMatchObject({ state: "paused", except_tenants: ["acme"] });
    await expect(
      runtime.governance?.setToolState("desk/do-it", "paused", { ...canary, tenant: "other" }),
    ).rejects.toThrow("remove `tenant`");
    // No caller can have such a tenant.
    for (const of of [{ tenant: "acme " }, { exceptTenants: ["acme\u00a0"] }])
      await expect(
        runtime.governance?.setToolState("desk/do-it", "paused", { by: "ops", ...of }),
      ).rejects.toThrow("`tenant` of a caller");
    await expect(runtime.governance?.setToolState("desk/none", "paused", change)).rejects.toThrow(
      "there is no tool `desk/none`",
    );
  });

  test("change no call if their sink fails, and cause a warning", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const { call } = govern(policyOf(), {
      events: () => {
        throw new Error("sink is full");
      },
    });
    expect(await call(exampleTool(succeed))).toMatchObject({ status: "success" });
    expect(warned.mock.calls.map(([message]) => message)).toContainEqual(
      expect.stringContaining("sink is full"),
    );
    warned.mockRestore();
  });
});
