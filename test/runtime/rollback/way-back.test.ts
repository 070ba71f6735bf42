/** How a call can be undone, as its end record tells it. */
import { describe, expect, onTestFinished, test } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import type { BoundCaller } from "../../../src/runtime/caller.js";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import { withUndoing } from "../../../src/runtime/call/undoing.js";
import { governance } from "../../../src/runtime/governance/index.js";
import type { KeptAttachment } from "../../../src/runtime/ledger/attachments.js";
import { queryStore } from "../../../src/runtime/ledger/query.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { openSealed } from "../../../src/runtime/ledger/sealed-attachment.js";
import type { AnyResult } from "../../../src/runtime/result.js";
import type { ToolRollback } from "../../../src/runtime/rollback/tool-rollback.js";
import type { WayBack } from "../../../src/runtime/rollback/way-back.js";
import { createRuntime, type RuntimeOptions } from "../../../src/runtime/runtime.js";
import { type Contract, exampleTool, type Params, succeed } from "../example-tool.js";
import { policyOf } from "../governance/governed.js";
import { temporaryDirectory } from "../ledger/fixtures.js";
import { listed } from "../../support/listed.js";
import { describeEachLedger } from "../ledger/kinds.js";

const key = Buffer.alloc(32, 7);

/** A way back by another tool. */
function compensate(
  parameters: (args: Params, result: AnyResult, caller: BoundCaller) => unknown,
): ToolRollback<Params> {
  return { strategy: "compensate", tool: "desk/undo-it", parameters, call: succeed as never };
}

const byId = compensate(({ id }) => ({ id }));
const idOf = (result: AnyResult) =>
  (result as { readonly data?: { readonly id?: string } }).data?.id;

interface Setting {
  readonly tool?: Partial<Contract>;
  readonly data?: unknown;
  readonly params?: Params;
  readonly hasKey?: boolean;
  readonly runtime?: RuntimeOptions;
  readonly options?: CallOptions;
}

/** Makes a call of a tool, and returns its record. */
async function record({
  data,
  hasKey = true,
  options,
  params = { id: "4711" },
  ...given
}: Setting) {
  const runtime = createRuntime({
    directory: temporaryDirectory(),
    env: {},
    inherit: false,
    governance: governance({ policy: policyOf(), ...(hasKey ? { key } : {}) }),
    ...given.runtime,
  });
  onTestFinished(() => runtime.close());
  const answer = async () => ({ result: { status: "success", data } as const });
  const tool = exampleTool(data === undefined ? succeed : answer, {
    rollback: byId,
    ...given.tool,
  });
  await callTool(tool, params, { runtime, ...options }).catch(() => {});
  const [call] = await listed(queryStore(runtime.ledger));
  if (call === undefined) throw new Error("the ledger has no call");
  const open = async (): Promise<unknown> => {
    const seal = runtime.governance?.wayBackSeal;
    const text = { kept: sealedOf(call.rollback), context: call.id, what: "the text" };
    return JSON.parse(await openSealed(runtime.ledger, seal, text));
  };
  return { call, open, runtime };
}

function sealedOf(wayBack: WayBack | undefined): KeptAttachment {
  if (wayBack?.strategy === "compensate" && "sealed" in wayBack.parameters)
    return wayBack.parameters.sealed;
  throw new Error("the parameters are not sealed");
}

