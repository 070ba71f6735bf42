import { describe, expect, test, vi } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { queryStore, type StoreQuery } from "../../../src/runtime/ledger/query.js";
import type { LedgerCall } from "../../../src/runtime/ledger/ledger-call.js";
import type { LedgerStore } from "../../../src/runtime/ledger/store.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { isToolError } from "../../../src/runtime/errors.js";
import { createMemoryStore, governance } from "../../../src/runtime/governance/index.js";
import type { ToolEvent } from "../../../src/runtime/governance/events.js";
import type { Obligation, ProjectPolicy } from "../../../src/runtime/governance/policy.js";
import { httpReach } from "../../../src/runtime/reach.js";
import type { Attempt } from "../../../src/runtime/call/attempt.js";
import { type Contract, exampleTool, type Result, succeed } from "../example-tool.js";
import { makeProject } from "../../cli/support/command-line.js";
import { govern, policyOf } from "./governed.js";

const caller = {
  tenant: "acme",
  subject: "ada",
  origin: "llm",
  scopes: ["a scope"],
  roles: ["a role"],
} as const;

async function callsIn(store: LedgerStore, query: StoreQuery = {}): Promise<readonly LedgerCall[]> {
  const calls: LedgerCall[] = [];
  for await (const call of queryStore(store, query)) calls.push(call);
  return calls;
}

