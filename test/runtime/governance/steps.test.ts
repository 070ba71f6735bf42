import { describe, expect, test, vi } from "vitest";
import { isToolError, type ToolFailure } from "../../../src/runtime/errors.js";
import { resultForModel } from "../../../src/runtime/model/model-result.js";
import { exampleTool, succeed } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

async function failureOf(call: Promise<unknown>): Promise<ToolFailure> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isToolError(thrown)) throw new Error(`not a ToolError: ${String(thrown)}`);
  return thrown.failure;
}

describe("a governed call", () => {
  test("a governed call is made if nothing forbids it", async () => {
    const { call } = govern(policyOf());
    expect(await call(exampleTool(succeed))).toEqual({ status: "success", data: { ok: true } });
  });

  test("a governed call is refused if tool and policy have different versions", async () => {
    const { call } = govern(policyOf({ manifest: "another" }));
    const send = vi.fn(succeed);
    expect(await failureOf(call(exampleTool(send)))).toMatchObject({ code: "POLICY.DENY_TOOL" });
    expect(send).not.toHaveBeenCalled();
  });

  test("a governed call is refused while the tool is paused, only for the tenant that is paused", async () => {
    const { call, runtime } = govern(policyOf());
    await runtime.governance?.store.setState({
      tool: "desk/do-it",
      tenant: "acme",
      state: "paused",
      by: "ops",
    });
    expect(
      await failureOf(call(exampleTool(succeed), { caller: { tenant: "acme" } })),
    ).toMatchObject({ code: "POLICY.DENY_TOOL" });
    expect(await call(exampleTool(succeed), { caller: { tenant: "other" } })).toMatchObject({
      status: "success",
    });
  });

  test("a governed call is refused if its caller lacks a scope or was not granted it", async () => {
    const { call } = govern(
      policyOf(
        { scopes: ["orders.write"] },
        { grants: [{ to: { role: "clerk" }, scopes: ["orders.write"] }] },
      ),
    );
    const failure = { code: "AUTH.FORBIDDEN", reason: "scopes", scopes: ["orders.write"] };
    expect(await failureOf(call(exampleTool(succeed)))).toMatchObject(failure);
    const scopes = ["orders.write"];
    expect(await failureOf(call(exampleTool(succeed), { caller: { scopes } }))).toMatchObject(
      failure,
    );
    expect(
      await call(exampleTool(succeed), { caller: { scopes, roles: ["clerk"] } }),
    ).toMatchObject({ status: "success" });
  });

  test("a governed call is refused in strict mode if a model makes it and no policy permits it", async () => {
    const { call } = govern(policyOf({}, { strict: true }));
    expect(
      await failureOf(call(exampleTool(succeed), { caller: { origin: "llm" } })),
    ).toMatchObject({ reason: "policy" });
    expect(await failureOf(call(exampleTool(succeed)))).toMatchObject({ reason: "policy" });
    expect(await call(exampleTool(succeed), { caller: { origin: "api" } })).toMatchObject({
      status: "success",
    });
  });

  test("a governed call is made once with an approval of exactly this call", async () => {
    const { call, runtime } = govern(policyOf({ approval: { conditional: false, ttlMs: 1000 } }));
    const caller = { subject: "ada", tenant: "acme" };
    const failure = await failureOf(call(exampleTool(succeed), { caller }));
    if (failure.code !== "AUTH.APPROVAL_REQUIRED") throw new Error(failure.code);
    await expect(runtime.approve(failure.request, { subject: "ada" })).rejects.toThrow(
      "callers can't approve their own calls",
    );
    const approval = await runtime.approve(failure.request, { subject: "grace" });
    expect(
      await failureOf(call(exampleTool(succeed), { caller, approval }, { id: "b" })),
    ).toMatchObject({ reason: "other-call" });
    expect(await call(exampleTool(succeed), { caller, approval })).toMatchObject({
      status: "success",
    });
    expect(await failureOf(call(exampleTool(succeed), { caller, approval }))).toMatchObject({
      reason: "spent",
    });
  });

  test("a governed call is refused if its budget for the minute is used up, and then spends nothing", async () => {
    const { call } = govern(policyOf({ limits: { callsPerMinute: 2 } }));
    const send = vi.fn(succeed);
    await call(exampleTool(send));
    await call(exampleTool(send));
    expect(await failureOf(call(exampleTool(send)))).toMatchObject({
      code: "QUOTA.RATE_LIMITED",
      budget: "calls_per_minute of tenant none, desk/do-it",
    });
    expect(send).toHaveBeenCalledTimes(2);
  });

  test("a governed call is made once per key, and later calls get the same answer", async () => {
    const { call } = govern(policyOf({ idempotency: "keyed" }));
    const send = vi.fn(succeed);
    const first = call(exampleTool(send), { idempotencyKey: "k" });
    const second = call(exampleTool(send), { idempotencyKey: "k" });
    expect(await first).toEqual({ status: "success", data: { ok: true } });
    expect(await second).toEqual(await first);
    expect(send).toHaveBeenCalledTimes(1);
    expect(
      await failureOf(call(exampleTool(send), { idempotencyKey: "k" }, { id: "b" })),
    ).toMatchObject({ code: "IDEMPOTENCY.REFUSED", reason: "other-request" });
  });

  test("waits for the previous call if its tool is serial", async () => {
    const { call } = govern(policyOf({ concurrency: "serial" }));
    let running = 0;
    let most = 0;
    const send = async () => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
      return succeed();
    };
    await Promise.all([1, 2, 3].map(() => call(exampleTool(send))));
    expect(most).toBe(1);
  });

  test("masks data for a caller whom no scope exempts", async () => {
    const action = { do: "mask", at: ["ok"] } as const;
    const { call } = govern(
      policyOf(
        {},
        { obligations: [{ name: "hide", tools: ["desk/do-it"], action, unless: ["pii"] }] },
      ),
    );
    expect(await call(exampleTool(succeed))).toEqual({ status: "success", data: { ok: "***" } });
    expect(await call(exampleTool(succeed), { caller: { scopes: ["pii"] } })).toEqual({
      status: "success",
      data: { ok: true },
    });
  });
});

