import { describe, expect, test } from "vitest";
import { preflight } from "../../../../src/runtime/call/preflight.js";
import type { Obligation } from "../../../../src/runtime/governance/policy.js";
import {
  type Any,
  createProject,
  errorOf,
  facts,
  nothing,
  planOf,
  reads,
  calling,
  writes,
} from "./plan-project.js";
import { governed } from "./governed-project.js";

const handlers = {
  a: () => ({ customer: { email: "ada@example.com", id: 7 }, lines: [{ sku: "x", price: 1 }] }),
  b: (params: Any) => params,
  w: () => 1,
};

const mask = (at: readonly string[], tools = ["desk/a"]): Obligation => ({
  name: "mask",
  tools,
  action: { do: "mask", at },
  unless: ["pii"],
});

/** A plan whose second step reads a place of the first one's output. */
const reading = (place: readonly (string | number)[], params: (from: Any) => Any = () => ({})) =>
  planOf(
    [
      reads("1", "a"),
      reads("2", "b", { after: ["1"], needs: ["1"], reads: [["1", ...place]], params }),
    ],
    { output: (from) => from.step_2.output },
  );

describe("a value that an obligation changed", () => {
  const obligations = [mask(["customer", "email"]), mask(["lines", "*", "price"])];

  test.each<[string, readonly (string | number)[], string]>([
    ["the value itself", ["customer", "email"], "/customer/email"],
    ["an object around it", ["customer"], "/customer"],
    ["the whole output", [], ""],
    ["the value in each item", ["lines", "*", "price"], "/lines/*/price"],
    ["the value in one item", ["lines", 0, "price"], "/lines/0/price"],
    ["an item around it", ["lines", 0], "/lines/0"],
  ])("a changed value ends the plan before a step that reads %s", async (_, place, pointer) => {
    const { log, runtime } = governed(handlers, { obligations });
    const error = await errorOf(reading(place)({}, { runtime }));
    expect(error.failure).toEqual({
      code: "PLAN.MASKED_VALUE",
      step: "2",
      source: "1",
      pointer,
    });
    expect(error).toMatchObject({ step: "2", outcome: "not-done" });
    expect(JSON.stringify(error) + error.message).not.toContain("ada@example.com");
    expect(log).toEqual(["+a", "-a"]);
  });

  test.each<[string, readonly (string | number)[]]>([
    ["a value beside it", ["customer", "id"]],
    ["another property of the items", ["lines", "*", "sku"]],
    ["an item that isn't there", ["lines", 1, "price"]],
  ])("a changed value doesn't disturb a step that reads %s", async (_, place) => {
    const { runtime } = governed(handlers, { obligations });
    expect(await reading(place)({}, { runtime })).toMatchObject({ status: "success" });
  });

  test("a value is passed on for a caller whom the obligation exempts", async () => {
    const { runtime } = governed(handlers, { obligations });
    const plan = reading(["customer", "email"], (from) => from.step_1.output.customer);
    const result = await plan({}, { runtime, caller: { subject: "ada", scopes: ["pii"] } });
    expect(result.data.email).toBe("ada@example.com");
  });

  test("a changed value is followed through a loop, a list that lost items, and a plan in a plan", async () => {
    const { runtime } = governed(handlers, { obligations });
    const each = (place: readonly (string | number)[]) =>
      planOf([
        reads("1", "a", { list: () => [1, 2] }),
        reads("2", "b", { after: ["1"], reads: [["1", ...place]] }),
      ]);
    expect(await errorOf(each(["*", "customer", "email"])({}, { runtime }))).toMatchObject({
      code: "PLAN.MASKED_VALUE",
    });
    expect(await each(["*", "customer", "id"])({}, { runtime })).toMatchObject({
      status: "success",
    });
    const dropping = governed(handlers, {
      obligations: [{ ...mask([]), action: { do: "drop", at: ["lines", "*"] } }],
    });
    expect(
      await errorOf(reading(["lines", "*", "sku"])({}, { runtime: dropping.runtime })),
    ).toMatchObject({ code: "PLAN.MASKED_VALUE" });
    const inner = planOf([reads("x", "a")], {
      name: "inner",
      output: (from) => from.step_x.output.lines.map((line: Any) => line.price),
      outputFrom: ["x", "lines", "*", "price"],
    });
    const outer = (place: readonly (string | number)[]) =>
      planOf([
        calling("1", "inner", "read", inner),
        reads("2", "b", { after: ["1"], reads: [["1", ...place]] }),
      ]);
    expect(await errorOf(outer([0])({}, { runtime }))).toMatchObject({
      failure: { code: "PLAN.MASKED_VALUE", source: "1", pointer: "/0" },
    });
    const whole = planOf([reads("x", "a")], {
      name: "inner",
      output: (from) => from.step_x.output.customer,
      outputFrom: ["x", "customer"],
    });
    const outerOf = (place: string) =>
      planOf([
        calling("1", "inner", "read", whole),
        reads("2", "b", { after: ["1"], reads: [["1", place]] }),
      ]);
    expect(await errorOf(outerOf("email")({}, { runtime }))).toMatchObject({
      code: "PLAN.MASKED_VALUE",
    });
    expect(await outerOf("id")({}, { runtime })).toMatchObject({ status: "success" });
  });

  test("a changed value is followed through a property of a plan's output", async () => {
    const { runtime } = governed(handlers, { obligations });
    const inner = planOf([reads("x", "a")], {
      name: "inner",
      output: (from) => ({ who: from.step_x.output.customer, prices: 1 }),
      outputFields: { who: ["x", "customer"] },
    });
    const outer = (...place: readonly string[]) =>
      planOf([
        calling("1", "inner", "read", inner),
        reads("2", "b", { after: ["1"], reads: [["1", ...place]] }),
      ]);
    expect(await errorOf(outer("who", "email")({}, { runtime }))).toMatchObject({
      failure: { code: "PLAN.MASKED_VALUE", source: "1", pointer: "/who/email" },
    });
    expect(await outer("who", "id")({}, { runtime })).toMatchObject({ status: "success" });
    expect(await outer("prices")({}, { runtime })).toMatchObject({ status: "success" });
  });

  test("a changed value may be part of the plan's own answer", async () => {
    const { runtime } = governed(handlers, { obligations });
    const plan = planOf([reads("1", "a")], { output: (from) => from.step_1.output.customer });
    expect((await plan({}, { runtime })).data).toEqual({ email: "***", id: 7 });
  });
});

