import { describe, expect, test, vi } from "vitest";
import { handler } from "../../../src/bindings/handler/execute.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import { type ApprovalRequest, isToolError, ToolError } from "../../../src/runtime/errors.js";
import {
  approvalRequestOf,
  createMemoryStore,
  governance,
} from "../../../src/runtime/governance/index.js";
import type { GovernedTool } from "../../../src/runtime/governance/policy.js";
import type { Handler } from "../../../src/runtime/handler.js";
import { queryStore } from "../../../src/runtime/ledger/query.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { type Contract, exampleTool, type Params, succeed } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

const caller = { tenant: "acme", subject: "ada" };
const rule = { approval: { conditional: false, ttlMs: 60_000 } };

/** A tool whose every call needs an approval; the clock is the store's. */
function setUp(more: Partial<GovernedTool> = {}, ofTool: Partial<Contract> = {}) {
  let now = 0;
  const store = createMemoryStore({ now: () => now });
  const governed = govern(policyOf({ ...rule, ...more }), { store });
  const send = vi.fn<Parameters<typeof exampleTool>[0]>(succeed);
  const tool = exampleTool(send, ofTool);
  const make = (more: CallOptions = {}, params?: Params) =>
    governed.call(tool, { caller, ...more }, params);
  const refusal = async (more: CallOptions = {}, params?: Params) => {
    const thrown: unknown = await make(more, params).catch((error: unknown) => error);
    if (!isToolError(thrown, "AUTH.APPROVAL_REQUIRED")) throw thrown;
    return thrown.failure;
  };
  const approve = async (params?: Params) =>
    governed.runtime.approve((await refusal({}, params)).request, { subject: "grace" });
  return { ...governed, approve, make, pass: (ms: number) => (now += ms), refusal, send, store };
}

