import { hash } from "node:crypto";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { isToolError, ToolError, type ToolFailure } from "../../../src/runtime/errors.js";
import { createMemoryStore } from "../../../src/runtime/governance/index.js";
import { createFolderStore } from "../../../src/runtime/governance/store/folder/folder-store.js";
import type { GovernanceStore } from "../../../src/runtime/governance/store/store.js";
import { queryStore } from "../../../src/runtime/ledger/query.js";
import { settleCall } from "../../../src/runtime/ledger/settle.js";
import type { LedgerStore } from "../../../src/runtime/ledger/store.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import type { Binding } from "../../../src/runtime/call/binding.js";
import { credential, http, text } from "../../../src/bindings/http/execute.js";
import { type Contract, exampleTool, type Params, type Result, succeed } from "../example-tool.js";
import { temporaryDirectory } from "../ledger/fixtures.js";
import { govern, policyOf } from "./governed.js";

const keyed = { idempotency: "keyed" } as const;
const key = { idempotencyKey: "k" };

/** As the store has the key of a call that nobody makes. */
function storedKey(given: string): string {
  return JSON.stringify([null, null, "desk/do-it", hash("sha256", given, "base64url")]);
}

async function failureOf(call: Promise<unknown>): Promise<ToolFailure & { outcome: string }> {
  const thrown: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isToolError(thrown)) throw new Error(`not a ToolError: ${String(thrown)}`);
  return { ...thrown.failure, outcome: thrown.outcome };
}

/** What a server says that failed, or refused. */
function answered(status: string, outcome?: "unknown") {
  return async () => ({
    // The example's results are a few of those that a tool may have.
    result: { status, error: "no" } as unknown as Result,
    ...(outcome !== undefined && { outcome }),
  });
}

/** A keyed tool that answers with each of these in turn. */
function setUp(...sends: readonly Parameters<typeof exampleTool>[0][]) {
  const send = vi.fn<(typeof sends)[number]>();
  for (const each of sends) send.mockImplementationOnce(each);
  send.mockImplementation(succeed);
  const governed = govern(policyOf(keyed));
  const tool = exampleTool((attempt, args) => send(attempt, args));
  const make = (more: CallOptions = key) => governed.call(tool, more);
  return { ...governed, make, send };
}

async function settle(ledger: LedgerStore, as: "done" | "not-done"): Promise<void> {
  for await (const call of queryStore(ledger, { status: "unknown" })) {
    if (call.outcome === "ended") continue;
    await settleCall(ledger, call, { as, because: "the shop's list" });
  }
}

const lost = async () => {
  throw new ToolError("desk/do-it", { code: "PROVIDER.TIMEOUT", timeoutMs: 1 }, "no answer", {
    attempts: 1,
  });
};

