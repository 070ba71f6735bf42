import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { callTool } from "../../src/runtime/call/call-tool.js";
import { ToolError } from "../../src/runtime/errors.js";
import { createMemoryLedger } from "../../src/runtime/ledger/memory-store.js";
import { configure, createRuntime } from "../../src/runtime/runtime.js";
import { onShutdown, shutdown } from "../../src/runtime/shutdown.js";
import { exampleTool, succeed } from "./example-tool.js";

/** What a test registers can't be taken back: it does nothing once the test is over. */
let closers: ((late: AbortSignal) => Promise<void>)[] = [];
onShutdown(async (late) => {
  await Promise.all(closers.map((close) => close(late)));
});
afterEach(() => {
  closers = [];
  configure({ ledger: false });
});

/** A ledger that says what happens to it. */
function toldLedger(events: string[]) {
  const ledger = createMemoryLedger();
  return {
    ...ledger,
    append(entry: Parameters<typeof ledger.append>[0]) {
      events.push(entry.type);
      return ledger.append(entry);
    },
    async close() {
      events.push("ledger closed");
    },
  };
}

function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

test("shutdown closes connections, waits for the calls, and then closes the ledger", async () => {
  const events: string[] = [];
  configure({ ledger: toldLedger(events) });
  const { open, opened } = gate();
  closers = [
    async () => {
      events.push("closed");
      open();
    },
  ];
  const slow = exampleTool(async () => {
    await opened;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return succeed();
  });
  const call = callTool(slow, { id: "a" });
  await shutdown();
  // What the call opened meanwhile is closed as well.
  expect(events).toEqual(["begin", "closed", "end", "closed", "ledger closed"]);
  await expect(call).resolves.toMatchObject({ status: "success" });
});

test("shutdown waits for calls of other runtimes too", async () => {
  const events: string[] = [];
  const runtime = createRuntime({ ledger: toldLedger(events), inherit: false });
  const slow = exampleTool(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return succeed();
  });
  void callTool(slow, { id: "a" }, { runtime });
  await shutdown();
  expect(events).toEqual(["begin", "end"]);
});

test("shutdown leaves a hanging closer behind at the deadline, and still closes the ledger", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  const events: string[] = [];
  configure({ ledger: toldLedger(events) });
  closers = [() => new Promise(() => {})];
  await shutdown({ deadlineMs: 30 });
  expect(events).toEqual(["ledger closed"]);
  expect(warned.mock.calls[0]?.[0]).toBe(
    "shutdown waited 30 ms, and then stopped waiting for calls or connections",
  );
});

test("a call that closers cut at the deadline fails, is not tried again, and ends in the ledger", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  const events: string[] = [];
  configure({ ledger: toldLedger(events) });
  let cut = (): void => {};
  const lost = new Promise<void>((resolve) => (cut = resolve));
  closers = [
    (late) => {
      if (late.aborted) cut();
      late.addEventListener("abort", () => cut());
      return lost;
    },
  ];
  const hanging = exampleTool(
    async (attempt) => {
      await lost;
      const failure = { code: "PROVIDER.UNAVAILABLE", reason: "connection lost" } as const;
      throw new ToolError(attempt.tool, failure, "gone", { attempts: attempt.number });
    },
    { retry: { maxAttempts: 3, backoffMs: 0, backoffMultiplier: 1 } },
  );
  const call = callTool(hanging, { id: "a" });
  await Promise.all([
    shutdown({ deadlineMs: 30 }),
    expect(call).rejects.toMatchObject({ attempts: 1, outcome: "unknown" }),
  ]);
  expect(events).toEqual(["begin", "end", "ledger closed"]);
});

test("a call between two attempts at the deadline makes no further attempt", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  const busy = exampleTool(
    async () => ({ result: { status: "rate_limited", error: "later" }, retry: { afterMs: 100 } }),
    { retry: { maxAttempts: 3, backoffMs: 0, backoffMultiplier: 1 } },
  );
  const ledger = createMemoryLedger();
  const runtime = createRuntime({ ledger, inherit: false });
  const call = callTool(busy, { id: "a" }, { runtime });
  await shutdown({ deadlineMs: 30 });
  expect(await call).toMatchObject({ status: "rate_limited" });
  expect(ledger.records.at(-1)).toMatchObject({ type: "end", attempts: 1 });
});

test("no call is sent whose begin is recorded after the deadline", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  const { open, opened } = gate();
  const memory = createMemoryLedger();
  const ledger = {
    ...memory,
    append: (entry: Parameters<typeof memory.append>[0]) => opened.then(() => memory.append(entry)),
  };
  const sent = vi.fn(succeed);
  const runtime = createRuntime({ ledger, inherit: false });
  const call = callTool(exampleTool(sent), { id: "a" }, { runtime });
  await shutdown({ deadlineMs: 30 });
  open();
  await expect(call).rejects.toMatchObject({
    failure: { code: "UNKNOWN.INTERNAL", reason: "aborted" },
    attempts: 0,
    outcome: "not-done",
  });
  expect(sent).not.toHaveBeenCalled();
});

test("a closer that fails is reported, and everything else is still closed", async () => {
  const events: string[] = [];
  configure({ ledger: toldLedger(events) });
  closers = [() => Promise.reject(new Error("broken"))];
  await expect(shutdown()).rejects.toThrow("broken");
  expect(events).toEqual(["ledger closed"]);
});

test("runtime.close waits for its running calls", async () => {
  const events: string[] = [];
  const runtime = createRuntime({ ledger: toldLedger(events), inherit: false });
  const { open, opened } = gate();
  const slow = exampleTool(() => opened.then(succeed));
  const call = callTool(slow, { id: "a" }, { runtime });
  setTimeout(open, 20);
  await runtime.close();
  expect(events).toEqual(["begin", "end", "ledger closed"]);
  await call;
});

test("runtime.close does not wait for ever", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  const events: string[] = [];
  const runtime = createRuntime({ ledger: toldLedger(events), inherit: false });
  const { open, opened } = gate();
  const call = callTool(
    exampleTool(() => opened.then(succeed)),
    { id: "a" },
    { runtime },
  );
  await runtime.close({ deadlineMs: 20 });
  expect(events).toEqual(["begin", "ledger closed"]);
  open();
  await call;
});
