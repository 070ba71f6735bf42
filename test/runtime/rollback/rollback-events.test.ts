/** Events and spans of rollbacks. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ToolEvent } from "../../../src/runtime/governance/events.js";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { rollbackCall } from "../../../src/runtime/rollback/rollback-call.js";
import { exampleTool } from "../example-tool.js";
import { temporaryDirectory } from "../ledger/fixtures.js";
import { type DeskSetting, openDesk } from "./desk.js";

const caller = { tenant: "acme", subject: "ada", origin: "api" } as const;

/** A desk that collects its events. */
function listeningDesk(setting: DeskSetting = {}) {
  const events: ToolEvent[] = [];
  const desk = openDesk({
    policy: {},
    governance: { events: (event) => void events.push(event) },
    ...setting,
  });
  /** Makes a call and undoes it; returns the events of the rollback. */
  const undone = async () => {
    const { id } = await desk.call("create", "a", { caller });
    events.length = 0;
    const result = await rollbackCall(desk.tools, id, { runtime: desk.runtime, caller });
    return { id, result, events: events.filter(({ type }) => type !== "ToolRegistered") };
  };
  return { desk, events, undone };
}

/** A desk whose tool `create` writes a note. */
function noteDesk(setting: DeskSetting = {}) {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, "notes"));
  const path = join(directory, "notes/a");
  const create = exampleTool(
    async ({ keeper }, { id }) => {
      await keeper?.keep([path]);
      writeFileSync(path, "changed");
      await keeper?.left();
      return { result: { status: "success", data: { id } } };
    },
    { name: "create", rollback: { strategy: "backup" } },
  );
  const ledger = createFileLedger({ directory: join(directory, "ledger") });
  const desk = listeningDesk({ ...setting, contracts: { create }, runtime: { directory, ledger } });
  return { ...desk, path };
}

test("a restore announces its begin and its end, and which call it undoes", async () => {
  const { events, id, result } = await noteDesk().undone();
  const of = {
    tool_id: "desk/create",
    tenant: "acme",
    subject: "ada",
    origin: "api",
    effect: "write",
    call_id: "by" in result && result.by,
    rollback_of: id,
  };
  expect(events).toEqual([
    expect.objectContaining({ type: "ToolInvokeBegin", ...of }),
    expect.objectContaining({
      type: "ToolInvokeEnd",
      ...of,
      state: "Completed",
      status: "rolled_back",
      output_digest: expect.anything(),
    }),
  ]);
  // The binding sent nothing.
  expect(events[1]).not.toHaveProperty("side_effects_digest");
});

test("a restore that stops at a conflict announces that it failed", async () => {
  const { desk, events, path } = noteDesk();
  const { id } = await desk.call("create", "a", { caller });
  events.length = 0;
  writeFileSync(path, "somebody's work");
  await rollbackCall(desk.tools, id, { runtime: desk.runtime, caller }).catch(() => {});
  expect(events).toMatchObject([
    { type: "ToolInvokeBegin", rollback_of: id },
    { type: "ToolInvokeEnd", rollback_of: id, state: "Failed", error_code: "ROLLBACK.REFUSED" },
  ]);
});

test("a compensation announces only the call of the other tool", async () => {
  const { events, id, result } = await listeningDesk().undone();
  const of = {
    tool_id: "desk/cancel",
    call_id: "by" in result && result.by,
    rollback_of: id,
  };
  expect(events).toMatchObject([
    { type: "ToolInvokeBegin", ...of },
    { type: "ToolInvokeEnd", ...of, state: "Completed", status: "success" },
  ]);
});

test("a denial of the undone tool is announced, although another tool would undo the call", async () => {
  const { desk, events } = listeningDesk({ policy: { create: { scopes: ["orders.write"] } } });
  const scopes = ["orders.write"];
  const { id } = await desk.call("create", "a", { caller: { ...caller, scopes } });
  events.length = 0;
  const undo = rollbackCall(desk.tools, id, { runtime: desk.runtime, caller });
  await expect(undo).rejects.toMatchObject({ code: "AUTH.FORBIDDEN" });
  expect(events).toMatchObject([
    {
      type: "ToolInvokeEnd",
      tool_id: "desk/create",
      state: "Denied",
      error_code: "AUTH.FORBIDDEN",
      rollback_of: id,
    },
  ]);
});

test("a dry run, and a call that undoes nothing, announce no rollback", async () => {
  const { desk, events } = listeningDesk();
  const { id } = await desk.call("create", "a", { caller });
  expect(events.some((event) => "rollback_of" in event)).toBe(false);
  events.length = 0;
  await rollbackCall(desk.tools, id, { runtime: desk.runtime, caller, dryRun: true });
  expect(events).toEqual([]);
});