describe("a call that needs an approval", () => {
  test("a call is refused with the approval request, which holds no secret argument", async () => {
    const { refusal, send } = setUp();
    const failure = await refusal({}, { id: "a secret" });
    expect(failure).toEqual({
      code: "AUTH.APPROVAL_REQUIRED",
      reason: "none",
      request: {
        id: expect.stringMatching(/^[\w-]{43}$/),
        tool: "desk/do-it",
        manifest: "t1",
        digest: expect.stringMatching(/^[\w-]{43}$/),
        tenant: "acme",
        subject: "ada",
        ttlMs: 60_000,
      },
    });
    expect(JSON.stringify(failure)).not.toContain("a secret");
    expect(send).not.toHaveBeenCalled();
  });

  test("runs once with an approval and never a second time", async () => {
    const { approve, make, refusal, send } = setUp();
    const approval = await approve();
    const made = await Promise.allSettled([make({ approval }), make({ approval })]);
    expect(made.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await refusal({ approval })).toMatchObject({ reason: "spent" });
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("rejects the approval of other arguments, another subject or another tenant", async () => {
    const { approve, make, refusal } = setUp();
    const approval = await approve();
    const other = { reason: "other-call" };
    expect(await refusal({ approval }, { id: "b" })).toMatchObject(other);
    expect(await refusal({ approval, caller: { ...caller, subject: "eve" } })).toMatchObject(other);
    expect(await refusal({ approval, caller: { ...caller, tenant: "x" } })).toMatchObject(other);
    expect(await refusal({ approval, caller: { subject: "ada" } })).toMatchObject(other);
    // None of these has used it up.
    expect(await make({ approval })).toMatchObject({ status: "success" });
  });

  test("rejects an approval that was given before its skill changed", async () => {
    const { approve, store, runtime, refusal } = setUp();
    const { request } = await refusal();
    const approval = await approve();
    const version = { skill: "s1", binding: "b1", manifest: "t2" };
    const changed = govern(policyOf({ ...rule, manifest: "t2" }), { store });
    await expect(
      changed.call(exampleTool(succeed, { version }), { caller, approval }),
    ).rejects.toMatchObject({ failure: { reason: "other-call" } });
    await expect(changed.runtime.approve(request, { subject: "grace" })).rejects.toThrow(
      "has changed since",
    );
    await runtime.close();
  });

  test("rejects an approval that is too old by the store's clock", async () => {
    const { make, pass, refusal, runtime } = setUp();
    const { request } = await refusal();
    const approval = await runtime.approve(request, { subject: "grace" });
    const younger = await runtime.approve(request, { subject: "grace" });
    pass(59_999);
    expect(await make({ approval: younger })).toMatchObject({ status: "success" });
    pass(1);
    expect(await refusal({ approval })).toMatchObject({ reason: "expired" });
  });

  test("expires its approval after the skill's limit, even if the approver asks for more time", async () => {
    const { pass, refusal, runtime } = setUp();
    const { request } = await refusal();
    const approval = await runtime.approve({ ...request, ttlMs: 1e15 }, { subject: "grace" });
    pass(60_000);
    expect(await refusal({ approval })).toMatchObject({ reason: "expired" });
  });

  test("can't be approved by its own caller, nor use such an approval from the store", async () => {
    const { refusal, runtime, store } = setUp();
    const { request } = await refusal();
    await expect(runtime.approve(request, { subject: "ada" })).rejects.toThrow(
      "callers can't approve their own calls",
    );
    await expect(runtime.approve(request, {})).rejects.toThrow("needs a `subject`");
    const id = "00000000-0000-4000-8000-000000000000";
    const { digest, manifest, tool, ttlMs } = request;
    const approval = { id, digest, manifest, tool, ttlMs, request: "r", ...caller, by: "ada" };
    await store.saveApproval(approval);
    expect(await refusal({ approval: id })).toMatchObject({ reason: "own" });
  });

  test("cannot be approved without a subject", async () => {
    const { call, runtime } = govern(policyOf(rule));
    const refused: unknown = await call(exampleTool(succeed)).catch((error: unknown) => error);
    if (!isToolError(refused, "AUTH.APPROVAL_REQUIRED")) throw refused;
    await expect(runtime.approve(refused.failure.request, { subject: "grace" })).rejects.toThrow(
      "without a `subject`",
    );
  });

  test.each([
    ["a megabyte", "x".repeat(1_000_000)],
    ["an unknown id", "00000000-0000-4000-8000-000000000000"],
    ["a property name of every object", "__proto__"],
    ["a control character", "\u0000"],
  ])("rejects %s as the id of an approval", async (_, approval) => {
    const { refusal, send, store } = setUp();
    const read = vi.spyOn(store, "readApproval");
    const failure = await refusal({ approval });
    expect(failure).toMatchObject({ reason: "unknown" });
    expect(JSON.stringify(failure).length).toBeLessThan(400);
    expect(read.mock.calls.every(([id]) => id.length === 36)).toBe(true);
    expect(send).not.toHaveBeenCalled();
  });

  test("rejects an approval that was withdrawn", async () => {
    const { approve, make, refusal, runtime } = setUp();
    const approval = await approve();
    const governed = runtime.governance;
    expect(await governed?.withdraw(approval, { subject: "hopper" })).toBe(true);
    expect(await governed?.withdraw(approval, { subject: "hopper" })).toBe(false);
    expect(await governed?.withdraw("x".repeat(1_000_000), { subject: "hopper" })).toBe(false);
    expect(await refusal({ approval })).toMatchObject({ reason: "withdrawn" });
    const used = await approve();
    await make({ approval: used });
    expect(await governed?.withdraw(used, { subject: "hopper" })).toBe(false);
  });

  test("leaves its approval unused in shadow mode, and if a check refuses the call earlier", async () => {
    const { approve, make } = setUp();
    const approval = await approve();
    expect(await make({ approval, mode: "shadow" })).toMatchObject({ status: "shadow" });
    const aborted = AbortSignal.abort();
    await expect(make({ approval, signal: aborted })).rejects.toThrow("aborted");
    expect(await make({ approval })).toMatchObject({ status: "success" });
  });

  test("leaves its approval unused if a budget is used up or a credential is missing", async () => {
    const { make, pass, refusal, runtime } = setUp({ limits: { callsPerMinute: 1 } });
    const { request } = await refusal();
    const approve = () => runtime.approve(request, { subject: "grace" });
    const [first, second] = [await approve(), await approve()];
    await make({ approval: first });
    await expect(make({ approval: second })).rejects.toMatchObject({ code: "QUOTA.RATE_LIMITED" });
    pass(59_999);
    await expect(make({ approval: second })).rejects.toMatchObject({ code: "QUOTA.RATE_LIMITED" });
    const other = setUp();
    const approval = await other.approve();
    const secret = exampleTool(succeed, { credentials: ["TOKEN"] });
    const named = { caller, approval };
    await expect(other.call(secret, named)).rejects.toMatchObject({ code: "CREDENTIAL.MISSING" });
    const credible = govern(policyOf(rule), { store: other.store }, { TOKEN: "x" });
    expect(await credible.call(secret, named)).toMatchObject({ status: "success" });
  });

  test("leaves its approval unused if its key was used for another request", async () => {
    const { approve, make, refusal, send } = setUp({ idempotency: "keyed" });
    const key = { idempotencyKey: "k" };
    await make({ ...key, approval: await approve() });
    const approval = await approve({ id: "b" });
    await expect(make({ ...key, approval }, { id: "b" })).rejects.toMatchObject({
      failure: { reason: "other-request" },
    });
    expect(await make({ approval }, { id: "b" })).toMatchObject({ status: "success" });
    expect(await refusal({ approval }, { id: "b" })).toMatchObject({ reason: "spent" });
    expect(send).toHaveBeenCalledTimes(2);
  });

  test("gets its approval back only if the guard blocks it before anything is sent", async () => {
    const blocked = { code: "SANDBOX.CAPABILITY_BLOCKED", capability: "", by: "address" } as const;
    const { approve, make, refusal, send } = setUp();
    const approval = await approve();
    send.mockRejectedValueOnce(new ToolError("desk/do-it", blocked, "", { outcome: "not-done" }));
    await expect(make({ approval })).rejects.toMatchObject({ code: blocked.code });
    expect(send).toHaveBeenCalledTimes(1);
    // Of a call of which nobody knows how it ended, and of one that was answered, it is used up.
    send.mockRejectedValueOnce(new ToolError("desk/do-it", blocked, "", { outcome: "unknown" }));
    await expect(make({ approval })).rejects.toMatchObject({ outcome: "unknown" });
    expect(await refusal({ approval })).toMatchObject({ reason: "spent" });
    const other = await approve();
    send.mockResolvedValueOnce({ result: { status: "rate_limited", error: "" } });
    await make({ approval: other });
    expect(await refusal({ approval: other })).toMatchObject({ reason: "spent" });
  });

  test("leaves its approval to exactly one other call if the guard blocks it", async () => {
    const { approve, call, make } = setUp();
    const approval = await approve();
    const { binding } = exampleTool(succeed);
    const outside = exampleTool(succeed, {
      binding: {
        kind: "example",
        prepare: (args, of) => ({
          ...binding.prepare(args, of),
          reach: () => [{ kind: "http", capabilities: ["net.http:post http://elsewhere/"] }],
        }),
      },
    });
    const blocked = call(outside, { caller, approval });
    const others = [make({ approval }), make({ approval }), make({ approval })];
    await expect(blocked).rejects.toMatchObject({ code: "SANDBOX.CAPABILITY_BLOCKED" });
    const made = await Promise.allSettled([...others, make({ approval }), make({ approval })]);
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("gets its approval back if the ledger can't record it or the store answers after an abort", async () => {
    const { approve, ledger, make, send, store } = setUp();
    const approval = await approve();
    vi.spyOn(ledger, "append").mockRejectedValueOnce(new Error("full"));
    await expect(make({ approval })).rejects.toMatchObject({
      failure: { reason: "ledger-unavailable" },
    });
    const controller = new AbortController();
    const use = store.useApproval.bind(store);
    const used = vi.spyOn(store, "useApproval").mockImplementationOnce(async (...args) => {
      controller.abort();
      await new Promise(setImmediate);
      return use(...args);
    });
    await expect(make({ approval, signal: controller.signal })).rejects.toThrow("aborted");
    await vi.waitFor(() => expect(used).toHaveResolvedWith("used"));
    expect(send).not.toHaveBeenCalled();
    expect(await make({ approval })).toMatchObject({ status: "success" });
  });

  test("returns its stored answer if it is repeated with its key, and refuses the approval for any other key", async () => {
    const { approve, ledger, make, pass, refusal, send } = setUp({ idempotency: "keyed" });
    const repeated = { idempotencyKey: "k", approval: await approve() };
    const answers = await Promise.all([make(repeated), make(repeated), make(repeated)]);
    pass(60_000);
    expect(new Set([...answers, await make(repeated)].map((each) => JSON.stringify(each)))).toEqual(
      new Set(['{"status":"success","data":{"ok":true}}']),
    );
    expect(ledger.records.at(-1)).toMatchObject({
      decision: { approval: repeated.approval, replayOf: expect.any(String) },
    });
    const { approval } = repeated;
    expect(await refusal({ ...repeated, idempotencyKey: "l" })).toMatchObject({ reason: "spent" });
    expect(await refusal({ approval })).toMatchObject({ reason: "spent" });
    expect(await refusal({ ...repeated, mode: "shadow" })).toMatchObject({ reason: "spent" });
    expect(await refusal({ idempotencyKey: "k" })).toMatchObject({ reason: "none" });
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("sends nothing again with a used approval, even if its provider knows its key", async () => {
    const send = vi.fn<Parameters<typeof exampleTool>[0]>(() => Promise.reject(new Error("lost")));
    const { binding } = exampleTool(send);
    const { approve, make } = setUp(
      { idempotency: "keyed" },
      {
        binding: {
          kind: "example",
          prepare: (args, call) => ({ ...binding.prepare(args, call), isRepeatable: true }),
        },
      },
    );
    const key = { idempotencyKey: "k" };
    const approval = await approve();
    await expect(make({ ...key, approval })).rejects.toMatchObject({ outcome: "unknown" });
    const repeated = { failure: { code: "IDEMPOTENCY.REFUSED", reason: "unknown-outcome" } };
    await expect(make({ ...key, approval })).rejects.toMatchObject(repeated);
    expect(send).toHaveBeenCalledTimes(1);
    // The key is still that of the call whose outcome nobody knows.
    await expect(make({ ...key, approval })).rejects.toMatchObject(repeated);
    await expect(make({ ...key, approval: await approve() })).rejects.toThrow("failed inside");
    expect(send).toHaveBeenCalledTimes(2);
  });

  test("can be found in the ledger, and approved from there", async () => {
    const { ledger, make, refusal, runtime } = setUp();
    const { request } = await refusal();
    const waiting: ApprovalRequest[] = [];
    for await (const each of queryStore(ledger, { status: "denied", tenant: "acme" })) {
      const found = approvalRequestOf(each);
      if (found !== undefined) waiting.push(found);
    }
    expect(waiting).toEqual([request]);
    const [found = request] = waiting;
    const approval = await runtime.approve(found, { subject: "grace" });
    expect(await make({ approval })).toMatchObject({ status: "success" });
    expect(ledger.records.at(-1)).toMatchObject({ decision: { approval } });
  });
});

describe("a call that a handler serves", () => {
  /** Runtimes of one store, with a handler of the example tool or without. */
  function serving(own?: Partial<Contract>) {
    const governed = governance({ policy: policyOf(rule) });
    const serve = vi.fn<Handler<never, unknown>>(() => ({ ok: true }));
    const tool = exampleTool(succeed, own);
    const make = (more: CallOptions = {}, isServed = true) => {
      const handlers = isServed ? { "desk/do-it": serve } : {};
      const of = { env: {}, inherit: false, ledger: false, governance: governed } as const;
      const runtime = createRuntime({ ...of, handlers });
      return callTool(tool, { id: "a" }, { runtime, caller, ...more });
    };
    const requestOf = async (isServed = true) => {
      const thrown: unknown = await make({}, isServed).catch((error: unknown) => error);
      if (!isToolError(thrown, "AUTH.APPROVAL_REQUIRED")) throw thrown;
      return thrown.failure.request;
    };
    const approve = async (isServed = true) =>
      governed.approve(await requestOf(isServed), { subject: "grace" });
    return { approve, make, requestOf, serve };
  }

  test("runs with an approval even if its tool has no binding", async () => {
    const { approve, make, serve } = serving({ binding: handler("desk/do-it") });
    const approval = await approve();
    expect(serve).not.toHaveBeenCalled();
    expect(await make({ approval })).toEqual({ status: "success", data: { ok: true } });
    expect(serve).toHaveBeenCalledTimes(1);
  });

  test("rejects an approval that was given for the tool's own binding", async () => {
    const { approve, make, requestOf, serve } = serving();
    expect((await requestOf()).digest).not.toBe((await requestOf(false)).digest);
    await expect(make({ approval: await approve(false) })).rejects.toMatchObject({
      failure: { reason: "other-call" },
    });
    expect(serve).not.toHaveBeenCalled();
    expect(await make({ approval: await approve() })).toMatchObject({ status: "success" });
  });

  test("requests no approval if the handler that it needs is missing", async () => {
    const { requestOf } = serving({ binding: handler("desk/do-it") });
    await expect(requestOf(false)).rejects.toMatchObject({
      failure: { code: "POLICY.DENY_TOOL", missing: [{ kind: "handlers", name: "desk/do-it" }] },
    });
  });
});

describe("an approval", () => {
  test.each([
    ["a tool that the policy doesn't know", { tool: "desk/other" }, "doesn't know"],
    ["a tool named like a property of every object", { tool: "constructor" }, "doesn't know"],
    ["an invalid digest", { digest: "x".repeat(1_000_000) }, "pass `failure.request`"],
    ["no time", { ttlMs: 0 }, "pass `failure.request`"],
    ["a subject in another Unicode form", { subject: "e\u0301" }, "form NFC"],
  ])("an approval is not given if its request has %s", async (_, changes, why) => {
    const { refusal, runtime } = setUp();
    const { request } = await refusal();
    await expect(runtime.approve({ ...request, ...changes }, { subject: "grace" })).rejects.toThrow(
      why,
    );
  });

  test("can't be requested from a runtime without governance", async () => {
    const { refusal } = setUp();
    const { request } = await refusal();
    const runtime = createRuntime({ env: {}, inherit: false, ledger: false });
    await expect(runtime.approve(request, { subject: "grace" })).rejects.toThrow("no approvals");
  });
});