describe("the ledger of governed calls", () => {
  test("records a refused call as denied, with its caller and the rule that decided", async () => {
    const { call, ledger } = govern(policyOf({ scopes: ["orders.write"] }));
    await expect(call(exampleTool(succeed), { caller })).rejects.toThrow("orders.write");
    expect(ledger.records).toHaveLength(1);
    expect(ledger.records[0]).toMatchObject({
      type: "end",
      status: "denied",
      attempts: 0,
      error: { code: "AUTH.FORBIDDEN" },
      decision: { policy: "p1", decidedBy: ["scopes"], obligations: [], spent: {} },
    });
    // What a caller may do is no part of it: what decided is.
    expect(ledger.records[0]?.caller).toEqual({ tenant: "acme", subject: "ada", origin: "llm" });
  });

  test("records the caller at begin and end of a call, and the decision at its end", async () => {
    const { call, ledger } = govern(policyOf({ limits: { callsPerMinute: 5 } }));
    await call(exampleTool(succeed), { caller });
    const who = { tenant: "acme", subject: "ada", origin: "llm" };
    expect(ledger.records).toMatchObject([
      { type: "begin", caller: who },
      {
        type: "end",
        status: "success",
        caller: who,
        decision: {
          policy: "p1",
          decidedBy: ["implicit-permit"],
          spent: { "calls_per_minute of tenant acme, desk/do-it": 1 },
        },
      },
    ]);
    expect(ledger.records[0]).not.toHaveProperty("decision");
  });

  test("counts the bytes of an answer as spent, and a replay only as one call", async () => {
    const quota = { name: "day", per: ["tenant"] } as const;
    const events: ToolEvent[] = [];
    const { call, ledger } = govern(
      policyOf(
        { idempotency: "keyed", limits: { cost: 5 } },
        { quotas: [{ ...quota, callsPerDay: 9, costPerDay: 100, bytesOutPerDay: 1000 }] },
      ),
      { events: (event) => void events.push(event) },
    );
    const options = { caller, idempotencyKey: "k" };
    await call(exampleTool(succeed), options);
    await call(exampleTool(succeed), options);
    const bytes = Buffer.byteLength('{"status":"success","data":{"ok":true}}');
    const spent = [
      {
        "calls_per_day of day, tenant acme": 1,
        "cost_per_day of day, tenant acme": 5,
        "bytes_out_per_day of day, tenant acme": bytes,
      },
      { "calls_per_day of day, tenant acme": 1 },
    ];
    const ends = ledger.records.flatMap((each) => (each.type === "end" ? [each] : []));
    expect(ends.map(({ decision }) => decision?.spent)).toEqual(spent);
    const told = events.flatMap((each) =>
      each.type === "ToolInvokeEnd" ? [each.budget_used] : [],
    );
    expect(told).toEqual(spent);
  });

  test.each([
    ["in the same turn", (answer: unknown) => answer],
    ["later", (answer: unknown) => Promise.resolve(answer)],
  ])("records the same for a store that answers %s", async (_, answered) => {
    const memory = createMemoryStore();
    const store = new Proxy(memory, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => answered(value.apply(target, given));
      },
    });
    const { call, ledger } = govern(
      policyOf(
        { idempotency: "keyed", concurrency: "serial", limits: { concurrent: 3, bytesOut: 99 } },
        {
          quotas: [{ name: "day", per: ["tenant"], bytesInPerDay: 99, bytesOutPerDay: 999 }],
          obligations: [
            {
              name: "ok",
              tools: ["desk/do-it"],
              action: { do: "mask", at: ["ok"] },
              unless: ["plain"],
            },
          ],
        },
      ),
      { store, key: Buffer.alloc(32) },
    );
    let running = 0;
    let most = 0;
    const slow = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return succeed();
    };
    const made = await Promise.all(
      ["k", "l", "k"].map((idempotencyKey) => call(exampleTool(slow), { caller, idempotencyKey })),
    );
    const masked = { status: "success", data: { ok: "***" } };
    expect(made).toEqual([masked, masked, masked]);
    expect(most).toBe(1);
    const ends = ledger.records.flatMap((each) => (each.type === "end" ? [each] : []));
    const replays = ends.filter(({ decision }) => decision?.replayOf !== undefined);
    expect([ends.length, replays.length]).toEqual([3, 1]);
    const bytes = { "bytes_in_per_day of day, tenant acme": 10 };
    const answers = { "bytes_out_per_day of day, tenant acme": 39 };
    const held = { "concurrent of tenant acme, desk/do-it": 1 };
    expect(ends.find((each) => !replays.includes(each))?.decision?.spent).toEqual({
      ...held,
      ...bytes,
      ...answers,
    });
    const last = call(exampleTool(succeed), {
      caller: { ...caller, scopes: ["plain"] },
      idempotencyKey: "m",
    });
    expect(await last).toEqual({ status: "success", data: { ok: true } });
  });

  test.each(["read", "write"] as const)(
    "records a %s whose answer is withheld as made, with the answer and with the caller's error",
    async (effect) => {
      const events: ToolEvent[] = [];
      const policy = policyOf({ effect, limits: { bytesOut: 2 } });
      const { call, ledger } = govern(policy, { events: (event) => void events.push(event) });
      const error: unknown = await call(exampleTool(succeed, { effect })).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({
        code: "QUOTA.BUDGET_EXCEEDED",
        outcome: effect === "read" ? "not-done" : "unknown",
        message:
          "the answer of `desk/do-it` has 39 bytes, but at most 2 are allowed; the call was made",
      });
      expect(ledger.records.at(-1)).toMatchObject({
        status: "success",
        result: '{"status":"success","data":{"ok":true}}',
        error: { code: "QUOTA.BUDGET_EXCEEDED" },
      });
      expect(events.at(-1)).toMatchObject({
        state: "Completed",
        status: "success",
        error_code: "QUOTA.BUDGET_EXCEEDED",
        output_digest: { bytes: 39 },
      });
      const [found] = await callsIn(ledger);
      expect(found).toMatchObject({ outcome: "ended", status: "success" });
    },
  );

  test("keeps the key of a write whose answer is withheld, even if the store missed its end", async () => {
    const store = createMemoryStore();
    const policy = policyOf({ idempotency: "keyed", limits: { bytesOut: 2 } });
    const { call, ledger } = govern(policy, { store });
    const send = vi.fn(succeed);
    await expect(call(exampleTool(send), { idempotencyKey: "k" })).rejects.toThrow(
      "at most 2 are allowed",
    );
    const callId = ledger.records[0]?.id ?? "";
    // Begun for as long as nobody says what became of the call.
    vi.spyOn(store, "begin").mockImplementation(({ settled }) =>
      settled === undefined ? { state: "unknown", callId } : { state: "begun" },
    );
    await expect(call(exampleTool(send), { idempotencyKey: "k" })).rejects.toMatchObject({
      failure: { code: "IDEMPOTENCY.REFUSED", reason: "answer-not-kept", call: callId },
    });
    expect(send).toHaveBeenCalledOnce();
  });

  test("records the outcome of the write if its answer is an error and is withheld", async () => {
    const { call, ledger } = govern(policyOf({ limits: { bytesOut: 2 } }));
    const fail = async () => ({ result: { status: "error", error: "no" } as unknown as Result });
    await expect(call(exampleTool(fail))).rejects.toMatchObject({ outcome: "not-done" });
    expect(ledger.records.at(-1)).toMatchObject({ status: "error" });
  });

  test("counts the bytes of a withheld answer as spent, because they were received", async () => {
    const quota = { name: "day", per: ["tenant"], bytesOutPerDay: 100 } as const;
    const { call, ledger } = govern(policyOf({ limits: { bytesOut: 2 } }, { quotas: [quota] }));
    for (let made = 0; made < 3; made += 1)
      await expect(call(exampleTool(succeed), { caller })).rejects.toThrow("at most 2 are allowed");
    expect(ledger.records.at(-1)).toMatchObject({
      decision: { spent: { "bytes_out_per_day of day, tenant acme": 39 } },
    });
    await expect(call(exampleTool(succeed), { caller })).rejects.toMatchObject({
      failure: { budget: "bytes_out_per_day of day, tenant acme", limit: 100 },
    });
    expect(ledger.records.at(-1)).toMatchObject({ status: "denied" });
  });

  test("records a call as made if its answer nests too deep for an obligation or for counting its bytes", async () => {
    const deep: unknown = JSON.parse(`${"[".repeat(20_000)}"a"${"]".repeat(20_000)}`);
    const tool = exampleTool(async () => ({ result: { status: "success", data: deep } }));
    const of = (action: Obligation["action"]) => ({
      obligations: [{ name: "hide", tools: ["desk/do-it"], unless: [], action }],
    });
    const path = Array.from({ length: 20_000 }, () => "*");
    const tooDeep = [
      policyOf({}, of({ do: "redact", at: [], pattern: "a" })),
      policyOf({}, of({ do: "redact", at: ["*"], pattern: "a" })),
      policyOf({}, of({ do: "mask", at: path })),
      policyOf({}, of({ do: "drop", at: path })),
    ];
    for (const policy of tooDeep) {
      const { call, ledger } = govern(policy);
      await expect(call(tool)).rejects.toMatchObject({
        failure: { code: "SCHEMA.VALIDATION_FAILED", subject: "result" },
        outcome: "unknown",
        message: expect.stringContaining("nested too deeply"),
      });
      expect(ledger.records.at(-1)).toMatchObject({ type: "end", status: "success" });
    }
    const counted = govern(policyOf({ limits: { bytesOut: 2 } }));
    // Newer engines write JSON of any depth: there its bytes are counted, and too many.
    await expect(counted.call(tool)).rejects.toMatchObject({
      failure: {
        code: expect.stringMatching(/^(?:SCHEMA\.VALIDATION_FAILED|QUOTA\.BUDGET_EXCEEDED)$/),
      },
      outcome: "unknown",
    });
    expect(counted.ledger.records.at(-1)).toMatchObject({ type: "end", status: "success" });
    const marked = govern(policyOf({}, of({ do: "watermark", text: "internal" })));
    expect(await marked.call(tool)).toMatchObject({ watermark: "internal" });
    const masked = govern(policyOf({}, of({ do: "mask", at: ["*"] })));
    expect(await masked.call(tool)).toEqual({ status: "success", data: ["***"] });
    const dropped = govern(policyOf({}, of({ do: "drop", at: ["*"] })));
    expect(await dropped.call(tool)).toEqual({ status: "success", data: [] });
  });

  test("records the trace of the call, and else that of its caller", async () => {
    const { call, ledger } = govern(policyOf());
    await call(exampleTool(succeed), { caller: { trace: "of the caller" } });
    await call(exampleTool(succeed), { caller: { trace: "other" }, trace: "of the call" });
    expect(ledger.records.map(({ trace }) => trace)).toEqual([
      "of the caller",
      "of the caller",
      "of the call",
      "of the call",
    ]);
  });

  test("records neither caller nor decision for a runtime without governance", async () => {
    const ledger = createMemoryLedger();
    const runtime = createRuntime({ ledger, env: {}, inherit: false });
    await callTool(exampleTool(succeed), { id: "a" }, { runtime, caller });
    const missing = exampleTool(succeed, { prerequisites: { env: ["NOT_SET"] } });
    await expect(callTool(missing, { id: "a" }, { runtime, caller })).rejects.toThrow("NOT_SET");
    for (const record of ledger.records) {
      expect(record).not.toHaveProperty("caller");
      expect(record).not.toHaveProperty("decision");
    }
    expect(ledger.records.at(-1)).toMatchObject({ status: "failed" });
  });

  test.each([
    ["in memory", () => createMemoryLedger()],
    ["in files", () => createFileLedger({ directory: `${makeProject()}/ledger` })],
  ])("%s is searched by tenant, subject and denial", async (_, open) => {
    const ledger = open();
    const runtime = createRuntime({
      ledger,
      env: {},
      inherit: false,
      governance: governance({ policy: policyOf({ scopes: ["orders.write"] }) }),
    });
    const tool = exampleTool(succeed);
    const scopes = ["orders.write"];
    const ada = { tenant: "acme", subject: "ada" };
    await callTool(tool, { id: "a" }, { runtime, caller: { ...ada, scopes } });
    await callTool(tool, { id: "b" }, { runtime, caller: ada }).catch(() => {});
    await callTool(tool, { id: "c" }, { runtime, caller: { ...ada, tenant: "x", scopes } });
    const ids = async (query: StoreQuery) =>
      (await callsIn(ledger, query)).map(({ parameters }) => (parameters as { id: string }).id);
    expect(await ids({ tenant: "acme" })).toEqual(["b", "a"]);
    expect(await ids({ tenant: "acme", status: "denied" })).toEqual(["b"]);
    expect(await ids({ subject: "ada" })).toEqual(["c", "b", "a"]);
    expect(await ids({ subject: "acme" })).toEqual([]);
    const [denied] = await callsIn(ledger, { status: "denied" });
    expect(denied).toMatchObject({
      outcome: "ended",
      caller: ada,
      decision: { decidedBy: ["scopes"] },
    });
    expect((await ledger.verify()).problems).toEqual([]);
    await ledger.close();
  });

  test("rejects a record whose caller or decision has another shape", async () => {
    const { parseRecord } = await import("../../../src/runtime/ledger/chain/chain-record.js");
    const { call, ledger } = govern(policyOf());
    await call(exampleTool(succeed), { caller });
    const end = ledger.records.at(-1);
    const read = (changes: object) => parseRecord(JSON.stringify({ ...end, ...changes }));
    expect(read({})).toEqual(end);
    for (const decision of [1, {}, { policy: "p", decidedBy: [1], obligations: [], spent: {} }])
      expect(read({ decision })).toBeUndefined();
    expect(read({ caller: { tenant: 1 } })).toBeUndefined();
  });
});