describe("policies in Cedar", () => {
  const schema = {
    "": {
      entityTypes: { Tenant: {}, Role: {}, Caller: { memberOfTypes: ["Role", "Tenant"] } },
      actions: {
        "desk/do-it": {
          appliesTo: {
            principalTypes: ["Caller"],
            resourceTypes: ["Tenant"],
            context: {
              type: "Record",
              attributes: {
                args: { type: "Record", attributes: { id: { type: "String" } } },
                origin: { type: "String" },
                risk: { type: "String" },
                effect: { type: "String" },
                scopes: { type: "Set", element: { type: "String" } },
                capabilities: { type: "Set", element: { type: "String" } },
              },
            },
          },
        },
      },
    },
  } as const;
  const forbidB = `forbid(principal, action, resource) when { context.args.id == "b" };`;

  test("forbid a call by its arguments", async () => {
    const { call } = govern(
      policyOf({}, { cedar: { schema, policies: { noB: forbidB }, approvals: {} } }),
    );
    expect(await failureOf(call(exampleTool(succeed), {}, { id: "b" }))).toEqual({
      code: "AUTH.FORBIDDEN",
      reason: "policy",
      scopes: [],
      decidedBy: ["noB"],
    });
    expect(await call(exampleTool(succeed))).toMatchObject({ status: "success" });
  });

  test("tell callers and models why they forbid a call", async () => {
    const policies = { b: forbidB, none: "forbid(principal, action, resource);" };
    const messages = { b: "needs a ticket", other: "is not shown" };
    const cedar = { schema, policies, approvals: {}, messages };
    const { call } = govern(policyOf({}, { cedar }));
    const refused = () => call(exampleTool(succeed), {}, { id: "b" });
    expect(await failureOf(refused())).toMatchObject({ messages: ["needs a ticket"] });
    await expect(refused()).rejects.toThrow(
      /^`(?:b`, `none|none`, `b)` forbid `desk\/do-it` here: needs a ticket$/,
    );
    const { content } = await resultForModel(refused());
    expect(JSON.parse(content)).toMatchObject({
      code: "AUTH.FORBIDDEN",
      message: "this call is not permitted: needs a ticket; do not repeat the call",
    });
    expect(await failureOf(call(exampleTool(succeed)))).not.toHaveProperty("messages");
  });

  test("require an approval by their condition", async () => {
    const approvals = {
      "desk/do-it": `permit(principal, action == Action::"desk/do-it", resource) when { context.args.id == "b" };`,
    };
    const { call } = govern(
      policyOf(
        { approval: { conditional: true, ttlMs: 1000 } },
        { cedar: { schema, policies: {}, approvals } },
      ),
    );
    expect(await failureOf(call(exampleTool(succeed), {}, { id: "b" }))).toMatchObject({
      code: "AUTH.APPROVAL_REQUIRED",
    });
    expect(await call(exampleTool(succeed))).toMatchObject({ status: "success" });
  });

  test("deny the call if one of them fails", async () => {
    const policies = {
      overflow: `forbid(principal, action, resource) when { 9223372036854775807 + 1 == 0 };`,
    };
    const { call } = govern(policyOf({}, { cedar: { schema, policies, approvals: {} } }));
    expect(await failureOf(call(exampleTool(succeed)))).toMatchObject({
      reason: "engine",
      decidedBy: ["overflow"],
    });
  });
});
