import { describe, expect, test } from "vitest";
import { rollbackTrace } from "../../../src/runtime/rollback/rollback-trace.js";
import type { TraceRollbackOptions } from "../../../src/runtime/rollback/rollback-options.js";
import { type Desk, openDesk } from "./desk.js";

const trace = "t-1";

function undo({ runtime, tools }: Desk, options: TraceRollbackOptions = {}) {
  return rollbackTrace(tools, trace, { runtime, ...options });
}

describe("rollbackTrace", () => {
  test("undoes the calls of a trace, the newest first", async () => {
    const desk = openDesk();
    for (const id of ["a", "b", "c"]) await desk.call("create", id, { trace });
    await desk.call("create", "other", { trace: "t-2" });
    const { results, ...rest } = await undo(desk);
    expect(rest).toEqual({ status: "rolled_back", left: [] });
    expect(results.map(({ status }) => status)).toEqual(Array(3).fill("rolled_back"));
    expect(desk.done.slice(4)).toEqual(["cancel c", "cancel b", "cancel a"]);
  });

  test("leaves out calls that changed nothing, undone calls, and rollbacks", async () => {
    const desk = openDesk({
      contracts: { reopen: { effect: "read" } },
      send: (_, id) =>
        id === "limited" ? Promise.reject(new Error("lost")) : { status: "success", data: { id } },
    });
    await desk.call("reopen", "x", { trace });
    await desk.call("create", "shadow", { trace, mode: "shadow" });
    await desk.call("create", "a", { trace });
    expect(await undo(desk)).toMatchObject({ status: "rolled_back", results: [{}] });
    expect(await undo(desk)).toEqual({ status: "rolled_back", results: [], left: [] });
    expect(desk.done).toEqual(["reopen x", "create a", "cancel a"]);
  });

  test("stops at the first call that can't be undone, and says what is left", async () => {
    const rollback = { strategy: "none", reason: "it is final" } as const;
    const desk = openDesk({ contracts: { cancel: { rollback } } });
    const first = await desk.call("create", "a", { trace });
    const second = await desk.call("cancel", "b", { trace });
    await desk.call("create", "c", { trace });
    expect(await undo(desk)).toMatchObject({
      status: "stopped",
      results: [{ status: "rolled_back", answer: { data: { id: "c" } } }],
      stopped: { call: second.id, tool: "desk/cancel", error: { code: "ROLLBACK.REFUSED" } },
      left: [
        { call: second.id, tool: "desk/cancel" },
        { call: first.id, tool: "desk/create" },
      ],
    });
    expect(desk.done).toEqual(["create a", "cancel b", "create c", "cancel c"]);
  });

  test("stops at an answer without data", async () => {
    const desk = openDesk({
      send: (name, id) =>
        name === "cancel" && id === "b"
          ? { status: "rate_limited", error: "later" }
          : { status: "success", data: { id } },
    });
    for (const id of ["a", "b"]) await desk.call("create", id, { trace });
    expect(await undo(desk)).toMatchObject({
      status: "stopped",
      results: [{ status: "not_rolled_back" }],
      left: [{}, {}],
    });
  });

  test("undoes a call with a way back in place of the calls that it made", async () => {
    const desk = openDesk();
    const outer = await desk.call("create", "outer", { trace });
    const inner = await desk.call("create", "inner", { trace, parent: outer.id });
    await desk.call("create", "innermost", { trace, parent: inner.id });
    await undo(desk);
    expect(desk.done.slice(3)).toEqual(["cancel outer"]);
  });

  test("undoes the calls of a call that has no way back of its own", async () => {
    const desk = openDesk();
    const outer = await desk.call("reopen", "plan", { trace });
    await desk.call("create", "a", { trace, parent: outer.id });
    await desk.call("create", "b", { trace, parent: outer.id });
    expect(await undo(desk)).toMatchObject({ status: "rolled_back" });
    expect(desk.done.slice(3)).toEqual(["cancel b", "cancel a"]);
  });

  test("leaves out calls of another tenant", async () => {
    const desk = openDesk({ policy: {} });
    await desk.call("create", "a", { trace, caller: { tenant: "acme" } });
    await desk.call("create", "b", { trace, caller: { tenant: "other" } });
    await undo(desk, { caller: { tenant: "acme" } });
    expect(desk.done.slice(2)).toEqual(["cancel a"]);
  });

  test("a dry run previews all calls, and changes and records nothing", async () => {
    const desk = openDesk();
    for (const id of ["a", "b"]) await desk.call("create", id, { trace });
    const { results, status } = await undo(desk, { dryRun: true });
    expect(status).toBe("would_roll_back");
    expect(results).toMatchObject([
      { other: { request: { id: "b" } } },
      { other: { request: { id: "a" } } },
    ]);
    expect(desk.done).toHaveLength(2);
    expect(await desk.calls()).toHaveLength(2);
  });

  test("stops before the next call if the caller aborts", async () => {
    const stop = new AbortController();
    const desk = openDesk({
      send: (name, id) => {
        if (name === "cancel") stop.abort();
        return { status: "success", data: { id } };
      },
    });
    for (const id of ["a", "b"]) await desk.call("create", id, { trace });
    const result = await undo(desk, { signal: stop.signal });
    expect(result).toMatchObject({ status: "stopped", stopped: { error: {} } });
    expect(desk.done.filter((each) => each === "cancel a")).toEqual([]);
  });
});
