/** Policies that are asked again when a call is rolled back, and the events of a rollback. */
import { describe, expect, test } from "vitest";
import type { ToolEvent } from "../../../src/runtime/governance/events.js";
import { rollbackCall } from "../../../src/runtime/rollback/rollback-call.js";
import { type Desk, openDesk } from "./desk.js";

const text = { type: "String" } as const;
const texts = { type: "Set", element: text } as const;
const args = { type: "Record", attributes: { id: text } } as const;
const context = {
  type: "Record",
  attributes: { args, origin: text, risk: text, effect: text, scopes: texts, capabilities: texts },
} as const;
const action = {
  appliesTo: { principalTypes: ["Caller"], resourceTypes: ["Tenant"], context },
} as const;
const schema = {
  "": {
    entityTypes: { Tenant: {}, Role: {}, Caller: { memberOfTypes: ["Role", "Tenant"] } },
    actions: { "desk/create": action, "desk/cancel": action, "desk/reopen": action },
  },
};

function governedBy(policy: string, contract = {}) {
  const cedar = { schema, policies: { rule: policy }, approvals: {} };
  return openDesk({ contracts: { create: contract }, policy: { whole: { cedar } } });
}

const undo = ({ runtime, tools }: Desk, id: string, subject: string) =>
  rollbackCall(tools, id, { runtime, caller: { subject } });

describe("policies of the rolled-back tool", () => {
  const about = 'principal == Caller::"eve", action == Action::"desk/create", resource';
  const forbidden = `forbid(${about}) when { context.args.id == "a" };`;

  test("policies decide with the recorded parameters", async () => {
    const desk = governedBy(forbidden);
    const first = await desk.call("create", "a");
    const second = await desk.call("create", "b");
    const denied = { code: "AUTH.FORBIDDEN", failure: { reason: "policy", decidedBy: ["rule"] } };
    await expect(undo(desk, first.id, "eve")).rejects.toMatchObject(denied);
    await undo(desk, second.id, "eve");
    await undo(desk, first.id, "ada");
    expect(desk.done.slice(2)).toEqual(["cancel b", "cancel a"]);
  });

  test("policies deny if they read a parameter that the record masks", async () => {
    const desk = governedBy(forbidden, { maskedParams: [["id"]] });
    const { id } = await desk.call("create", "b");
    const engine = { code: "AUTH.FORBIDDEN", failure: { reason: "engine" } };
    await expect(undo(desk, id, "ada")).rejects.toMatchObject({
      ...engine,
      message: expect.stringContaining("`args.id` is not in the record of the call") as string,
    });
  });

  test("policies permit if they don't read it", async () => {
    const desk = governedBy(`forbid(${about});`, { maskedParams: [["id"]] });
    const { id } = await desk.call("create", "b");
    // The parameters were not kept, which is asked after the policies.
    await expect(undo(desk, id, "ada")).rejects.toMatchObject({ failure: { reason: "not-kept" } });
  });
});

test("a rollback announces the events of the other tool's call, and its denial", async () => {
  const events: ToolEvent[] = [];
  const desk = openDesk({
    policy: { create: { scopes: ["orders"] } },
    governance: { events: (event) => void events.push(event) },
  });
  const { id } = await desk.call("create", "a", { caller: { scopes: ["orders"] } });
  events.length = 0;
  const asking = (scopes: readonly string[]) =>
    rollbackCall(desk.tools, id, { runtime: desk.runtime, caller: { scopes } });
  await asking([]).catch(() => {});
  expect(events).toMatchObject([
    { type: "ToolInvokeEnd", tool_id: "desk/create", state: "Denied" },
  ]);
  events.length = 0;
  await asking(["orders"]);
  expect(events.filter(({ type }) => type !== "ToolRegistered")).toMatchObject([
    { type: "ToolInvokeBegin", tool_id: "desk/cancel" },
    { type: "ToolInvokeEnd", tool_id: "desk/cancel", state: "Completed" },
  ]);
});
