/** How long a call holds its place of `concurrent`, while it runs and after its process has died. */
import { expect, onTestFinished, test, vi } from "vitest";
import { createMemoryStore } from "../../../src/runtime/governance/index.js";
import { exampleTool, succeed } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

const oneAtOnce = policyOf({ limits: { concurrent: 1 } });

function stopTimers() {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"],
  });
  onTestFinished(() => void vi.useRealTimers());
}

test.each([
  ["2 s, once", { timeoutMs: 2000 }, 7000],
  [
    "2 s, three times",
    { timeoutMs: 2000, retry: { maxAttempts: 3, backoffMs: 1000, backoffMultiplier: 2 } },
    14_000,
  ],
  ["an hour", { timeoutMs: 3_600_000 }, 60_000],
])(
  "a call with the time limit %s holds its place only a bounded time after its process died",
  async (_, more, ms) => {
    const store = createMemoryStore();
    const take = vi.spyOn(store, "take");
    await govern(oneAtOnce, { store }).call(exampleTool(succeed, more));
    expect(take.mock.calls[0]?.[1].ttlMs).toBe(ms);
  },
);

test("a call that takes longer than its hold keeps its place", async () => {
  stopTimers();
  const store = createMemoryStore({ now: () => 0 });
  const { call } = govern(oneAtOnce, { store });
  let end = () => {};
  const slow = exampleTool(() => new Promise((resolve) => (end = () => resolve(succeed()))), {
    timeoutMs: 3_600_000,
  });
  const first = call(slow);
  await vi.advanceTimersByTimeAsync(300_000);
  await expect(call(exampleTool(succeed))).rejects.toThrow("is used up");
  end();
  expect(await first).toMatchObject({ status: "success" });
  expect(await call(exampleTool(succeed))).toMatchObject({ status: "success" });
  const renew = vi.spyOn(store, "renewHold");
  await vi.advanceTimersByTimeAsync(300_000);
  expect(renew).not.toHaveBeenCalled();
});
