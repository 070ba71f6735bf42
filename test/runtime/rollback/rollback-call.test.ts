/** Undoing a call by a call of another tool. */
import { describe, expect, test } from "vitest";
import { dispatchTool } from "../../../src/runtime/model/dispatch.js";
import { createMemoryStore } from "../../../src/runtime/governance/index.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { settleCall } from "../../../src/runtime/ledger/settle.js";
import { ToolError } from "../../../src/runtime/errors.js";
import { rollbackCall } from "../../../src/runtime/rollback/rollback-call.js";
import { exampleTool } from "../example-tool.js";
import { temporaryDirectory } from "../ledger/fixtures.js";
import { type Desk, openDesk } from "./desk.js";

const caller = { tenant: "acme", subject: "ada" };

function undo({ runtime, tools }: Desk, id: string, options = {}) {
  return rollbackCall(tools, id, { runtime, ...options });
}

function refused(reason: string) {
  return { code: "ROLLBACK.REFUSED", outcome: "not-done", failure: { reason } };
}

describe("rollbackCall", () => {
  test("calls the other tool with parameters of the call, and records which call it undoes", async () => {
    const desk = openDesk();
    const { id } = await desk.call("create", "a", { trace: "t-1" });
    const result = await undo(desk, id);
    expect(desk.done).toEqual(["create a", "cancel a"]);
    const [made] = await desk.calls();
    expect(result).toEqual({
      status: "rolled_back",
      call: id,
      tool: "desk/create",
      strategy: "compensate",
      by: made?.id,
      answer: { status: "success", data: { id: "a" } },
    });
    expect(made).toMatchObject({
      tool: "cancel",
      parameters: { id: "a" },
      parent: id,
      rollbackOf: id,
      undone: true,
    });
  });

  test("opens parameters that the ledger keeps encrypted", async () => {
    const masked = { maskedParams: [["id"]] };
    const desk = openDesk({
      contracts: { create: masked, cancel: masked },
      policy: {},
      runtime: { ledger: {}, directory: temporaryDirectory() },
      governance: {},
    });
    const { id } = await desk.call("create", "4711");
    expect((await desk.calls())[0]?.parameters).toEqual({ id: "***" });
    await undo(desk, id);
    expect(desk.done).toEqual(["create 4711", "cancel 4711"]);
  });

  test("undoes a rollback if the other tool has a way back itself", async () => {
    const desk = openDesk();
    const created = await desk.call("create");
    await undo(desk, created.id);
    const [cancelled] = await desk.calls();
    await undo(desk, cancelled?.id ?? "");
    expect(desk.done).toEqual(["create a", "cancel a", "reopen a"]);
    const [reopened] = await desk.calls();
    await expect(undo(desk, reopened?.id ?? "")).rejects.toMatchObject(refused("no-way-back"));
    await expect(undo(desk, created.id)).rejects.toMatchObject(refused("rolled-back"));
  });

  test("an answer without data undoes nothing, so the call may be rolled back again", async () => {
    let isLimited = true;
    const desk = openDesk({
      send: (name, id) =>
        name === "cancel" && isLimited
          ? { status: "rate_limited", error: "later" }
          : { status: "success", data: { id } },
    });
    const { id } = await desk.call("create");
    expect(await undo(desk, id)).toMatchObject({
      status: "not_rolled_back",
      answer: { status: "rate_limited" },
    });
    isLimited = false;
    expect(await undo(desk, id)).toMatchObject({ status: "rolled_back" });
  });

  test("rejects options that are not valid", async () => {
    const desk = openDesk();
    const { id } = await desk.call("create");
    const wrong = (options: object) => expect(undo(desk, id, options)).rejects.toThrow(TypeError);
    await wrong({ dryRun: "yes" });
    await wrong({ force: {} });
    await wrong({ force: true });
    await wrong({ force: { because: " " } });
    await wrong({ force: { because: "x".repeat(501) } });
    await wrong({ paths: [] });
    await wrong({ paths: [1] });
    await wrong({ caller: { subject: "" } });
    expect(desk.done).toEqual(["create a"]);
  });
});

