import { describe, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import { type Caller, currentCaller, withCaller } from "../../../src/runtime/caller.js";
import { dispatchTool } from "../../../src/runtime/model/dispatch.js";
import { governance } from "../../../src/runtime/governance/index.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.js";
import { exampleTool, type Params, succeed } from "../example-tool.js";
import { governedTool, policyOf } from "./governed.js";

const inner = exampleTool(succeed, { name: "inner" });
const outer = exampleTool(succeed);

/** The handler of `desk/do-it` calls `desk/inner`, and tells on whose behalf it ran. */
function nested(
  ofInner: Partial<typeof governedTool> = {},
  ofOuter: Partial<typeof governedTool> = {},
) {
  const seen: (Caller | undefined)[] = [];
  const ledger = createMemoryLedger();
  const policy = policyOf(
    {},
    {
      tools: {
        "desk/do-it": { ...governedTool, ...ofOuter },
        "desk/inner": { ...governedTool, ...ofInner },
      },
    },
  );
  const runtime: Runtime = createRuntime({
    ledger,
    env: {},
    inherit: false,
    governance: governance({ policy }),
    handlers: {
      "desk/do-it": () => {
        seen.push(currentCaller());
        return callTool(inner, { id: "a" }, { runtime });
      },
    },
  });
  const tools = {
    desk__do_it: async () => (params: Params, options?: CallOptions) =>
      callTool(outer, params, options),
  };
  const dispatch = (options: CallOptions = {}) =>
    dispatchTool(tools, "desk__do_it", { id: "a" }, { runtime, ...options });
  return { dispatch, ledger, runtime, seen };
}

describe("a call that a model asked for", () => {
  test("has the origin llm, whoever it is for", async () => {
    const { dispatch, ledger } = nested();
    await withCaller({ tenant: "acme", subject: "ada", origin: "api" }, () => dispatch());
    await dispatch({ caller: { tenant: "other", origin: "system" } });
    await dispatch();
    const callers = ledger.records
      .filter(({ tool, type }) => tool === "do-it" && type === "end")
      .map(({ caller }) => caller);
    expect(callers).toEqual([
      { tenant: "acme", subject: "ada", origin: "llm" },
      { tenant: "other", origin: "llm" },
      { origin: "llm" },
    ]);
  });

  test("leaves the caller of the code around it as it is", async () => {
    const { dispatch } = nested();
    const caller = { tenant: "acme", origin: "api" } as const;
    const after = await withCaller(caller, async () => {
      await dispatch();
      return currentCaller();
    });
    expect(after).toEqual(caller);
  });

  test("hands its origin on to calls that its handler makes", async () => {
    const { dispatch, ledger, seen } = nested();
    await withCaller({ subject: "ada", origin: "api" }, () => dispatch());
    expect(seen).toEqual([{ subject: "ada", origin: "llm" }]);
    expect(ledger.records.find(({ tool }) => tool === "inner")).toMatchObject({
      caller: { subject: "ada", origin: "llm" },
    });
  });
});

describe("the caller that an application gives for a model's call", () => {
  const callersOf = ({ ledger }: ReturnType<typeof nested>) =>
    ledger.records.flatMap(({ caller, tool, type }) =>
      tool === "do-it" && type === "end" ? [caller] : [],
    );

  test.each(["api", "llm"] as const)(
    "is looked at anew each time, though its object is used again (%s)",
    async (origin) => {
      const governed = nested();
      const caller = { tenant: "acme", subject: "ada", origin };
      await governed.dispatch({ caller });
      Object.assign(caller, { tenant: "other", subject: "bob" });
      await governed.dispatch({ caller });
      expect(callersOf(governed)).toEqual([
        { tenant: "acme", subject: "ada", origin: "llm" },
        { tenant: "other", subject: "bob", origin: "llm" },
      ]);
    },
  );

  test.each(["api", "llm"] as const)(
    "is who it was when the call was made, whatever becomes of it while the tool loads (%s)",
    async (origin) => {
      const governed = nested();
      const caller = { tenant: "acme", origin };
      const made = governed.dispatch({ caller });
      caller.tenant = "other";
      await made;
      expect(callersOf(governed)).toEqual([{ tenant: "acme", origin: "llm" }]);
    },
  );
});

describe("a call that a handler makes", () => {
  test("is that of the call's own caller, where that was given for this one call", async () => {
    const { runtime, seen } = nested();
    await callTool(outer, { id: "a" }, { runtime, caller: { tenant: "acme" } });
    expect(seen).toEqual([{ tenant: "acme" }]);
  });

  test("has neither the approval nor the key of the call that it serves", async () => {
    const ofInner = {
      approval: { conditional: false, ttlMs: 1000 },
      idempotency: "keyed",
    } as const;
    const { ledger, runtime } = nested(ofInner, { idempotency: "keyed" });
    const caller = { subject: "ada" };
    const options = { runtime, caller };
    const needed = await callTool(inner, { id: "a" }, options).catch((error: unknown) => error);
    // The failure is that of `desk/inner`, which needs an approval.
    const { request } = (needed as { failure: { request: never } }).failure;
    const approval = await runtime.approve(request, { subject: "grace" });
    const served = callTool(outer, { id: "a" }, { ...options, approval, idempotencyKey: "k" });
    await expect(served).rejects.toMatchObject({
      tool: "desk/inner",
      failure: { code: "AUTH.APPROVAL_REQUIRED", reason: "none" },
    });
    // It is still there for the call that it was given for.
    expect(await callTool(inner, { id: "a" }, { ...options, approval })).toMatchObject({
      status: "success",
    });
    expect(ledger.records.at(-1)).toMatchObject({ decision: { approval } });
  });
});
