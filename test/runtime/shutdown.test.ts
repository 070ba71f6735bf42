import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { callTool } from "../../src/runtime/call.js";
import { createMemoryLedger } from "../../src/runtime/ledger/memory-ledger.js";
import { configure, createRuntime } from "../../src/runtime/runtime.js";
import { onShutdown, shutdown } from "../../src/runtime/shutdown.js";
import { exampleTool, succeed } from "./example-tool.js";

/** What a test registers can't be taken back: it does nothing once the test is over. */
let closers: (() => Promise<void>)[] = [];
onShutdown(async () => {
  await Promise.all(closers.map((close) => close()));
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

test("shutdown closes what calls use, waits for the calls, and then closes the ledger", async () => {
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

test("calls of other runtimes are waited for too", async () => {
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

test("what hangs is left behind at the deadline, and the ledger closed all the same", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  const events: string[] = [];
  configure({ ledger: toldLedger(events) });
  closers = [() => new Promise(() => {})];
  await shutdown({ deadlineMs: 30 });
  expect(events).toEqual(["ledger closed"]);
  expect(warned.mock.calls[0]?.[0]).toBe(
    "shutdown did not wait longer than 30 ms for calls or connections",
  );
});

test("a closer that fails keeps nothing else from being closed, and is told of", async () => {
  const events: string[] = [];
  configure({ ledger: toldLedger(events) });
  closers = [() => Promise.reject(new Error("broken"))];
  await expect(shutdown()).rejects.toThrow("broken");
  expect(events).toEqual(["ledger closed"]);
});

test("runtime.close waits for its calls under way", async () => {
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
