import { describe, expect, test, vi } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import { preflight } from "../../../src/runtime/call/preflight.js";
import type { ToolEvent } from "../../../src/runtime/governance/events.js";
import {
  createMemoryStore,
  type GovernanceOptions,
} from "../../../src/runtime/governance/index.js";
import type { GovernedTool, ProjectPolicy } from "../../../src/runtime/governance/policy.js";
import type { GovernanceStore } from "../../../src/runtime/governance/store/store.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { createRuntime, type RuntimeOptions } from "../../../src/runtime/runtime.js";
import { type Contract, exampleTool, type Params, succeed } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

const caller = { tenant: "acme", subject: "ada" };

/** Methods of a store that change something. */
const changing = [
  "register",
  "setState",
  "take",
  "add",
  "release",
  "saveApproval",
  "useApproval",
  "begin",
  "finish",
  "free",
  "abandon",
  "lease",
  "renew",
  "unlease",
] as const satisfies readonly (keyof GovernanceStore)[];

function setUp(
  tool: Partial<GovernedTool> = {},
  policy: Partial<ProjectPolicy> = {},
  options: Partial<GovernanceOptions> = {},
  credentials: RuntimeOptions["credentials"] = {},
) {
  const events: ToolEvent[] = [];
  const store = createMemoryStore();
  const governed = govern(
    policyOf(tool, policy),
    { store, events: (event) => void events.push(event), ...options },
    credentials,
  );
  const send = vi.fn(succeed);
  const contract = exampleTool(send);
  const fly = (more: CallOptions = {}, params: Params = { id: "a" }, of: Contract = contract) =>
    preflight((args: Params, given?: CallOptions) => callTool(of, args, given), params, {
      runtime: governed.runtime,
      caller,
      ...more,
    });
  return { ...governed, contract, events, fly, send, store };
}

/** A binding that goes there, with the credentials that are named. */
function reaching(capability: string, ...credentials: readonly string[]): Contract {
  const contract = exampleTool(succeed);
  return {
    ...contract,
    binding: {
      kind: "example",
      prepare: (args, call) => ({
        ...contract.binding.prepare(args, call),
        credentials,
        reach: () => [{ kind: "example", capabilities: [capability] }],
      }),
    },
  };
}