describe("a caller who may not call a tool of a step", () => {
  const plan = planOf([reads("1", "a"), writes("2", "w", { after: ["1"] })]);

  test("a plan is denied before its first step if the caller lacks a scope of a later one, and the denial names the step", async () => {
    const { ledger, log, runtime } = governed(
      handlers,
      {},
      { tools: { w: { scopes: ["write:w"] } } },
    );
    const error = await errorOf(plan({}, { runtime, caller: { subject: "ada" } }));
    expect(error).toMatchObject({
      tool: "desk/plan",
      step: "2",
      outcome: "not-done",
      failure: { code: "AUTH.FORBIDDEN", reason: "scopes", scopes: ["write:w"] },
    });
    expect(error.message).toContain("`2`");
    expect(log).toEqual([]);
    expect(ledger.records.at(-1)).toMatchObject({ status: "denied" });
    const caller = { subject: "ada", scopes: ["write:w"] };
    expect(await plan({}, { runtime, caller })).toMatchObject({ status: "success" });
  });

  test("a plan is denied before its first step because of a step inside a plan", async () => {
    const { log, runtime } = governed(handlers, {}, { tools: { w: { scopes: ["write:w"] } } });
    const inner = planOf([writes("x", "w")], { name: "inner" });
    const outer = planOf(
      [reads("1", "a"), calling("2", "inner", "write", inner, { after: ["1"] })],
      {
        innerSteps: [{ id: "2.x", toolId: "desk/w" }],
      },
    );
    expect(await errorOf(outer({}, { runtime }))).toMatchObject({
      step: "2.x",
      code: "AUTH.FORBIDDEN",
    });
    expect(log).toEqual([]);
  });

  test("a plan is denied if a step's tool is paused, or the policy doesn't know it", async () => {
    const { log, runtime } = governed(handlers);
    await runtime.governance?.setToolState("desk/w", "paused", { by: "ops" });
    expect(await errorOf(plan({}, { runtime }))).toMatchObject({
      step: "2",
      failure: { code: "POLICY.DENY_TOOL", missing: [{ kind: "tools", name: "desk/w" }] },
    });
    const unknown = governed({ a: handlers.a });
    expect(await errorOf(plan({}, { runtime: unknown.runtime }))).toMatchObject({
      step: "2",
      code: "POLICY.DENY_TOOL",
    });
    expect([...log, ...unknown.log]).toEqual([]);
  });

  test("a plan is denied before its first step if a Cedar policy forbids a later one", async () => {
    const text = { type: "String" };
    const texts = { type: "Set", element: text };
    const known = { origin: text, risk: text, effect: text, scopes: texts, capabilities: texts };
    const attributes = { args: { type: "Record", attributes: {} }, ...known };
    const context = { type: "Record", attributes };
    const action = {
      appliesTo: { principalTypes: ["Caller"], resourceTypes: ["Tenant"], context },
    };
    const schema = {
      "": {
        entityTypes: { Tenant: {}, Role: {}, Caller: { memberOfTypes: ["Role", "Tenant"] } },
        actions: { "desk/plan": action, "desk/a": action, "desk/w": action },
      },
    };
    const forbid = `forbid(principal in Role::"guest", action == Action::"desk/w", resource);`;
    const { log, runtime } = governed(handlers, {
      cedar: { schema, policies: { noWrites: forbid }, approvals: {} },
    });
    const as = (role: string) => ({ runtime, caller: { subject: "ada", roles: [role] } });
    expect(await errorOf(plan({}, as("guest")))).toMatchObject({
      failure: { code: "AUTH.FORBIDDEN", reason: "policy", decidedBy: ["noWrites"] },
      step: "2",
      outcome: "not-done",
    });
    expect(log).toEqual([]);
    expect(await plan({}, as("clerk"))).toMatchObject({ status: "success" });
  });

  test("a plan may call a deprecated tool", async () => {
    const { runtime } = governed(handlers, {}, { tools: { w: { deprecated: true } } });
    expect(await plan({}, { runtime })).toMatchObject({ status: "success" });
  });

  test("a plan that a model asks for is denied in a strict project if no policy permits a step", async () => {
    const { log, runtime } = governed(handlers, { strict: true });
    const origin = (origin: "llm" | "api") => ({ runtime, caller: { origin } });
    expect(await errorOf(plan({}, origin("llm")))).toMatchObject({ code: "AUTH.FORBIDDEN" });
    expect(log).toEqual([]);
    expect(await plan({}, origin("api"))).toMatchObject({ status: "success" });
  });
});

