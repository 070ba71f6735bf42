/** A signal that any number of calls share: each hears of it, and Node warns of no leak. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { onAborted } from "../../src/runtime/on-aborted.js";
import { callTool } from "../../src/runtime/call/call-tool.js";
import { createMemoryLedger } from "../../src/runtime/ledger/memory-store.js";
import { createRuntime } from "../../src/runtime/runtime.js";
import { exampleTool, succeed } from "./example-tool.js";
import { govern, policyOf } from "./governance/governed.js";

const warnings: Error[] = [];
const warn = (warning: Error): void => void warnings.push(warning);
beforeEach(() => {
  warnings.length = 0;
  process.on("warning", warn);
});
afterEach(() => void process.off("warning", warn));

/** Warnings are given in a later turn. */
async function warned(): Promise<readonly string[]> {
  await new Promise(setImmediate);
  return warnings.map(({ name }) => name);
}

describe("a signal", () => {
  test("an aborted signal calls each remaining listener once", () => {
    const controller = new AbortController();
    const [first, second, third] = [vi.fn(), vi.fn(), vi.fn()];
    onAborted(controller.signal, first);
    const stop = onAborted(controller.signal, second);
    onAborted(controller.signal, () => stopThird());
    const stopThird = onAborted(controller.signal, third);
    stop();
    controller.abort();
    controller.abort();
    expect([first, second, third].map(({ mock }) => mock.calls.length)).toEqual([1, 0, 0]);
  });

  test("a signal that nobody waits for any more has no listener", () => {
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, "addEventListener");
    const remove = vi.spyOn(signal, "removeEventListener");
    const stops = [1, 2, 3].map(() => onAborted(signal, () => {}));
    for (const stop of [...stops, ...stops]) stop();
    expect([add.mock.calls.length, remove.mock.calls.length]).toEqual([1, 1]);
    onAborted(signal, () => {})();
    expect([add.mock.calls.length, remove.mock.calls.length]).toEqual([2, 2]);
  });
});

describe("calls that share a signal", () => {
  const many = Array.from({ length: 30 }, (_, at) => at);

  test("aborts all calls that share a signal, and Node warns of no leak", async () => {
    const runtime = createRuntime({ ledger: createMemoryLedger(), env: {}, inherit: false });
    const controller = new AbortController();
    const calls = many.map(() =>
      callTool(
        exampleTool(() => new Promise<never>(() => {})),
        { id: "a" },
        { runtime, signal: controller.signal },
      ).catch((error: Error) => error.message),
    );
    await new Promise(setImmediate);
    controller.abort();
    expect(new Set(await Promise.all(calls)).size).toBe(1);
    expect(await warned()).toEqual([]);
  });

  test("wait for a store, for a turn, for a key and for a next attempt without a warning", async () => {
    const policy = policyOf({ concurrency: "serial", idempotency: "keyed" });
    const { call } = govern(policy);
    const { signal } = new AbortController();
    const made = many.map((at) =>
      call(exampleTool(succeed), { signal, idempotencyKey: `k${at % 15}` }),
    );
    expect(await Promise.all(made)).toHaveLength(30);
    expect(await warned()).toEqual([]);
  });
});
