import { expect, onTestFinished, test, vi } from "vitest";
import { governance } from "@skillc/runtime/governance";
import { policy } from "../../../generated/policy.js";
import { toolChanges } from "../../../src/runtime/mcp/tool-changes.js";

const tool = "order-desk/get-order";
const change = { by: "ada", because: "test" };

function stopClock() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
}

test("nobody looks at the states of tools while nobody watches", async () => {
  stopClock();
  const own = governance({ policy });
  const states = vi.spyOn(own.store, "states");
  const end = toolChanges({ governance: own }).watch(() => undefined);
  await vi.advanceTimersByTimeAsync(5000);
  expect(states).toHaveBeenCalledTimes(2);
  end();
  await vi.advanceTimersByTimeAsync(50_000);
  expect(states).toHaveBeenCalledTimes(2);
});

test("a watcher learns of a change once", async () => {
  stopClock();
  const own = governance({ policy });
  const changed = vi.fn<() => void>();
  onTestFinished(toolChanges({ governance: own }).watch(changed));
  await vi.advanceTimersByTimeAsync(5000);
  await own.setToolState(tool, "paused", change);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(changed).toHaveBeenCalledTimes(1);
});

test("a runtime without governance has no changes of tools", () => {
  expect(() => toolChanges({ governance: undefined }).watch(() => undefined)()).not.toThrow();
});
