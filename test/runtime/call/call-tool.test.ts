import { describe, expect, test, vi } from "vitest";
import { answer } from "../../../src/runtime/handler.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { isToolError, ToolError, type ToolErrorCode } from "../../../src/runtime/errors.js";
import { type LedgerEntry, type LedgerStore, noLedger } from "../../../src/runtime/ledger/store.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { createRuntime, type RuntimeOptions } from "../../../src/runtime/runtime.js";
import { type Contract, exampleTool, type Params, succeed } from "../example-tool.js";

function setUp(options: RuntimeOptions = {}) {
  const ledger = createMemoryLedger();
  const runtime = createRuntime({ ledger, env: {}, inherit: false, ...options });
  const call = (tool: Contract, params: Params = { id: "a" }, more = {}) =>
    callTool(tool, params, { runtime, ...more });
  return { ledger, runtime, call };
}

async function failureOf(call: Promise<unknown>, code: ToolErrorCode): Promise<ToolError> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isToolError(thrown)) throw new Error(`not a ToolError: ${String(thrown)}`);
  expect(thrown.code).toBe(code);
  return thrown;
}

describe("parameters", () => {
  test("parameters are validated before anything is sent, and the error lists every problem", async () => {
    const { call, ledger } = setUp();
    const send = vi.fn(succeed);
    const error = await failureOf(
      // @ts-expect-error the type says so too
      call(exampleTool(send), { id: 1 }),
      "SCHEMA.VALIDATION_FAILED",
    );
    expect(error.failure).toEqual({
      code: "SCHEMA.VALIDATION_FAILED",
      subject: "parameters",
      problems: [{ pointer: "/id", keyword: "type", message: "must be string" }],
    });
    expect(send).not.toHaveBeenCalled();
    expect(ledger.records.map((each) => each.type)).toEqual(["end"]);
  });

  test("get their defaults for the binding, and the caller's object stays unchanged", async () => {
    const { call } = setUp();
    const seen: Params[] = [];
    const tool = exampleTool(
      (_, args) => {
        seen.push(args);
        return succeed();
      },
      { defaults: { properties: { limit: { value: 20 } } } },
    );
    const params = Object.freeze({ id: "a" });
    await call(tool, params);
    await call(tool, { id: "a", limit: 3 });
    expect(seen).toEqual([
      { id: "a", limit: 20 },
      { id: "a", limit: 3 },
    ]);
    expect(params).toEqual({ id: "a" });
  });
});

describe("modes", () => {
  test("shadow mode records a write and sends nothing", async () => {
    const { call, ledger } = setUp({ mode: "shadow" });
    const send = vi.fn(succeed);
    expect(await call(exampleTool(send))).toEqual({
      status: "shadow",
      request: { id: "a", limit: null },
    });
    expect(send).not.toHaveBeenCalled();
    expect(ledger.records).toMatchObject([
      { type: "end", mode: "shadow", status: "shadow", request: { id: "a" }, attempts: 0 },
    ]);
  });

  test("shadow mode runs a read", async () => {
    const { call } = setUp({ mode: "shadow" });
    expect(await call(exampleTool(succeed, { effect: "read" }))).toMatchObject({
      status: "success",
    });
  });

  test("masks a masked parameter in the recorded request too, because the same builder makes it", async () => {
    const { call, ledger } = setUp();
    const tool = exampleTool(succeed, { mode: "shadow", maskedParams: [["id"]] });
    expect(await call(tool, { id: "4111-1111" })).toMatchObject({ request: { id: "***" } });
    expect(JSON.stringify(ledger.records)).not.toContain("4111");
  });

  test("keeps the shape of a masked object in the recorded request, without its content", async () => {
    const { call, ledger } = setUp();
    const base = exampleTool(succeed, { mode: "shadow", maskedParams: [["card"]] });
    const tool: Contract = {
      ...base,
      binding: {
        kind: "example",
        prepare: (args) => {
          // The parameters of this test hold a card; the shared type does not say so.
          const { card } = args as Params & { card: { inner: { digits: readonly number[] } } };
          return {
            credentials: [],
            reach: () => [],
            describe: () => ({
              first: card.inner.digits[0] ?? null,
              all: card.inner.digits.map(String),
            }),
            send: () => succeed(),
          };
        },
      },
    };
    const params = { id: "a", card: { inner: { digits: [4111, 1111] } } };
    expect(await call(tool, params)).toEqual({
      status: "shadow",
      request: { first: "***", all: ["***", "***"] },
    });
    expect(ledger.records.at(-1)).toMatchObject({ parameters: { id: "a", card: "***" } });
    expect(JSON.stringify(ledger.records)).not.toContain("1111");
  });

  test("records the masked parameters if the request can't be built from masked values, and the call succeeds", async () => {
    const { call } = setUp();
    const base = exampleTool(succeed, { mode: "shadow", maskedParams: [["id"]] });
    const prepare: Contract["binding"]["prepare"] = (args, identity) => {
      if (args.id === "***") throw new Error("not an id");
      return base.binding.prepare(args, identity);
    };
    const result = await call(
      { ...base, binding: { kind: "example", prepare } },
      { id: "secret-id" },
    );
    expect(result).toEqual({ status: "shadow", request: "***" });
  });

  test("takes the mode of the call before that of the runtime, and that before the tool's", async () => {
    const { call } = setUp({ mode: "shadow" });
    expect(await call(exampleTool(succeed), { id: "a" }, { mode: "active" })).toMatchObject({
      status: "success",
    });
    const active = setUp({ mode: "active" });
    expect(await active.call(exampleTool(succeed, { mode: "shadow" }))).toMatchObject({
      status: "success",
    });
  });
});