describe("a key", () => {
  test("belongs to one tenant, one subject and one tool", async () => {
    const { make, send } = setUp();
    const callers = [
      { tenant: "a", subject: "b" },
      { tenant: "a" },
      { subject: "b" },
      { tenant: "b", subject: "a" },
      { tenant: 'a","b', subject: "x" },
      undefined,
    ];
    for (const caller of callers) await make({ ...key, ...(caller && { caller }) });
    expect(send).toHaveBeenCalledTimes(callers.length);
    for (const caller of callers) await make({ ...key, ...(caller && { caller }) });
    expect(send).toHaveBeenCalledTimes(callers.length);
  });

  test("a key is refused for another request and for another version of the tool", async () => {
    const store = createMemoryStore();
    const first = govern(policyOf(keyed), { store });
    await first.call(exampleTool(succeed), key);
    const other = { code: "IDEMPOTENCY.REFUSED", reason: "other-request" };
    expect(await failureOf(first.call(exampleTool(succeed), key, { id: "b" }))).toMatchObject(
      other,
    );
    const version = { skill: "s1", binding: "b1", manifest: "t2" };
    const second = govern(policyOf({ ...keyed, manifest: "t2" }), { store });
    expect(await failureOf(second.call(exampleTool(succeed, { version }), key))).toMatchObject(
      other,
    );
  });

  test("a key is refused if it differs from the key that the author defined", async () => {
    const tool = exampleTool(succeed, { binding: withAuthorsKey("of the author") });
    const { call } = govern(policyOf(keyed));
    await call(tool, { idempotencyKey: "of the author" });
    expect(await failureOf(call(tool, { idempotencyKey: "other" }))).toMatchObject({
      reason: "author-key",
    });
  });

  test("a key is refused for a write that is not keyed, before anything is spent or sent", async () => {
    const send = vi.fn(succeed);
    const { call, ledger } = govern(policyOf({ limits: { callsPerMinute: 1 } }));
    const refused = { code: "IDEMPOTENCY.REFUSED", reason: "not-keyed", outcome: "not-done" };
    expect(await failureOf(call(exampleTool(send), key))).toEqual(refused);
    expect(ledger.records).toMatchObject([
      { status: "denied", attempts: 0, decision: { decidedBy: ["idempotency"], spent: {} } },
    ]);
    expect(await failureOf(call(exampleTool(send), { ...key, mode: "shadow" }))).toEqual(refused);
    expect(send).not.toHaveBeenCalled();
    expect(await call(exampleTool(send))).toMatchObject({ status: "success" });
  });

  test("a key is refused for a write by a runtime without governance, which could not keep it", async () => {
    const send = vi.fn(succeed);
    const runtime = createRuntime({ ledger: false, env: {}, inherit: false });
    const make = (tool: Contract) => callTool(tool, { id: "a" }, { runtime, ...key });
    expect(await failureOf(make(exampleTool(send)))).toMatchObject({ reason: "not-keyed" });
    expect(send).not.toHaveBeenCalled();
    expect(await make(exampleTool(send, { effect: "read" }))).toMatchObject({ status: "success" });
  });

  test("does not change a read that is not keyed: each call is made", async () => {
    const send = vi.fn(succeed);
    const { call } = govern(policyOf({ effect: "read" }));
    const tool = exampleTool(send, { effect: "read" });
    await call(tool, key);
    await call(tool, key);
    expect(send).toHaveBeenCalledTimes(2);
  });

  test("a key is optional: each call without one is made", async () => {
    const { make, send } = setUp();
    await make({});
    await make({});
    expect(send).toHaveBeenCalledTimes(2);
  });

  test.each([1025, 1_000_000])(
    "a key is refused if it has %i characters, and nothing is sent",
    async (length) => {
      const { make, send } = setUp();
      await expect(make({ idempotencyKey: "x".repeat(length) })).rejects.toThrow(
        "1 to 1024 characters",
      );
      expect(send).not.toHaveBeenCalled();
    },
  );
});

/** A binding whose author made a key of the parameters. */
function withAuthorsKey(idempotencyKey: string): Contract["binding"] {
  const { binding } = exampleTool(succeed);
  return {
    kind: "example",
    prepare: (args, call) => ({ ...binding.prepare(args, call), idempotencyKey }),
  };
}