describe("a parameter that is masked", () => {
  const secret = "123-45-6789";

  /** A tool with such a parameter in its path, as a binding of HTTP would have it. */
  function patientsTool(send: (attempt: Attempt) => void = () => {}): Contract {
    const tool = exampleTool(
      async (attempt) => {
        send(attempt);
        return succeed();
      },
      { maskedParams: [["id"]] },
    );
    const prepare: Contract["binding"]["prepare"] = (args, call) => ({
      ...tool.binding.prepare(args, call),
      credentials: ["U"],
      reach: (open) => [httpReach("GET", open?.("U") ?? "${U}", `/patients/${args.id}`)],
    });
    return { ...tool, binding: { kind: "example", prepare } };
  }

  async function refusalOf(
    policy: ProjectPolicy,
    { mode, tool = patientsTool() }: { readonly mode?: "shadow"; readonly tool?: Contract } = {},
  ) {
    const governed = govern(policy, {}, { U: "https://x.example" });
    const options = mode === undefined ? {} : { mode };
    const error: unknown = await governed.call(tool, options, { id: secret }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!isToolError(error)) throw new Error(`not a ToolError: ${String(error)}`);
    const { failure, message } = error;
    const told = JSON.stringify([failure, message, error.stack, governed.ledger.records]);
    return { failure, message, told };
  }

  test.each([undefined, "shadow"] as const)(
    "does not appear in the error of a blocked call (mode %s)",
    async (mode) => {
      const { failure, told } = await refusalOf(
        policyOf(
          { capabilities: ["net.http:get ${U}/patients/{id}"] },
          { capabilities: ["net.http:get ${U}/orders"] },
        ),
        mode === undefined ? {} : { mode },
      );
      expect(failure).toEqual({
        code: "SANDBOX.CAPABILITY_BLOCKED",
        capability: "net.http:get ${U}/patients/***",
        by: "deployment",
      });
      expect(told).not.toContain(secret);
    },
  );

  test("does not appear in the error of a blocked redirect or of a request that can't be built without it", async () => {
    const capabilities = ["net.http:get ${U}/patients/{id}"];
    const redirected = patientsTool(({ hooks }) => {
      hooks.redirecting?.(httpReach("GET", "https://y.example", `/patients/${secret}`));
    });
    const away = await refusalOf(policyOf({ capabilities }), { tool: redirected });
    expect(away.failure).toMatchObject({ capability: "net.http:get https://y.example" });
    expect(away.told).not.toContain(secret);
    const { binding, ...rest } = patientsTool();
    const prepare: Contract["binding"]["prepare"] = (args, call) => {
      if (args.id === "***") throw new Error("not a number of a patient");
      return binding.prepare(args, call);
    };
    const picky = { ...rest, binding: { ...binding, prepare } };
    const refused = await refusalOf(policyOf({ capabilities: [] }), { tool: picky });
    expect(refused.failure).toMatchObject({ capability: "net.http:get ${U}" });
    expect(refused.told).not.toContain(secret);
  });

  test("a masked parameter is masked in the receipt of a repeated keyed call, as in the first receipt", async () => {
    const { binding, ...rest } = exampleTool(
      async (_, args) => ({ result: { status: "success", data: { topic: args.id } } }),
      { maskedParams: [["id"]] },
    );
    const prepare: Contract["binding"]["prepare"] = (args, call) => ({
      ...binding.prepare(args, call),
      isReceipt: true,
      // Of the arguments of this very tool, masked.
      maskResult: (result, shown) => ({ ...result, data: { topic: (shown as { id: string }).id } }),
    });
    const events: ToolEvent[] = [];
    const ledger = createFileLedger({
      directory: `${makeProject()}/ledger`,
      attachments: { results: {} },
    });
    const runtime = createRuntime({
      ledger,
      env: {},
      inherit: false,
      governance: governance({
        policy: policyOf({ idempotency: "keyed" }),
        events: (event) => void events.push(event),
      }),
    });
    const tool = { ...rest, binding: { ...binding, prepare } };
    const make = () => callTool(tool, { id: secret }, { runtime, idempotencyKey: "k" });
    expect(await make()).toEqual(await make());
    const [again, first] = await callsIn(ledger);
    if (again?.outcome !== "ended" || first?.outcome !== "ended") throw new Error("not ended");
    expect(again.decision).toMatchObject({ replayOf: first.id });
    expect(again.result).toBe('{"status":"success","data":{"topic":"***"}}');
    expect(again.attachment).toEqual(first.attachment);
    expect(again.attachment).toHaveProperty("sha256");
    const [digest, ofFirst] = events
      .filter((each) => each.type === "ToolInvokeEnd")
      .map((each) => each.output_digest);
    expect(digest).toEqual(ofFirst);
    await ledger.close();
  });

  test("does not appear in the error of a policy whose condition fails on it", async () => {
    const text = { type: "String" } as const;
    const texts = { type: "Set", element: text } as const;
    const args = { type: "Record", attributes: { id: text } } as const;
    const attributes = {
      args,
      origin: text,
      risk: text,
      effect: text,
      scopes: texts,
      capabilities: texts,
    };
    const schema = {
      "": {
        entityTypes: { Tenant: {}, Role: {}, Caller: { memberOfTypes: ["Role", "Tenant"] } },
        actions: {
          "desk/do-it": {
            appliesTo: {
              principalTypes: ["Caller"],
              resourceTypes: ["Tenant"],
              context: { type: "Record", attributes },
            },
          },
        },
      },
    } as const;
    const policies = {
      home: "forbid(principal, action, resource) when { ip(context.args.id).isLoopback() };",
    };
    const { failure, message, told } = await refusalOf(
      policyOf({}, { cedar: { schema, policies, approvals: {} } }),
    );
    expect(failure).toMatchObject({ reason: "engine", decidedBy: ["home"] });
    expect(message).toBe(
      "the policy engine could not decide about `desk/do-it`: the condition of `home` failed",
    );
    expect(told).not.toContain(secret);
  });
});