describe("preflight", () => {
  test("returns the request, its costs and the obligations on its answer", async () => {
    const action = { do: "mask", at: ["ok"] } as const;
    const { fly } = setUp(
      { limits: { callsPerMinute: 5, cost: 3 } },
      {
        quotas: [{ name: "day", per: ["tenant"], costPerDay: 10 }],
        obligations: [
          { name: "hide", tools: ["desk/do-it"], action, unless: ["pii"] },
          { name: "hide-more", tools: ["desk/do-it"], action, unless: [] },
        ],
      },
    );
    expect(await fly({ caller: { ...caller, scopes: ["pii"] } })).toEqual({
      allow: true,
      governed: true,
      decidedBy: ["implicit-permit"],
      obligations: ["hide-more"],
      budget: [
        { name: "calls_per_minute of tenant acme, desk/do-it", limit: 5, takes: 1, left: 4 },
        { name: "cost_per_day of day, tenant acme", limit: 10, takes: 3, left: 7 },
      ],
      request: { id: "a", limit: null },
    });
  });

  test("spends, stores, sends and records nothing for a read and for a write", async () => {
    for (const effect of ["read", "write"] as const) {
      const { events, fly, ledger, send, store } = setUp({
        effect,
        limits: { callsPerMinute: 1, concurrent: 1, bytesIn: 100, bytesOut: 100 },
        idempotency: "keyed",
        concurrency: "serial",
      });
      const spies = changing.map((method) => vi.spyOn(store, method));
      const contract = exampleTool(send, { effect });
      for (let times = 0; times < 3; times += 1)
        expect(await fly({ idempotencyKey: "k" }, { id: "a" }, contract)).toMatchObject({
          allow: true,
        });
      for (const spy of spies) expect(spy).not.toHaveBeenCalled();
      expect(send).not.toHaveBeenCalled();
      expect(ledger.records).toEqual([]);
      expect(events).toEqual([]);
    }
  });

  test("returns the reason for which each step would refuse the call", async () => {
    const paused = setUp();
    await paused.runtime.governance?.setToolState("desk/do-it", "paused", { by: "ops" });
    expect(await paused.fly()).toMatchObject({
      allow: false,
      reason: { code: "POLICY.DENY_TOOL", message: expect.stringContaining("is paused") },
      decidedBy: ["paused"],
    });
    expect(await setUp({ state: "paused" }).fly()).toMatchObject({
      reason: {
        code: "POLICY.DENY_TOOL",
        message: expect.stringContaining("is paused: its skill declares it"),
      },
    });
    const scoped = setUp({ scopes: ["orders.write"] });
    expect(await scoped.fly()).toMatchObject({
      allow: false,
      reason: { code: "AUTH.FORBIDDEN", failure: { scopes: ["orders.write"] } },
      decidedBy: ["scopes"],
    });
    const limited = setUp({ limits: { callsPerMinute: 1 } });
    await callTool(limited.contract, { id: "a" }, { runtime: limited.runtime, caller });
    const overBudget = await limited.fly();
    expect(overBudget).toMatchObject({
      allow: false,
      reason: { code: "QUOTA.RATE_LIMITED" },
      budget: [{ name: "calls_per_minute of tenant acme, desk/do-it", limit: 1, takes: 1 }],
    });
    // The call would go no further.
    expect(overBudget).not.toHaveProperty("request");
    const unfit = setUp();
    // What a model may write.
    const found = await unfit.fly({}, { id: 1 } as never);
    expect(found).toMatchObject({ allow: false, reason: { code: "SCHEMA.VALIDATION_FAILED" } });
    expect(found).not.toHaveProperty("request");
  });

  test("returns the request for an approval, and leaves an approval unused", async () => {
    const { contract, fly, runtime } = setUp({
      approval: { conditional: false, ttlMs: 60_000 },
      limits: { callsPerMinute: 5 },
    });
    const asked = await fly();
    expect(asked).toMatchObject({
      allow: false,
      reason: { code: "AUTH.APPROVAL_REQUIRED" },
      decidedBy: ["approval"],
      budget: [{ left: 4 }],
      request: { id: "a", limit: null },
    });
    if (asked.reason?.failure.code !== "AUTH.APPROVAL_REQUIRED") throw new Error("no request");
    const approval = await runtime.approve(asked.reason.failure.request, { subject: "grace" });
    expect(await fly({ approval })).toMatchObject({ allow: true });
    expect(await fly({ approval })).toMatchObject({ allow: true });
    await callTool(contract, { id: "a" }, { runtime, caller, approval });
    expect(await fly({ approval })).toMatchObject({
      allow: false,
      reason: { failure: { reason: "spent" } },
    });
  });

  test("stops at the first refusal that no approval lifts", async () => {
    const approval = { conditional: false, ttlMs: 60_000 } as const;
    const { contract, fly, runtime } = setUp({ approval, limits: { callsPerMinute: 1 } });
    const asked = await fly();
    if (asked.reason?.failure.code !== "AUTH.APPROVAL_REQUIRED") throw new Error("no request");
    const given = await runtime.approve(asked.reason.failure.request, { subject: "grace" });
    await callTool(contract, { id: "a" }, { runtime, caller, approval: given });
    const found = await fly();
    expect(found).toMatchObject({ reason: { code: "AUTH.APPROVAL_REQUIRED" }, budget: [{}] });
    expect(found).not.toHaveProperty("request");
  });

  test("reports an approval that is too old by the store's clock", async () => {
    let now = 0;
    const store = createMemoryStore({ now: () => now });
    const { fly, runtime } = setUp({ approval: { conditional: false, ttlMs: 10 } }, {}, { store });
    const asked = await fly();
    if (asked.reason?.failure.code !== "AUTH.APPROVAL_REQUIRED") throw new Error("no request");
    const approval = await runtime.approve(asked.reason.failure.request, { subject: "grace" });
    now = 10;
    expect(await fly({ approval })).toMatchObject({ reason: { failure: { reason: "expired" } } });
  });

  test("checks the target by the names of its settings, and calls no function", async () => {
    const ask = vi.fn(() => "https://api.example.com");
    const capabilities = ["net.http:post ${URL}/orders"];
    const { fly } = setUp({ capabilities }, {}, {}, { URL: ask, OTHER: "https://x.example" });
    const to = (capability: string, ...names: readonly string[]) =>
      fly({}, { id: "a" }, reaching(capability, ...names));
    expect(await to("net.http:post ${URL}/orders/7", "URL")).toMatchObject({ allow: true });
    const blocked = { allow: false, reason: { code: "SANDBOX.CAPABILITY_BLOCKED" } };
    expect(await to("net.http:post ${OTHER}/orders", "OTHER")).toMatchObject(blocked);
    expect(await to("sql:write ${URL} orders")).toMatchObject(blocked);
    expect(ask).not.toHaveBeenCalled();
  });

  test("checks the values of settings that are set", async () => {
    const deployment = ["net.http:* https://api.example.com"];
    const { fly } = setUp(
      { capabilities: ["net.http:post ${URL}"] },
      { capabilities: deployment },
      {},
      { URL: "https://api.example.com/v1", WRONG: "https://evil.example" },
    );
    const to = (name: string) => fly({}, { id: "a" }, reaching(`net.http:post \${${name}}`, name));
    expect(await to("URL")).toMatchObject({ allow: true });
    expect(await to("WRONG")).toMatchObject({
      reason: { failure: { by: "manifest", capability: "net.http:post ${WRONG}" } },
    });
  });

  test("reports a missing credential, and shows none", async () => {
    const { fly } = setUp({}, {}, {}, { THERE: "a secret" });
    const needs = (name: string) =>
      fly({}, { id: "a" }, exampleTool(succeed, { credentials: [name] }));
    expect(await needs("NOT_SET")).toMatchObject({ reason: { code: "CREDENTIAL.MISSING" } });
    const there = await needs("THERE");
    expect(there).toMatchObject({ allow: true });
    expect(JSON.stringify(there)).not.toContain("a secret");
  });

  test("masks in the request what the ledger masks", async () => {
    const { fly } = setUp();
    const contract = exampleTool(succeed, { maskedParams: [["id"]] });
    expect(await fly({}, { id: "a secret" }, contract)).toMatchObject({
      request: { id: "***", limit: null },
    });
  });

  test("reports `governed: false` in a runtime without governance, and still validates the parameters", async () => {
    const ledger = createMemoryLedger();
    const runtime = createRuntime({ ledger, env: {}, inherit: false });
    const send = vi.fn(succeed);
    const tool = (params: Params, options?: CallOptions) =>
      callTool(exampleTool(send, { effect: "read" }), params, options);
    expect(await preflight(tool, { id: "a" }, { runtime })).toEqual({
      allow: true,
      governed: false,
      decidedBy: [],
      obligations: [],
      budget: [],
      request: { id: "a", limit: null },
    });
    // What a model may write.
    const wrong = await preflight(tool, {} as never, { runtime });
    expect(wrong).toMatchObject({ allow: false, governed: false });
    expect(send).not.toHaveBeenCalled();
    expect(ledger.records).toEqual([]);
  });

  test("rejects a function that is no generated tool", async () => {
    const other = async (params: Params) => ({ status: "success", params });
    await expect(preflight(other, { id: "a" })).rejects.toThrow("needs a generated tool");
  });

  test("ends if its caller aborts", async () => {
    const { fly } = setUp();
    await expect(fly({ signal: AbortSignal.abort() })).rejects.toThrow("aborted");
  });

  test("a preflight is not recorded as a call by a test runtime", async () => {
    const { createTestRuntime } = await import("../../../src/runtime/testing/index.js");
    const { skill, tool } = await import("../model/example-catalog.js");
    const catalog = { skills: [skill("desk", { tools: [tool("do-it")] })] };
    const runtime = createTestRuntime(catalog, { "desk/do-it": { ok: true } } as never);
    const of = (params: Params, options?: CallOptions) =>
      callTool(exampleTool(succeed), params, options);
    expect(await preflight(of, { id: "a" }, { runtime })).toMatchObject({ allow: true });
    expect(runtime.calls()).toEqual([]);
  });
});