describe("an approval", () => {
  const eve = { subject: "eve" };
  const tools = { w: { approval: { conditional: false, ttlMs: 1000 } } };
  const plan = planOf([writes("1", "b"), writes("2", "w", { after: ["1"] })]);

  test("a step that needs an approval ends a plan without a run, and `on.error` has no say", async () => {
    const { log, runtime } = governed(handlers, {}, { tools });
    const error = await errorOf(plan({}, { runtime, caller: { subject: "ada" } }));
    expect(error).toMatchObject({
      tool: "desk/w",
      step: "2",
      code: "AUTH.APPROVAL_REQUIRED",
      outcome: "unknown",
    });
    const going = planOf([writes("2", "w", { on: { error: "continue" } })]);
    expect(await errorOf(going({}, { runtime, caller: { subject: "ada" } }))).toMatchObject({
      code: "AUTH.APPROVAL_REQUIRED",
    });
    expect(log).toEqual(["+b", "-b"]);
  });

  test("a step finds its own approval, and takes none from the plan's call", async () => {
    const { runtime } = governed(handlers, {}, { tools });
    const caller = { subject: "ada" };
    const { failure } = await errorOf(plan({}, { runtime, caller }));
    const other = await runtime.approve({ ...failure.request, digest: "x".repeat(43) }, eve);
    expect(await errorOf(plan({}, { runtime, caller, approval: other }))).toMatchObject({
      failure: { code: "AUTH.APPROVAL_REQUIRED", reason: "none" },
    });
    await runtime.approve(failure.request, eve);
    expect(await plan({}, { runtime, caller })).toMatchObject({ status: "success" });
  });
});

describe("a dry run", () => {
  const known = { ...facts, scopes: ["write:w"], approvals: ["2"], maxWrites: 10_001 };
  const plan = planOf([reads("1", "a"), writes("2", "w", { after: ["1"] })], { facts: known });

  test("shows what the plan may need and do, and calls no step", async () => {
    const { ledger, log, runtime } = createProject(handlers);
    expect(await preflight(plan, { x: 1 }, { runtime })).toEqual({
      allow: true,
      governed: false,
      decidedBy: [],
      obligations: [],
      budget: [],
      request: { plan: "desk/plan", parameters: { x: 1 } },
      plan: known,
    });
    expect(log).toEqual([]);
    expect(ledger.records).toEqual([]);
  });

  test("says why the plan would be denied because of a step", async () => {
    const { log, runtime } = governed(handlers, {}, { tools: { w: { scopes: ["write:w"] } } });
    expect(await preflight(plan, {}, { runtime })).toMatchObject({
      allow: false,
      reason: { code: "AUTH.FORBIDDEN", failure: { scopes: ["write:w"] } },
      plan: known,
    });
    expect(log).toEqual([]);
  });

  test("shows no plan if a handler takes the plan's place", async () => {
    const { runtime } = createProject({ ...handlers, plan: () => 1 });
    expect(await preflight(plan, {}, { runtime })).not.toHaveProperty("plan");
    expect(await plan({}, { runtime })).toEqual({ status: "success", data: 1 });
  });
});

describe("an answer that doesn't fit its schema", () => {
  test("ends a plan even if the runtime only reports misfits", async () => {
    const { log, runtime } = createProject({ b: () => 1 }, { misfits: "report" });
    const binding: Any = {
      kind: "example",
      prepare: () => ({
        credentials: [],
        reach: () => [],
        describe: () => null,
        send: async () => ({ result: { status: "success", data: { x: 1 } } }),
      }),
    };
    const tool = planOf([], { name: "odd", tool: { binding, returns: nothing } });
    expect(await tool({}, { runtime })).toMatchObject({ status: "success" });
    const plan = planOf([calling("1", "odd", "read", tool), reads("2", "b", { after: ["1"] })]);
    expect(await errorOf(plan({}, { runtime }))).toMatchObject({
      step: "1",
      code: "SCHEMA.VALIDATION_FAILED",
    });
    expect(log).toEqual([]);
  });
});