describe("the record of a call that another tool can undo", () => {
  test("the record contains the parameters of the other tool", async () => {
    const { call } = await record({
      data: { id: "o-1" },
      tool: { rollback: compensate(({ id }, result) => ({ order: idOf(result), for: id })) },
    });
    expect(call.rollback).toEqual({
      strategy: "compensate",
      tool: "desk/undo-it",
      parameters: { json: '{"order":"o-1","for":"4711"}' },
    });
  });

  test("a field of the caller can be a parameter of the other tool", async () => {
    const { call } = await record({
      options: { caller: { tenant: "acme", subject: "ada" } },
      tool: {
        caller: ["tenant", "subject"],
        rollback: compensate(({ id }, _, { subject, tenant }) => ({ id, of: [tenant, subject] })),
      },
    });
    expect(call.rollback).toMatchObject({
      parameters: { json: '{"id":"4711","of":["acme","ada"]}' },
    });
  });

  test.each<[string, Setting]>([
    ["a masked parameter", { tool: { maskedParams: [["id"]] } }],
    [
      "a text made of a masked number",
      {
        params: { id: "4711", limit: 12 },
        tool: {
          maskedParams: [["limit"]],
          rollback: compensate(({ id, limit = 0 }) => ({ id, limit })),
        },
      },
    ],
    [
      "a masked value of the answer",
      {
        data: { id: "4711" },
        tool: {
          maskedResult: [["id"]],
          rollback: compensate((_, result) => ({ id: idOf(result) })),
        },
      },
    ],
    [
      "a masked parameter that the answer repeats",
      {
        data: { id: "secret-4711" },
        params: { id: "secret-4711" },
        tool: {
          maskedParams: [["id"]],
          rollback: compensate((_, result) => ({ id: idOf(result) })),
        },
      },
    ],
    [
      "a credential",
      {
        data: { id: "token-of-the-test" },
        runtime: { credentials: { TOKEN: "token-of-the-test" } },
        tool: { rollback: compensate((_, result) => ({ id: idOf(result) })) },
      },
    ],
    ["more than 4 KiB", { params: { id: "x".repeat(5000) } }],
  ])("encrypts parameters with %s", async (_, setting) => {
    const { call, open, runtime } = await record({
      ...setting,
      ...(setting.runtime && {
        runtime: { ...setting.runtime, governance: governance({ policy: policyOf(), key }) },
      }),
    });
    expect(call.rollback).toMatchObject({ parameters: { sealed: {} } });
    const params = setting.params ?? { id: "4711" };
    const id = idOf({ data: setting.data } as never) ?? params.id;
    expect(await open()).toEqual({ ...params, id });
    expect(call.attachments).toMatchObject([{ name: "rollback parameters" }]);
    expect(await runtime.ledger.verify()).toMatchObject({
      problems: [],
      attachments: { intact: 1 },
    });
  });

  test("only the key and the call that sealed the parameters open them", async () => {
    const { call, runtime } = await record({ tool: { maskedParams: [["id"]] } });
    const kept = sealedOf(call.rollback);
    const open = (context: string, other = key) =>
      openSealed(runtime.ledger, governance({ policy: policyOf(), key: other }).wayBackSeal, {
        kept,
        context,
        what: "the text",
      });
    expect(await open(call.id)).toBe('{"id":"4711"}');
    await expect(open("another call")).rejects.toThrow("another `key`");
    await expect(open(call.id, Buffer.alloc(32, 8))).rejects.toThrow("another `key`");
  });

  test.each<[string, string, Setting]>([
    ["no-key", "governance has no key", { hasKey: false, tool: { maskedParams: [["id"]] } }],
    [
      "no-ledger",
      "the ledger keeps no attachments",
      { runtime: { ledger: createMemoryLedger() }, tool: { maskedParams: [["id"]] } },
    ],
    ["too-large", "they have more than 1 MiB", { params: { id: "x".repeat(1024 * 1024) } }],
    [
      "not-built",
      "the answer lacks a part that they need",
      {
        tool: {
          rollback: compensate((_, result) => ({
            id: (result as unknown as { data: { order: { id: string } } }).data.order.id,
          })),
        },
      },
    ],
  ])("says %s if %s", async (omitted, _, setting) => {
    const { call } = await record(setting);
    expect(call.rollback).toMatchObject({ parameters: { omitted } });
  });
});

describe("the way back of a call", () => {
  test("the record contains the reason why nothing undoes the call", async () => {
    const rollback = { strategy: "none", reason: "an e-mail cannot be unsent" } as const;
    const { call } = await record({ tool: { rollback } });
    expect(call.rollback).toEqual(rollback);
  });

  test.each<[string, Setting]>([
    ["a read", { tool: { effect: "read" } }],
    ["a shadow call", { options: { mode: "shadow" } }],
    [
      "a call that governance denied",
      { runtime: { governance: governance({ policy: policyOf({ scopes: ["write"] }) }) } },
    ],
    [
      "a call that failed",
      { tool: { ...exampleTool(() => Promise.reject(new Error("no"))), rollback: byId } },
    ],
    [
      "an answer that is no success",
      {
        tool: {
          ...exampleTool(async () => ({ result: { status: "rate_limited", error: "later" } })),
          rollback: byId,
        },
      },
    ],
  ])("%s leaves no way back", async (_, setting) => {
    const { call } = await record(setting);
    expect(call.rollback).toBeUndefined();
  });

  test("an answer from the store has no way back of its own", async () => {
    const policy = policyOf({ idempotency: "keyed" });
    const ledger = createMemoryLedger();
    const runtime = createRuntime({ ledger, env: {}, governance: governance({ policy, key }) });
    const tool = exampleTool(succeed, { rollback: byId });
    for (const _ of [1, 2]) await callTool(tool, { id: "a" }, { runtime, idempotencyKey: "once" });
    const calls = await listed(queryStore(ledger));
    expect(calls.map(({ rollback }) => rollback?.strategy)).toEqual([undefined, "compensate"]);
  });
});

await describeEachLedger((kind) => {
  test("a ledger returns the way back, and the call that a call undoes", async () => {
    const place = await kind.place();
    const ledger = place.open();
    const runtime = createRuntime({ ledger, env: {}, inherit: false });
    const tool = exampleTool(succeed, { rollback: byId });
    await callTool(tool, { id: "a" }, withUndoing({ runtime }, { of: "call-1" }));
    const parameters = { json: '{"id":"a"}' };
    for (const store of [ledger, place.open()]) {
      const found = await listed(queryStore(store, { parent: "call-1" }));
      expect(found).toMatchObject([
        { rollbackOf: "call-1", rollback: { strategy: "compensate", parameters } },
      ]);
    }
    expect((await ledger.verify()).problems).toEqual([]);
  });
});
