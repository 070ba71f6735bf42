import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { RefusedValue } from "../../../src/runtime/call/refused-value.js";
import { ToolError, type WriteOutcome, withOutcome } from "../../../src/runtime/errors.js";
import type { LedgerStore } from "../../../src/runtime/ledger/store.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import type { EndRecord } from "../../../src/runtime/ledger/record.js";
import { createRuntime, type RuntimeOptions } from "../../../src/runtime/runtime.js";
import type { Attempt } from "../../../src/runtime/call/attempt.js";
import type { Validator } from "../../../src/runtime/validation/validation.js";
import { type Contract, exampleTool, succeed } from "../example-tool.js";

/** The outcome that the error of a failed call tells, with the status in the ledger. */
async function told(tool: Contract, options: object = {}, runtimeOptions: RuntimeOptions = {}) {
  const ledger = createMemoryLedger();
  const runtime = createRuntime({ ledger, inherit: false, ...runtimeOptions });
  const error: unknown = await callTool(tool, { id: "a" }, { runtime, ...options }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ToolError)) throw new Error("not a ToolError");
  // The last record of a call is its end.
  const { status } = ledger.records.at(-1) as EndRecord;
  return [error.outcome, status];
}

const unknown = ["unknown", "unknown"];
const failed = ["not-done", "failed"];
const never = () => new Promise<never>(() => {});

function lost(attempt: Attempt, outcome?: WriteOutcome): Promise<never> {
  const options = outcome === undefined ? {} : { outcome };
  return Promise.reject(
    new ToolError(attempt.tool, { code: "PROVIDER.UNAVAILABLE", reason: "ECONNRESET" }, "gone", {
      attempts: attempt.number,
      ...options,
    }),
  );
}

describe("the outcome of an error", () => {
  const failure = { code: "PROVIDER.PROTOCOL", reason: "bad" } as const;

  test("defaults to `not-done` only if nothing was sent", () => {
    expect(new ToolError("t", failure, "m").outcome).toBe("not-done");
    expect(new ToolError("t", failure, "m", { attempts: 1 }).outcome).toBe("unknown");
  });

  test("can be replaced, and the rest of the error stays", () => {
    const cause = new Error("why");
    const error = new ToolError("t", failure, "m", { attempts: 1, cause });
    const other = withOutcome(error, "not-done");
    expect(other).toMatchObject({ tool: "t", failure, message: "m", attempts: 1, cause });
    expect([other.outcome, other.stack]).toEqual(["not-done", error.stack]);
    expect(withOutcome(other, "not-done")).toBe(other);
  });
});

