import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepLease, leaseMs } from "../../../src/runtime/runs/postgres/keep-lease.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("a lease that is renewed is never lost, and is renewed no more once it is stopped", async () => {
  const renew = vi.fn(() => Promise.resolve(true));
  const lease = keepLease("the run", performance.now(), renew);
  await vi.advanceTimersByTimeAsync(10 * leaseMs);
  expect(lease.lost.aborted).toBe(false);
  const renewals = renew.mock.calls.length;
  expect(renewals).toBeGreaterThan(30);
  lease.stop();
  await vi.advanceTimersByTimeAsync(10 * leaseMs);
  expect(renew).toHaveBeenCalledTimes(renewals);
  lease.lose("late");
  expect(lease.lost.aborted).toBe(false);
});

test("a lease is lost before its end if the store can't be reached, and not by one failure", async () => {
  let isAway = true;
  const renew = vi.fn(() => (isAway ? Promise.reject(new Error("away")) : Promise.resolve(true)));
  const lease = keepLease("the run", performance.now(), renew);
  await vi.advanceTimersByTimeAsync(0.6 * leaseMs);
  isAway = false;
  await vi.advanceTimersByTimeAsync(5 * leaseMs);
  expect(lease.lost.aborted).toBe(false);
  isAway = true;
  await vi.advanceTimersByTimeAsync(leaseMs - 1);
  expect(lease.lost.aborted).toBe(true);
  expect(lease.lost.reason).toMatchObject({ name: "RunStoreError", problem: "lost" });
});

test("a lease is lost when a renewal that hangs lasts too long", async () => {
  const lease = keepLease("the run", performance.now(), () => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(0.75 * leaseMs - 1);
  expect(lease.lost.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(lease.lost.aborted).toBe(true);
});

test("a lease that the store no longer knows is lost at once", async () => {
  const renew = vi.fn(() => Promise.resolve(false));
  const lease = keepLease("the run", performance.now(), renew);
  await vi.advanceTimersByTimeAsync(leaseMs / 4);
  expect(lease.lost.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(leaseMs);
  expect(renew).toHaveBeenCalledOnce();
});
