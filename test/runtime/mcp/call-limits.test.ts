import { expect, test } from "vitest";
import { callLimits } from "../../../src/runtime/mcp/call-limits.js";

const { signal } = new AbortController();
const ada = { subject: "ada" };
const bob = { subject: "bob" };

/** Counts how many of some calls have a place. */
function counted(entering: readonly Promise<() => void>[]) {
  const leaves: (() => void)[] = [];
  for (const each of entering) each.then((leave) => leaves.push(leave)).catch(() => undefined);
  return leaves;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a caller has fifty places, and the next call gets the first that is free", async () => {
  const limits = callLimits();
  const leaves = counted(Array.from({ length: 51 }, () => limits.enter(ada, signal)));
  await turn();
  expect(leaves).toHaveLength(50);
  leaves[0]?.();
  await turn();
  expect(leaves).toHaveLength(51);
});

test("a caller with many calls leaves places for others", async () => {
  const limits = callLimits();
  counted(Array.from({ length: 900 }, () => limits.enter(ada, signal)));
  const leaves = counted([limits.enter(bob, signal)]);
  await turn();
  expect(leaves).toHaveLength(1);
});

test("a caller whose line is too long gets an error", async () => {
  const limits = callLimits();
  counted(Array.from({ length: 1000 }, () => limits.enter(ada, signal)));
  await expect(limits.enter(ada, signal)).rejects.toThrow("too many calls at once");
});

test("a call that is aborted leaves the line", async () => {
  const limits = callLimits();
  const stop = new AbortController();
  const leaves = counted(Array.from({ length: 50 }, () => limits.enter(ada, signal)));
  const waiting = limits.enter(ada, stop.signal);
  await turn();
  stop.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  for (const leave of leaves) leave();
  await expect(limits.enter(ada, signal)).resolves.toBeTypeOf("function");
});