describe("attempts", () => {
  const unavailable = (attempt: { tool: string }) =>
    Promise.reject(
      new ToolError(attempt.tool, { code: "PROVIDER.UNAVAILABLE", reason: "ECONNRESET" }, "gone"),
    );
  const retry = { maxAttempts: 3, backoffMs: 1, backoffMultiplier: 1 };

  test("go on while the target is unavailable, up to the policy's number", async () => {
    const { call, ledger } = setUp();
    let left = 2;
    const flaky = exampleTool((attempt) => (left-- > 0 ? unavailable(attempt) : succeed()), {
      retry,
    });
    expect(await call(flaky)).toMatchObject({ status: "success" });
    expect(ledger.records.at(-1)).toMatchObject({ type: "end", attempts: 3 });
    await failureOf(call(exampleTool(unavailable, { retry })), "PROVIDER.UNAVAILABLE");
    expect(ledger.records.at(-1)).toMatchObject({ attempts: 3, status: "failed" });
  });

  test("end at once after any other error", async () => {
    const { call } = setUp();
    const send = vi.fn(async (attempt: { tool: string }) => {
      throw new ToolError(attempt.tool, { code: "PROVIDER.PROTOCOL", reason: "not JSON" }, "bad");
    });
    await failureOf(call(exampleTool(send, { retry })), "PROVIDER.PROTOCOL");
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("return the answer if the target asks for a longer pause than the limit", async () => {
    const { call } = setUp();
    const send = vi.fn(async () => ({
      result: { status: "rate_limited" as const, error: "slow down" },
      retry: { afterMs: 3_600_000 },
    }));
    expect(await call(exampleTool(send, { retry }))).toMatchObject({ status: "rate_limited" });
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("wait for the pause that an error asks for", async () => {
    const { call } = setUp();
    const failure = {
      code: "PROVIDER.UNAVAILABLE",
      reason: "HTTP 503",
      retryAfterMs: 3_600_000,
    } as const;
    const send = vi.fn(async (attempt: { tool: string }) => {
      throw new ToolError(attempt.tool, failure, "gone");
    });
    const error = await failureOf(call(exampleTool(send, { retry })), "PROVIDER.UNAVAILABLE");
    expect(error.failure).toEqual(failure);
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("end after their time limit, even if the binding never listens", async () => {
    const { call } = setUp();
    const deaf = exampleTool(() => new Promise(() => {}), { timeoutMs: 20 });
    const error = await failureOf(call(deaf), "PROVIDER.TIMEOUT");
    expect(error.failure).toMatchObject({ timeoutMs: 20 });
  });

  test("end if the caller aborts, before, during and between attempts", async () => {
    const { call } = setUp();
    const aborted = { code: "UNKNOWN.INTERNAL", reason: "aborted" };
    const before = await failureOf(
      call(exampleTool(succeed), { id: "a" }, { signal: AbortSignal.abort() }),
      "UNKNOWN.INTERNAL",
    );
    expect(before.failure).toEqual(aborted);

    const during = new AbortController();
    const deaf = call(
      exampleTool(() => new Promise(() => {})),
      { id: "a" },
      { signal: during.signal },
    );
    setTimeout(() => during.abort(), 10);
    expect((await failureOf(deaf, "UNKNOWN.INTERNAL")).failure).toEqual(aborted);

    const between = new AbortController();
    const patient = exampleTool(unavailable, {
      retry: { maxAttempts: 2, backoffMs: 60_000, backoffMultiplier: 1 },
    });
    const waiting = call(patient, { id: "a" }, { signal: between.signal });
    setTimeout(() => between.abort(), 10);
    expect((await failureOf(waiting, "UNKNOWN.INTERNAL")).failure).toEqual(aborted);
  });
});

test("an answered call leaves no listener on its caller's signal", async () => {
  const { call } = setUp();
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, "addEventListener");
  const removed = vi.spyOn(signal, "removeEventListener");
  await call(exampleTool(succeed), { id: "a" }, { signal });
  expect(added).toHaveBeenCalledTimes(1);
  expect(removed).toHaveBeenCalledTimes(1);
  expect(removed.mock.calls[0]?.[1]).toBe(added.mock.calls[0]?.[1]);
});

test("ends its attempt at once if a binding throws instead of sending", async () => {
  const { call } = setUp();
  const thrower = exampleTool(() => {
    throw new Error("no promise");
  });
  const { signal } = new AbortController();
  const removed = vi.spyOn(signal, "removeEventListener");
  await failureOf(call(thrower, { id: "a" }, { signal }), "UNKNOWN.INTERNAL");
  expect(removed).toHaveBeenCalled();
});

describe("credentials", () => {
  const needs = (names: readonly string[]) =>
    exampleTool(
      async (attempt) => ({
        result: { status: "success", data: names.map((name) => attempt.open(name)).join() },
      }),
      { credentials: names },
    );

  test("come from the runtime", async () => {
    const { call } = setUp({ credentials: { TOKEN: "t-123456" } });
    expect(await call(needs(["TOKEN"]))).toEqual({ status: "success", data: "t-123456" });
  });

  test("credentials are checked before anything is sent, and the error lists the missing and empty ones and the places to set them", async () => {
    const { call, ledger } = setUp({ credentials: { EMPTY: "" } });
    const error = await failureOf(call(needs(["TOKEN", "EMPTY"])), "CREDENTIAL.MISSING");
    expect(error.failure).toEqual({ code: "CREDENTIAL.MISSING", names: ["TOKEN", "EMPTY"] });
    expect(error.message).toMatch(/TOKEN.*desk\/do-it.*environment.*\.env.*skillc\.yaml/s);
    expect(error.message).toContain("`TOKEN`, `EMPTY` are not set for");
    expect(ledger.records.map((each) => each.type)).toEqual(["end"]);
    const one = await failureOf(call(needs(["TOKEN"])), "CREDENTIAL.MISSING");
    expect(one.message).toContain("`TOKEN` is not set for");
  });

  test("never reach the ledger, even if the target sends them back", async () => {
    const secret = 'p"ss wörd/1';
    const { call, ledger } = setUp({ credentials: { TOKEN: secret } });
    await call(needs(["TOKEN"]), { id: `x ${secret}` });
    await call(needs(["TOKEN"]), { id: `x ${secret} ${encodeURIComponent(secret)}` });
    const kept = JSON.stringify(ledger.records);
    expect(kept).not.toContain("ss wörd");
    expect(kept).not.toContain("ss%20w");
    expect(ledger.records.at(-1)).toMatchObject({ parameters: { id: "x ${TOKEN} ${TOKEN}" } });
  });
});

describe("prerequisites", () => {
  test("refuse the call if they are not met, and the error lists all that is missing", async () => {
    const { call } = setUp({ config: { region: "eu", limits: { daily: 5 } } });
    const prerequisites = {
      env: ["NOT_SET"],
      bins: ["no-such-binary-anywhere"],
      config: ["region", "limits.daily", "limits.weekly"],
      os: ["plan9"],
    };
    const error = await failureOf(
      call(exampleTool(succeed, { prerequisites })),
      "POLICY.DENY_TOOL",
    );
    expect(error.failure).toEqual({
      code: "POLICY.DENY_TOOL",
      missing: [
        { kind: "env", name: "NOT_SET" },
        { kind: "bins", name: "no-such-binary-anywhere" },
        { kind: "config", name: "limits.weekly" },
        { kind: "os", name: "plan9" },
      ],
    });
  });

  test("let the call pass if they are met", async () => {
    const { call } = setUp({
      env: { PATH: process.env["PATH"], SET: "x" },
      inherit: true,
    });
    const prerequisites = { env: ["SET"], bins: ["node"], os: [process.platform] };
    expect(await call(exampleTool(succeed, { prerequisites }))).toMatchObject({
      status: "success",
    });
  });
});

describe("handlers", () => {
  test("answer with any status of the tool, and whole answers pass unchanged", async () => {
    const limited = { status: "rate_limited", error: "slow down" } as const;
    const { call } = setUp({ handlers: { "desk/do-it": async () => answer(limited) } });
    expect(await call(exampleTool(succeed))).toEqual(limited);
  });

  test("return data even if the data looks like an answer or has a status of its own", async () => {
    const data = { status: "rate_limited", error: "slow down" };
    const { call } = setUp({ handlers: { "desk/do-it": () => data } });
    expect(await call(exampleTool(succeed))).toEqual({ status: "success", data });
    // As JavaScript calls it.
    expect(() => answer({ data } as never)).toThrow("`answer` needs a tool's whole answer");
  });

  test("replace a binding and get the call's details", async () => {
    const seen: unknown[] = [];
    const { call, ledger } = setUp({
      handlers: {
        "desk/do-it": (params: Params, context: { callId: string; skill: string }) => {
          seen.push(params, context.skill, context.callId);
          return { from: "handler" };
        },
      },
    });
    const send = vi.fn(succeed);
    expect(await call(exampleTool(send))).toEqual({
      status: "success",
      data: { from: "handler" },
    });
    expect(send).not.toHaveBeenCalled();
    expect(seen).toEqual([{ id: "a" }, "desk", ledger.records[0]?.id]);
    expect(ledger.records.at(-1)).toMatchObject({ kind: "handler" });
  });

  test("fail the call if they throw, with their error as the cause", async () => {
    const cause = new Error("broken");
    const { call } = setUp({
      handlers: {
        "desk/do-it": () => {
          throw cause;
        },
      },
    });
    const error = await failureOf(call(exampleTool(succeed)), "UNKNOWN.INTERNAL");
    expect(error.failure).toMatchObject({ reason: "handler-failed" });
    expect(error.cause).toBe(cause);
  });
});

describe("the ledger", () => {
  test("records the begin of a write before it is sent, and its end afterwards", async () => {
    const { call, ledger } = setUp();
    const atSend: string[] = [];
    const tool = exampleTool(() => {
      atSend.push(...ledger.records.map((each) => each.type));
      return succeed();
    });
    await call(tool, { id: "a" }, { trace: "t-1", parent: "p-1", step: "Ship it" });
    expect(atSend).toEqual(["begin"]);
    expect(ledger.records).toMatchObject([
      {
        type: "begin",
        skill: "desk",
        tool: "do-it",
        kind: "example",
        trace: "t-1",
        parent: "p-1",
        step: "Ship it",
      },
      {
        type: "end",
        step: "Ship it",
        status: "success",
        attempts: 1,
        error: null,
        version: { binding: "b1" },
      },
    ]);
    expect(ledger.records[0]?.id).toBe(ledger.records[1]?.id);
  });

  test("the ledger has one record for a read", async () => {
    const { call, ledger } = setUp();
    await call(exampleTool(succeed, { effect: "read" }));
    expect(ledger.records.map((each) => each.type)).toEqual(["end"]);
  });

  test("stops writes, but no reads, if it can't be written", async () => {
    const broken: LedgerStore = {
      ...noLedger,
      append: () => {
        throw new Error("disk full");
      },
    };
    const { call } = setUp({ ledger: broken });
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const send = vi.fn(succeed);
    const error = await failureOf(call(exampleTool(send)), "UNKNOWN.INTERNAL");
    expect(error.failure).toMatchObject({ reason: "ledger-unavailable" });
    expect(send).not.toHaveBeenCalled();
    expect(await call(exampleTool(succeed, { effect: "read" }))).toMatchObject({
      status: "success",
    });
    expect(warned).toHaveBeenCalledTimes(1);
    warned.mockRestore();
  });

  test("warns once if it can't be written, and once after it works again with the number of missing records", async () => {
    const kept = createMemoryLedger();
    let isFull = false;
    const disk = {
      ...kept,
      append: (entry: LedgerEntry) => {
        if (isFull) throw new Error("disk full");
        return kept.append(entry);
      },
    };
    const { call } = setUp({ ledger: disk });
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const readTool = exampleTool(succeed, { effect: "read" });
    for (const full of [false, true, true, true, false, false, true, false]) {
      isFull = full;
      await call(readTool);
    }
    expect(warned.mock.calls.map(([message]) => message)).toEqual([
      "the ledger did not record the end of a call of desk/do-it; the runtime counts further lost ends",
      "the ledger accepts records again; the ends of 3 calls are missing from it",
      "the ledger did not record the end of a call of desk/do-it; the runtime counts further lost ends",
      "the ledger accepts records again; the end of 1 call is missing from it",
    ]);
    warned.mockRestore();
  });

  test("keeps 500 characters of a result", async () => {
    const { call, ledger } = setUp();
    await call(
      exampleTool(async () => ({ result: { status: "success", data: "x".repeat(9000) } })),
    );
    expect(ledger.records.at(-1)).toMatchObject({ result: expect.stringMatching(/^.{500}$/) });
  });
});

test("rejects a result that doesn't fit `returns`", async () => {
  const { call } = setUp();
  const returns = Object.assign((value: unknown): value is never => value === undefined, {
    errors: [{ instancePath: "/ok", keyword: "type", message: "must be string" }],
  });
  const error = await failureOf(
    call(exampleTool(succeed, { returns })),
    "SCHEMA.VALIDATION_FAILED",
  );
  expect(error.failure).toMatchObject({ subject: "result", problems: [{ pointer: "/ok" }] });
});

test.each([
  [{ signal: {} }, "`signal` must be an AbortSignal"],
  [{ signal: "stop" }, "`signal` must be an AbortSignal"],
  [{ mode: "Shadow" }, '`mode` must be "active" or "shadow"'],
  [{ trace: Symbol("t") }, "`trace` must be a text"],
  [{ parent: 1n }, "`parent` must be a text"],
  [{ step: 7 }, "`step` must be text of 1 to 256 characters"],
  [{ step: "" }, "`step` must be text of 1 to 256 characters"],
  [{ step: "x".repeat(257) }, "`step` must be text of 1 to 256 characters"],
  [{ step: "two\nlines" }, "`step` has a control character"],
] as const)("rejects invalid options before the call is sent: %o", async (options, message) => {
  let sent = 0;
  const tool = exampleTool(async () => {
    sent += 1;
    return { result: { status: "success", data: null } };
  });
  const given = { ...options, runtime: createRuntime({ ledger: createMemoryLedger() }) };
  // Callers in JavaScript pass such things.
  const called = callTool(tool, { id: "1" }, given as never);
  await expect(called).rejects.toThrow(new RegExp(`^${message}`));
  await expect(called).rejects.toBeInstanceOf(TypeError);
  expect(sent).toBe(0);
});