describe("a call that rollbackCall refuses to undo", () => {
  test.each(["", "x", "00000000-0000-4000-8000-000000000000", "../../x", "a\0b"])(
    "the ledger has no call %j",
    async (id) => {
      const desk = openDesk();
      await desk.call("create");
      await expect(undo(desk, id)).rejects.toMatchObject(refused("unknown-call"));
    },
  );

  test("the beginning of an id is not enough", async () => {
    const desk = openDesk();
    const { id } = await desk.call("create");
    await expect(undo(desk, id.slice(0, 8))).rejects.toMatchObject(refused("unknown-call"));
  });

  test("a call of another tenant looks like an unknown one, and another subject may undo it", async () => {
    const desk = openDesk({ policy: {} });
    const { id } = await desk.call("create", "a", { caller });
    const as = (asking?: object) => undo(desk, id, { caller: asking });
    await expect(as({ tenant: "other" })).rejects.toMatchObject(refused("unknown-call"));
    await expect(as()).rejects.toMatchObject(refused("unknown-call"));
    await as({ tenant: "acme", subject: "eve" });
    expect(desk.done).toEqual(["create a", "cancel a"]);
  });

  test("a read, a shadow call, a denied call and a failed call changed nothing", async () => {
    const read = openDesk({ contracts: { create: { effect: "read" } } });
    const shadow = openDesk({ runtime: { mode: "shadow", ledger: createMemoryLedger() } });
    const denied = openDesk({ policy: { create: { scopes: ["orders"] } } });
    const failed = openDesk({
      send: () =>
        Promise.reject(
          new ToolError("", { code: "PROVIDER.UNAVAILABLE", reason: "x" }, "no", {
            outcome: "not-done",
          }),
        ),
    });
    for (const desk of [read, shadow, denied, failed]) {
      const { id } = await desk.call("create");
      await expect(undo(desk, id)).rejects.toMatchObject(refused("not-made"));
    }
  });

  test("the refusal contains the author's reason if nothing undoes the call", async () => {
    const rollback = { strategy: "none", reason: "an e-mail cannot be unsent" } as const;
    const desk = openDesk({ contracts: { create: { rollback } } });
    const { id } = await desk.call("create");
    await expect(undo(desk, id)).rejects.toMatchObject({
      ...refused("no-way-back"),
      message: expect.stringContaining("an e-mail cannot be unsent") as string,
    });
  });

  test("the refusal says that a key is missing if the parameters were not kept", async () => {
    const desk = openDesk({ contracts: { create: { maskedParams: [["id"]] } } });
    const { id } = await desk.call("create");
    await expect(undo(desk, id)).rejects.toMatchObject({
      ...refused("not-kept"),
      message: expect.stringContaining("no `key`") as string,
    });
  });

  test("a tool that has changed since needs force, and the ledger keeps the reason", async () => {
    const desk = openDesk();
    const { id } = await desk.call("create");
    const newer = openDesk({
      contracts: { create: { version: { skill: "s2", binding: "b2", manifest: "t2" } } },
      done: desk.done,
      runtime: { ledger: desk.runtime.ledger },
    });
    await expect(undo(newer, id)).rejects.toMatchObject(refused("changed-tool"));
    await undo(newer, id, { force: { because: "only a description changed" } });
    expect(desk.done).toEqual(["create a", "cancel a"]);
    expect((await desk.calls())[0]).toMatchObject({ forced: "only a description changed" });
  });

  test("a tool that names another way back now is refused even by force", async () => {
    const desk = openDesk();
    const { id } = await desk.call("create");
    const { rollback: _, ...other } = exampleTool(() => Promise.reject(new Error("not called")), {
      name: "create",
    });
    const newer = openDesk({
      contracts: { create: { ...other, rollback: { strategy: "none", reason: "no" } } },
      runtime: { ledger: desk.runtime.ledger },
    });
    const force = { because: "ada says so" };
    await expect(undo(newer, id, { force })).rejects.toMatchObject(refused("changed-tool"));
  });

  test("a removed tool is refused", async () => {
    const desk = openDesk();
    const { id } = await desk.call("create");
    const { desk__create: _, ...tools } = desk.tools;
    await expect(rollbackCall(tools, id, desk)).rejects.toMatchObject({ code: "POLICY.DENY_TOOL" });
  });

  test("a call whose outcome is unknown has to be settled first", async () => {
    const desk = openDesk({ send: () => Promise.reject(new Error("lost")) });
    const call = await desk.call("create");
    expect(call.outcome).toBe("unknown");
    await expect(undo(desk, call.id)).rejects.toMatchObject(refused("unknown-outcome"));
    await settleCall(desk.runtime.ledger, call as never, { as: "not-done", because: "looked" });
    await expect(undo(desk, call.id)).rejects.toMatchObject(refused("not-made"));
  });

  test("a call that somebody settled as done has no way back", async () => {
    const desk = openDesk({ send: () => Promise.reject(new Error("lost")) });
    const call = await desk.call("create");
    await settleCall(desk.runtime.ledger, call as never, { as: "done", because: "looked" });
    await expect(undo(desk, call.id)).rejects.toMatchObject(refused("no-way-back"));
    expect(desk.done).toEqual([]);
  });

  test("a rollback whose outcome is unknown blocks the next one until somebody settles it", async () => {
    let isLost = true;
    const desk = openDesk({
      send: (name, id) => {
        if (name === "cancel" && isLost) throw new Error("lost");
        return { status: "success", data: { id } };
      },
    });
    const { id } = await desk.call("create");
    await expect(undo(desk, id)).rejects.toMatchObject({ outcome: "unknown" });
    const [lost] = await desk.calls();
    const failure = { reason: "unknown-outcome", by: lost?.id };
    await expect(undo(desk, id)).rejects.toMatchObject({ failure });
    isLost = false;
    await settleCall(desk.runtime.ledger, lost as never, { as: "not-done", because: "looked" });
    expect(await undo(desk, id)).toMatchObject({ status: "rolled_back" });
    expect(desk.done).toEqual(["create a", "cancel a"]);
  });
});