describe("what was answered once", () => {
  test("replays a success and any answer with a named status", async () => {
    const { ledger, make, send } = setUp(answered("not_found"));
    const first = await make();
    expect(await make()).toEqual(first);
    expect(send).toHaveBeenCalledTimes(1);
    const [begun, , replay] = ledger.records;
    expect(replay).toMatchObject({
      type: "end",
      status: "not_found",
      attempts: 0,
      decision: { replayOf: begun?.id },
    });
  });

  test("applies each caller's own obligations to a replay", async () => {
    const action = { do: "mask", at: ["ok"] } as const;
    const hide = { name: "hide", tools: ["desk/do-it"], action, unless: ["pii"] };
    const { call } = govern(policyOf(keyed, { obligations: [hide] }));
    const send = vi.fn(succeed);
    const make = (scopes: readonly string[]) =>
      call(exampleTool(send), { ...key, caller: { subject: "ada", scopes } });
    expect(await make([])).toEqual({ status: "success", data: { ok: "***" } });
    expect(await make(["pii"])).toEqual({ status: "success", data: { ok: true } });
    expect(await make([])).toEqual({ status: "success", data: { ok: "***" } });
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("counts a replay as a call without cost", async () => {
    const quota = { name: "all", per: ["tool"], callsPerDay: 3, costPerDay: 10 } as const;
    const { call } = govern(policyOf({ ...keyed, limits: { cost: 5 } }, { quotas: [quota] }));
    const tool = exampleTool(succeed);
    await call(tool, key);
    await call(tool, key);
    // Five of ten are left, and a third call.
    await call(tool, { idempotencyKey: "another" });
    expect(await failureOf(call(tool, key))).toMatchObject({
      code: "QUOTA.BUDGET_EXCEEDED",
      budget: "calls_per_day of all, desk/do-it",
    });
  });

  test("replays an answer without room for its cost, and refuses any other call", async () => {
    const quota = { name: "all", per: ["tool"], callsPerDay: 4, costPerDay: 5 } as const;
    const store = createMemoryStore();
    const policy = policyOf({ ...keyed, limits: { cost: 5, concurrent: 1 } }, { quotas: [quota] });
    const { call, ledger } = govern(policy, { store });
    const send = vi.fn(succeed);
    const tool = exampleTool(send);
    const first = await call(tool, key);
    const cost = { code: "QUOTA.BUDGET_EXCEEDED", budget: "cost_per_day of all, desk/do-it" };
    for (const options of [{ idempotencyKey: "another" }, {}, { ...key, mode: "shadow" } as const])
      expect(await failureOf(call(tool, options))).toMatchObject(cost);
    // None of these has spent a call, or begun its key.
    expect(await call(tool, key)).toEqual(first);
    expect(ledger.records.at(-1)).toMatchObject({
      attempts: 0,
      decision: {
        decidedBy: ["implicit-permit"],
        replayOf: ledger.records[0]?.id,
        spent: { "calls_per_day of all, desk/do-it": 1 },
      },
    });
    expect(await call(tool, key)).toEqual(first);
    expect(await call(tool, key)).toEqual(first);
    expect(await failureOf(call(tool, key))).toMatchObject({
      budget: "calls_per_day of all, desk/do-it",
    });
    expect(ledger.records.at(-1)).toMatchObject({ status: "denied" });
    expect(ledger.records.at(-1)).not.toHaveProperty("decision.replayOf");
    const free = { key: storedKey("another"), fingerprint: "f", callId: "c", ttlMs: 1 };
    expect(store.begin(free)).toEqual({ state: "begun" });
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("keeps an unknown outcome if a call without room for its cost asks for it", async () => {
    const { binding } = exampleTool(lost);
    const tool = exampleTool(lost, {
      binding: {
        kind: "example",
        prepare: (args, of) => ({ ...binding.prepare(args, of), isRepeatable: true }),
      },
    });
    const quota = { name: "all", per: ["tool"], costPerDay: 1 } as const;
    const { call } = govern(policyOf(keyed, { quotas: [quota] }));
    await call(tool, key).catch(() => {});
    const unknown = { code: "IDEMPOTENCY.REFUSED", reason: "unknown-outcome" };
    expect(await failureOf(call(tool, key))).toMatchObject(unknown);
    expect(await failureOf(call(tool, key))).toMatchObject(unknown);
  });

  test("masks credentials that the answer repeated, also in the replay", async () => {
    const secret = "a-credential-of-ours";
    const { call } = govern(policyOf(keyed), {}, { SET: secret });
    const { binding } = exampleTool(async () => ({
      result: { status: "success", data: { seen: `Bearer ${secret}`, own: "Bearer a" } },
    }));
    const tool = exampleTool(succeed, {
      binding: {
        kind: "example",
        prepare: (args, of) => ({
          ...binding.prepare(args, of),
          credentials: ["SET"],
          proofs: ["SET"],
        }),
      },
    });
    const first = await call(tool, key);
    expect(first).toMatchObject({ data: { seen: "Bearer ${SET}" } });
    expect(await call(tool, key)).toEqual(first);
  });

  test("keeps the error for an answer that doesn't fit its schema", async () => {
    const { call } = govern(policyOf(keyed));
    const returns = Object.assign((value: unknown): value is never => value === undefined, {
      errors: [{ instancePath: "", keyword: "type", params: { type: "null" } }],
    });
    const send = vi.fn(succeed);
    const tool = exampleTool(send, { returns });
    expect(await failureOf(call(tool, key))).toMatchObject({ code: "SCHEMA.VALIDATION_FAILED" });
    expect(await failureOf(call(tool, key))).toMatchObject({ reason: "answer-not-kept" });
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("keeps only the fact that the call was made if the answer is too large", async () => {
    const { call } = govern(policyOf(keyed), { largestAnswer: 10 });
    const send = vi.fn(succeed);
    expect(await call(exampleTool(send), key)).toMatchObject({ status: "success" });
    expect(await failureOf(call(exampleTool(send), key))).toMatchObject({
      reason: "answer-not-kept",
      outcome: "unknown",
    });
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("keeps only the fact that the call was made if JSON can't represent the answer", async () => {
    const { call } = govern(policyOf(keyed));
    const send = vi.fn(
      async () => ({ result: { status: "success", data: { rows: 7n } } }) as const,
    );
    expect(await call(exampleTool(send), key)).toMatchObject({ data: { rows: 7n } });
    expect(await failureOf(call(exampleTool(send), key))).toMatchObject({
      reason: "answer-not-kept",
    });
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("gives a concurrent call the answer of the first one", async () => {
    let answer: (() => void) | undefined;
    const { make, send } = setUp(
      () => new Promise((resolve) => (answer = () => resolve(succeed()))),
    );
    const both = [make(), make()];
    await vi.waitFor(() => expect(answer).toBeDefined());
    answer?.();
    const [first, second] = await Promise.all(both);
    expect(second).toEqual(first);
    expect(send).toHaveBeenCalledTimes(1);
  });
});

describe("a keyed call that has no answer", () => {
  test.each([
    ["was refused by its server", answered("error")],
    [
      "was certainly not made",
      () =>
        Promise.reject(
          new ToolError(
            "desk/do-it",
            { code: "PROVIDER.UNAVAILABLE", reason: "ECONNREFUSED" },
            "",
            {
              outcome: "not-done",
            },
          ),
        ),
    ],
  ])("frees its key if it %s", async (_, send) => {
    const { make, send: sent } = setUp(send);
    await make().catch(() => {});
    expect(await make()).toMatchObject({ status: "success" });
    expect(sent).toHaveBeenCalledTimes(2);
  });

  test.each([
    ["its server failed", answered("error", "unknown")],
    ["its server failed with a named status", answered("rate_limited", "unknown")],
    ["its answer was lost", lost],
  ])("a keyed call is not made again before it is settled if %s", async (_, send) => {
    const { ledger, make, send: sent } = setUp(send);
    await make().catch(() => {});
    const [begun] = ledger.records;
    const refused = { reason: "unknown-outcome", call: begun?.id, outcome: "unknown" };
    expect(await failureOf(make())).toMatchObject(refused);
    // What is refused is no write of its own whose outcome nobody knows.
    expect(ledger.records.at(-1)).toMatchObject({ status: "denied" });
    expect(ledger.records.filter(({ type }) => type === "begin")).toHaveLength(1);
    const unknown = (await ledger.verify()).unknownOutcomes;
    expect(unknown.map(({ id }) => id)).toEqual([begun?.id]);
    expect(sent).toHaveBeenCalledTimes(1);
    await settle(ledger, "not-done");
    expect(await make()).toMatchObject({ status: "success" });
    expect(sent).toHaveBeenCalledTimes(2);
  });

  test("a keyed call is not made again after it was settled as done, and its answer is missing", async () => {
    const { ledger, make, send } = setUp(answered("error", "unknown"));
    await make();
    await settle(ledger, "done");
    expect(await failureOf(make())).toMatchObject({ reason: "answer-not-kept" });
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("a keyed call is made again if its server received a key and knows it", async () => {
    const { binding } = exampleTool(lost);
    const repeatable = exampleTool(succeed, {
      binding: {
        kind: "example",
        prepare: (args, call) => ({ ...binding.prepare(args, call), isRepeatable: true }),
      },
    });
    const { call } = govern(policyOf(keyed));
    await call(repeatable, key).catch(() => {});
    expect(await failureOf(call(repeatable, key))).toMatchObject({ code: "PROVIDER.TIMEOUT" });
  });

  test("frees its key if it is a read, whatever its outcome", async () => {
    const { call } = govern(policyOf({ ...keyed, effect: "read" }));
    const send = vi.fn(lost);
    const tool = exampleTool(send, { effect: "read" });
    await call(tool, key).catch(() => {});
    await call(tool, key).catch(() => {});
    expect(send).toHaveBeenCalledTimes(2);
  });

  test("a keyed call has the outcome of its end in the ledger if the store missed the end", async () => {
    const store: GovernanceStore = createMemoryStore();
    const { call, ledger } = govern(policyOf(keyed), { store });
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    vi.spyOn(store, "finish").mockImplementationOnce(() => {
      throw new Error("the store is away");
    });
    await call(exampleTool(succeed), key);
    const [begun] = ledger.records;
    await store.abandon(storedKey("k"), begun?.id ?? "");
    expect(await failureOf(call(exampleTool(succeed), key))).toMatchObject({
      reason: "answer-not-kept",
    });
    warned.mockRestore();
  });
});

describe("answers that are kept", () => {
  const encryption = Buffer.alloc(32, 7);

  test("kept answers are encrypted with the application's key, and refused with another key", async () => {
    const store = createMemoryStore();
    const finish = vi.spyOn(store, "finish");
    const secretly = async () => ({ result: { status: "success", data: "a result" } }) as const;
    const { call, ledger } = govern(policyOf(keyed), { store, key: encryption });
    expect(await call(exampleTool(secretly), key)).toMatchObject({ data: "a result" });
    const [, , kept] = finish.mock.calls[0] ?? [];
    expect(Buffer.from(kept ?? []).toString("latin1")).not.toContain("a result");
    expect(await call(exampleTool(secretly), key)).toMatchObject({ data: "a result" });
    const decisions = ledger.records.map((each) => (each.type === "end" ? each.decision : null));
    expect(JSON.stringify(decisions)).not.toContain("a result");
    const other = govern(policyOf(keyed), { store, key: Buffer.alloc(32, 8) });
    expect(await failureOf(other.call(exampleTool(secretly), key))).toMatchObject({
      reason: "answer-not-kept",
    });
  });

  test("require a key for encryption if the store leaves the process", () => {
    const store = { ...createMemoryStore(), kind: "redis" };
    expect(() => govern(policyOf(keyed), { store })).toThrow("`key` is missing");
    expect(() => govern(policyOf(keyed), { key: "c2hvcnQ=" })).toThrow("must be 32 bytes");
  });

  test("require no key with a folder of approvals, because the answers stay in memory", async () => {
    const directory = temporaryDirectory();
    const { call } = govern(policyOf(keyed), { store: createFolderStore({ directory }) });
    expect(await call(exampleTool(succeed), key)).toMatchObject({ status: "success" });
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe("an HTTP tool with a header for keys", () => {
  const binding: Binding<never, never> = http({
    method: "POST",
    idempotencyHeader: "Idempotency-Key",
    request: () => ({ url: ["https://api.example.com", "/orders"] }),
  });
  const identity = { id: "1", toolId: "desk/do-it" };

  test("sends the same key for a repeated call, and a random key for any other", () => {
    const keyOf = (onceKey?: string) => {
      const { headers } = binding.prepare({} as never, { ...identity, onceKey }).describe() as {
        readonly headers: Readonly<Record<string, string>>;
      };
      return headers["Idempotency-Key"];
    };
    expect(keyOf("of the call")).toBe("of the call");
    expect(keyOf()).not.toBe(keyOf());
  });

  test("an HTTP tool has the same digest of its request whatever the key is", () => {
    const prepared = [undefined, "a"].map((onceKey) =>
      binding.prepare({} as never, { ...identity, onceKey }),
    );
    const [random, named] = prepared;
    expect(named?.fingerprint?.()).toEqual(random?.fingerprint?.());
    expect(JSON.stringify(named?.fingerprint?.())).not.toContain("Idempotency-Key");
    expect([random?.isRepeatable, named?.isRepeatable]).toEqual([false, true]);
  });
});

describe("an HTTP tool whose author made a key of its parameters", () => {
  const author = (value: string | ReturnType<typeof text>): Binding<never, never> =>
    http({
      method: "POST",
      idempotencyHeader: "Idempotency-Key",
      request: () => ({ url: ["https://api.example.com", "/orders"], idempotencyKey: value }),
    });
  const prepared = (value: Parameters<typeof author>[0], onceKey?: string) =>
    author(value).prepare({} as never, { id: "1", toolId: "desk/do-it", onceKey });

  test("sends the author's key instead of the caller's, and its digest depends on it", () => {
    const { headers } = prepared("o-7", "of the call").describe() as { readonly headers: object };
    expect(headers).toMatchObject({ "Idempotency-Key": "o-7" });
    expect(prepared("o-7")).toMatchObject({ idempotencyKey: "o-7", isRepeatable: true });
    expect(prepared("o-7").fingerprint?.()).not.toEqual(prepared("o-8").fingerprint?.());
    const secret = prepared(text(credential("SHOP"), "-7"));
    expect(secret).toMatchObject({ idempotencyKey: "${SHOP}-7", credentials: ["SHOP"] });
    expect(() => prepared("o\n7")).toThrow("`Idempotency-Key` can't carry line breaks");
  });

  test("an HTTP tool is called once per author's key, and refuses a different key of its caller", async () => {
    const received: unknown[] = [];
    const server = createServer((request, response) => {
      received.push(request.headers["idempotency-key"]);
      response.setHeader("content-type", "application/json").end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const capabilities = [`net.http:post ${url}/orders`];
    const { call } = govern(policyOf({ ...keyed, capabilities }, { capabilities }));
    const binding: Contract["binding"] = http<Params>({
      method: "POST",
      idempotencyHeader: "Idempotency-Key",
      request: ({ id }) => ({ url: [url, "/orders"], idempotencyKey: `o-${id}` }),
    });
    const tool = exampleTool(succeed, { binding });
    const first = await call(tool);
    expect(await call(tool)).toEqual(first);
    expect(await call(tool, { idempotencyKey: "o-a" })).toEqual(first);
    expect(await failureOf(call(tool, { idempotencyKey: "o-b" }))).toMatchObject({
      reason: "author-key",
    });
    expect(await call(tool, {}, { id: "b" })).toMatchObject({ status: "success" });
    expect(received).toEqual(["o-a", "o-b"]);
  });
});

describe("calls of a serial tool", () => {
  const serial = { concurrency: "serial" } as const;

  test("run at the same time if they belong to two tenants", async () => {
    const { call } = govern(policyOf(serial));
    let running = 0;
    let meet = () => {};
    const both = new Promise<void>((resolve) => (meet = resolve));
    const send = async () => {
      running += 1;
      if (running === 2) meet();
      await both;
      return succeed();
    };
    for (const tenant of ["a", "b"]) void call(exampleTool(send), { caller: { tenant } });
    await both;
    expect(running).toBe(2);
  });

  test("end before the lease is over if the store no longer renews it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      for (const renew of [() => false, () => new Promise<boolean>(() => {}), away]) {
        const store = createMemoryStore();
        vi.spyOn(store, "renew").mockImplementation(renew);
        const { call, ledger } = govern(policyOf(serial), { store });
        let isSent = false;
        const stuck = () => {
          isSent = true;
          return new Promise<never>(() => {});
        };
        const ended = failureOf(call(exampleTool(stuck, { timeoutMs: 60_000 })));
        await vi.advanceTimersByTimeAsync(9999);
        expect(isSent).toBe(true);
        expect(await ended).toMatchObject({ reason: "lease-lost", outcome: "unknown" });
        expect(ledger.records.at(-1)).toMatchObject({ status: "unknown" });
      }
    } finally {
      vi.useRealTimers();
    }
  });

  test("go on if the lease could not be renewed once", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const store = createMemoryStore({ now: () => 0 });
      const renew = vi.spyOn(store, "renew").mockImplementationOnce(away);
      const { call } = govern(policyOf(serial), { store });
      const slow = () =>
        new Promise<Awaited<ReturnType<typeof succeed>>>((resolve) =>
          setTimeout(() => resolve(succeed()), 25_000),
        );
      const made = call(exampleTool(slow, { timeoutMs: 60_000 }));
      await vi.advanceTimersByTimeAsync(25_000);
      expect(await made).toMatchObject({ status: "success" });
      expect(renew.mock.calls.length).toBeGreaterThan(5);
    } finally {
      vi.useRealTimers();
    }
  });
});

function away(): never {
  throw new Error("the store is away");
}

test("a key in memory outlives its answer if the answers have too many bytes", () => {
  const store = createMemoryStore({ maxAnswerBytes: 100 });
  const keyed = (key: string) => ({ key, fingerprint: "f", callId: key, ttlMs: 1000 });
  const make = (key: string) => {
    expect(store.begin(keyed(key))).toEqual({ state: "begun" });
    store.finish(key, key, Buffer.from("0123456789"), 60_000);
  };
  make("first");
  for (let at = 0; at < 10; at += 1) make(`other-${at}`);
  expect(store.begin({ ...keyed("first"), callId: "again" })).toEqual({
    state: "done",
    callId: "first",
    answer: undefined,
  });
  for (const key of ["other-0", "other-9"])
    expect(store.begin({ ...keyed(key), callId: "again" })).toMatchObject({
      state: "done",
      answer: expect.anything(),
    });
});

test("a key that is reused in memory has its new answer, which replaces the old one in the count of bytes", () => {
  let now = 0;
  const store = createMemoryStore({ monotonic: () => now, maxAnswerBytes: 20 });
  const keyed = (key: string) => ({ key, fingerprint: "f", callId: key, ttlMs: 1000 });
  const make = (key: string, answer: string) => {
    expect(store.begin(keyed(key))).toEqual({ state: "begun" });
    store.finish(key, key, Buffer.from(answer), 60_000);
  };
  const answerOf = (key: string) => store.begin({ ...keyed(key), callId: "later" });
  make("again", "0123456789");
  now = 60_000;
  make("again", "new");
  make("other", "0123456789");
  make("third", "0123456");
  expect(answerOf("again")).toMatchObject({ answer: Buffer.from("new") });
  make("fourth", "!");
  expect(answerOf("again")).toMatchObject({ answer: undefined });
  expect(answerOf("other")).toMatchObject({ answer: Buffer.from("0123456789") });
});

test("sweeps the budgets of many tenants in memory a few times, not for each call", () => {
  const store = createMemoryStore();
  const scan = vi.spyOn(Map.prototype, Symbol.iterator);
  onTestFinished(() => scan.mockRestore());
  const use = { name: "b", limit: 3, amount: 1, needs: 0, isCount: true, windowMs: 60_000 };
  for (let at = 0; at < 50_000; at += 1)
    store.take([{ ...use, key: `tenant-${at}` }], { callId: `c${at}`, ttlMs: 1000 });
  expect(scan.mock.calls.length).toBeLessThan(10);
});

test("sweeps approvals in memory a few times, not for each approval", () => {
  const store = createMemoryStore();
  const scan = vi.spyOn(Map.prototype, Symbol.iterator);
  onTestFinished(() => scan.mockRestore());
  const given = { tool: "t", manifest: "m", digest: "d", tenant: "a", subject: "s", by: "g" };
  for (let at = 0; at < 25_000; at += 1)
    store.saveApproval({ ...given, id: `a${at}`, request: `r${at}`, ttlMs: 60_000 });
  expect(scan.mock.calls.length).toBeLessThan(10);
});

describe("the id of a model's request", () => {
  test("a keyed tool that gets no other key takes the request's id", async () => {
    const { make, send } = setUp();
    await make({ keyFor: "toolu_1" });
    await make({ keyFor: "toolu_1" });
    expect(send).toHaveBeenCalledTimes(1);
    await make({ keyFor: "toolu_1", idempotencyKey: "another" });
    await make({ keyFor: "toolu_2" });
    expect(send).toHaveBeenCalledTimes(3);
  });

  test("the author's key comes before the request's id", async () => {
    const { call } = govern(policyOf(keyed));
    const tool = exampleTool(succeed, { binding: withAuthorsKey("of the author") });
    await call(tool, { keyFor: "toolu_1" });
    expect(await call(tool, { keyFor: "toolu_2" })).toMatchObject({ status: "success" });
  });

  test("a tool that is not keyed ignores the request's id, and still rejects a key", async () => {
    const { call } = govern(policyOf());
    const send = vi.fn(succeed);
    await call(exampleTool(send), { keyFor: "toolu_1" });
    await call(exampleTool(send), { keyFor: "toolu_1" });
    expect(send).toHaveBeenCalledTimes(2);
    expect(await failureOf(call(exampleTool(send), key))).toMatchObject({ reason: "not-keyed" });
  });

  test("a tool without governance ignores the request's id", async () => {
    const runtime = createRuntime({ ledger: false, inherit: false });
    const options = { runtime, keyFor: "toolu_1" };
    expect(await callTool(exampleTool(succeed), { id: "a" }, options)).toMatchObject({
      status: "success",
    });
  });
});