describe("a write", () => {
  test("may have happened if its binding reports no outcome", async () => {
    expect(await told(exampleTool((attempt) => lost(attempt)))).toEqual(unknown);
    expect(await told(exampleTool(() => Promise.reject(new Error("odd"))))).toEqual(unknown);
  });

  test("a write has not happened if its binding reports `not-done`", async () => {
    expect(await told(exampleTool((attempt) => lost(attempt, "not-done")))).toEqual(failed);
  });

  test("a write has not happened if its binding rejects a value before it sends anything", async () => {
    const refused = () => Promise.reject(new RefusedValue("/id", "path", "is no path"));
    expect(await told(exampleTool(refused))).toEqual(failed);
  });

  test("may have happened in an earlier attempt, even if a later one certainly failed", async () => {
    const retry = { maxAttempts: 2, backoffMs: 1, backoffMultiplier: 1 };
    const outcomes = (first: WriteOutcome, second: WriteOutcome) =>
      told(exampleTool((each) => lost(each, each.number === 1 ? first : second), { retry }));
    expect(await outcomes("unknown", "not-done")).toEqual(unknown);
    expect(await outcomes("not-done", "not-done")).toEqual(failed);
  });

  test("a write has the outcome that its binding's listeners report if its time is up", async () => {
    const timeoutMs = 10;
    const listening = (said: readonly (WriteOutcome | undefined)[]) =>
      exampleTool(
        (attempt) => {
          for (const each of said) attempt.onAbort(() => each);
          return never();
        },
        { timeoutMs },
      );
    expect(await told(exampleTool(never, { timeoutMs }))).toEqual(unknown);
    expect(await told(listening([undefined]))).toEqual(unknown);
    expect(await told(listening(["not-done"]))).toEqual(failed);
    expect(await told(listening(["not-done", "not-done"]))).toEqual(failed);
    expect(await told(listening(["not-done", undefined]))).toEqual(unknown);
    expect(await told(listening(["not-done", "unknown"]))).toEqual(unknown);
  });

  test("a write has failed if a listener throws after its time is up, and the other listeners still run", async () => {
    let isTold = false;
    const broken = exampleTool(
      (attempt) => {
        attempt.onAbort(() => {
          throw new Error("a fault of a binding");
        });
        attempt.onAbort(() => {
          isTold = true;
          return "not-done";
        });
        return never();
      },
      { timeoutMs: 10 },
    );
    expect(await told(broken)).toEqual(unknown);
    expect(isTold).toBe(true);
  });

  test("a write has the outcome of what was sent if it is aborted before, during or between attempts", async () => {
    const retry = { maxAttempts: 2, backoffMs: 60_000, backoffMultiplier: 1 };
    const soon = () => ({ signal: AbortSignal.timeout(20) });
    expect(await told(exampleTool(succeed), { signal: AbortSignal.abort() })).toEqual(failed);
    expect(await told(exampleTool(never), soon())).toEqual(unknown);
    const between = (outcome: WriteOutcome) =>
      told(
        exampleTool((attempt) => lost(attempt, outcome), { retry }),
        soon(),
      );
    expect(await between("not-done")).toEqual(failed);
    expect(await between("unknown")).toEqual(unknown);
    const busy = exampleTool(
      async () => ({ result: { status: "rate_limited", error: "later" }, retry: {} }),
      { retry },
    );
    expect(await told(busy, soon())).toEqual(unknown);
  });

  test.each(["credentials", "ledger"])(
    "sends nothing if it is aborted while it waits for its %s",
    async (what) => {
      const ledger = createMemoryLedger();
      const slow: LedgerStore = {
        ...ledger,
        append: async (entry) => {
          ledger.append(entry);
          await pause(5);
        },
      };
      const runtime = createRuntime({
        inherit: false,
        credentials: { TOKEN: "t" },
        ledger: what === "ledger" ? slow : ledger,
      });
      let sent = 0;
      const tool = exampleTool(
        () => {
          sent += 1;
          return succeed();
        },
        { credentials: ["TOKEN"] },
      );
      const controller = new AbortController();
      const call = callTool(tool, { id: "a" }, { runtime, signal: controller.signal });
      if (what === "ledger") while (ledger.records.length === 0) await pause(0);
      controller.abort();
      await expect(call).rejects.toMatchObject({
        failure: { code: "UNKNOWN.INTERNAL", reason: "aborted" },
        attempts: 0,
        outcome: "not-done",
      });
      expect(sent).toBe(0);
      expect(ledger.records.at(-1)).toMatchObject({ type: "end", status: "failed", attempts: 0 });
    },
  );

  test("a write has happened if only its result doesn't fit", async () => {
    const returns: Validator = Object.assign(
      (value: unknown): value is never => value === undefined,
      { errors: [{ instancePath: "/ok", keyword: "type", message: "must be string" }] },
    );
    expect(await told(exampleTool(succeed, { returns }))).toEqual(unknown);
  });

  test("may have happened if a handler throws, whatever the handler throws", async () => {
    const throwing = (error: Error) => ({
      handlers: {
        "desk/do-it": () => {
          throw error;
        },
      },
    });
    const refused = new ToolError("desk/other", { code: "POLICY.DENY_TOOL", missing: [] }, "no");
    expect(await told(exampleTool(succeed), {}, throwing(new Error("odd")))).toEqual(unknown);
    expect(await told(exampleTool(succeed), {}, throwing(refused))).toEqual(unknown);
    expect(refused.outcome).toBe("not-done");
  });

  test("a write has not happened if it was not sent", async () => {
    const missing = exampleTool(succeed, { credentials: ["TOKEN"] });
    expect(await told(missing)).toEqual(failed);
  });
});

test("a read that fails has the outcome `not-done`", async () => {
  const effect = "read";
  expect(await told(exampleTool((attempt) => lost(attempt), { effect }))).toEqual(failed);
  expect(await told(exampleTool(never, { effect, timeoutMs: 10 }))).toEqual(failed);
});