describe("two rollbacks of a call", () => {
  test("the second is refused, and names the first", async () => {
    const desk = openDesk();
    const { id } = await desk.call("create");
    const first = await undo(desk, id);
    const failure = { reason: "rolled-back", by: "by" in first ? first.by : "" };
    await expect(undo(desk, id)).rejects.toMatchObject({ failure });
    expect(desk.done).toEqual(["create a", "cancel a"]);
  });

  test("only one of many at the same time is made", async () => {
    const desk = openDesk({ policy: {} });
    const { id } = await desk.call("create");
    const ends = await Promise.allSettled(Array.from({ length: 8 }, () => undo(desk, id)));
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(desk.done).toEqual(["create a", "cancel a"]);
  });
});

describe("governance of a rollback", () => {
  test("the scopes of the rolled-back tool are asked again, and the denial is recorded", async () => {
    const desk = openDesk({ policy: { create: { scopes: ["orders"] } } });
    const { id } = await desk.call("create", "a", { caller: { ...caller, scopes: ["orders"] } });
    await expect(undo(desk, id, { caller })).rejects.toMatchObject({
      code: "AUTH.FORBIDDEN",
      failure: { scopes: ["orders"] },
    });
    expect(desk.done).toEqual(["create a"]);
    expect((await desk.calls())[0]).toMatchObject({
      tool: "create",
      status: "denied",
      parameters: { id: "a" },
      rollbackOf: id,
      caller: { subject: "ada" },
    });
  });

  test("a paused tool can't be rolled back", async () => {
    const desk = openDesk({ policy: {} });
    const { id } = await desk.call("create");
    await desk.runtime.governance?.setToolState("desk/create", "paused", { by: "ops" });
    await expect(undo(desk, id)).rejects.toMatchObject({ code: "POLICY.DENY_TOOL" });
    expect(desk.done).toEqual(["create a"]);
  });

  test("the rolled-back tool needs no second approval, but the other tool needs its own", async () => {
    const approval = { conditional: false, ttlMs: 60_000 };
    const store = createMemoryStore();
    const desk = openDesk({
      policy: { create: { approval }, cancel: { approval } },
      governance: { store },
    });
    await desk.call("create", "a", { caller });
    const [asked] = await store.requests({});
    await desk.runtime.approve(asked?.id ?? "", { subject: "bob" });
    const { id } = await desk.call("create", "a", { caller });
    expect(desk.done).toEqual(["create a"]);
    await expect(undo(desk, id, { caller })).rejects.toMatchObject({
      code: "AUTH.APPROVAL_REQUIRED",
      tool: "desk/cancel",
    });
    const pending = await store.requests({ state: "pending" });
    await desk.runtime.approve(pending[0]?.id ?? "", { subject: "bob" });
    expect(await undo(desk, id, { caller })).toMatchObject({ status: "rolled_back" });
    expect(desk.done).toEqual(["create a", "cancel a"]);
  });

  test("the rolled-back tool spends no budget", async () => {
    const quota = { name: "few", per: ["tool"], tools: ["desk/create"], callsPerDay: 1 } as const;
    const desk = openDesk({ policy: { whole: { quotas: [quota] } } });
    const { id } = await desk.call("create");
    await undo(desk, id);
    expect(desk.done).toEqual(["create a", "cancel a"]);
  });

  test("a call of a shadow runtime is only recorded", async () => {
    const desk = openDesk();
    const { id } = await desk.call("create");
    const shadow = openDesk({
      done: desk.done,
      runtime: { ledger: desk.runtime.ledger, mode: "shadow" },
    });
    expect(await undo(shadow, id)).toMatchObject({ status: "not_rolled_back" });
    expect(await undo(desk, id)).toMatchObject({ status: "rolled_back" });
    expect(desk.done).toEqual(["create a", "cancel a"]);
  });

  test("a model can't ask for a rollback", async () => {
    const desk = openDesk({ policy: { cancel: { scopes: ["orders"] } } });
    const { id } = await desk.call("create");
    const undoing = { of: id, own: { parameters: { id: "a" } } };
    const args = { id: "b", rollbackOf: id, parent: id, "skillc.undoing": undoing };
    await dispatchTool(desk.tools, "desk__create", args, { runtime: desk.runtime });
    const [made] = await desk.calls();
    expect(made).toMatchObject({ tool: "create", caller: { origin: "llm" } });
    expect(made?.rollbackOf).toBeUndefined();
    expect(desk.done).toEqual(["create a", "create b"]);
  });
});

describe("a dry run of a rollback", () => {
  test("shows the call of the other tool, and changes and records nothing", async () => {
    const desk = openDesk({ policy: {} });
    const { id } = await desk.call("create");
    expect(await undo(desk, id, { dryRun: true })).toMatchObject({
      status: "would_roll_back",
      allow: true,
      other: { request: { id: "a" } },
    });
    expect(desk.done).toEqual(["create a"]);
    expect(await desk.calls()).toHaveLength(1);
  });

  test("reports which tool denies", async () => {
    const desk = openDesk({ policy: { create: { scopes: ["orders"] } } });
    const { id } = await desk.call("create", "a", { caller: { scopes: ["orders"] } });
    const preview = await undo(desk, id, { dryRun: true });
    expect(preview).toMatchObject({ allow: false, reason: { code: "AUTH.FORBIDDEN" } });
    expect(preview).not.toHaveProperty("other");
    expect(await desk.calls()).toHaveLength(1);
  });
});
