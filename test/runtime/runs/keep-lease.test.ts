import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  keepLease,
  usualLeaseMs as leaseMs,
} from "../../../src/runtime/runs/postgres/keep-lease.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a lease that is renewed is never lost, and is renewed no more once it is stopped", async () => {
  const renew = vi.fn(() => Promise.resolve(true));
  const lease = keepLease({ name: "the run", takenAt: performance.now(), leaseMs }, renew);
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
  const lease = keepLease({ name: "the run", takenAt: performance.now(), leaseMs }, renew);
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
  const lease = keepLease(
    { name: "the run", takenAt: performance.now(), leaseMs },
    () => new Promise(() => {}),
  );
  await vi.advanceTimersByTimeAsync(0.75 * leaseMs - 1);
  expect(lease.lost.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(lease.lost.aborted).toBe(true);
});

test("a lease that the store no longer knows is lost at once", async () => {
  const renew = vi.fn(() => Promise.resolve(false));
  const lease = keepLease({ name: "the run", takenAt: performance.now(), leaseMs }, renew);
  await vi.advanceTimersByTimeAsync(leaseMs / 4);
  expect(lease.lost.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(leaseMs);
  expect(renew).toHaveBeenCalledOnce();
});

test("a lease whose request took long is renewed at once", async () => {
  const renew = vi.fn(() => Promise.resolve(true));
  const takenAt = performance.now();
  await vi.advanceTimersByTimeAsync(0.7 * leaseMs);
  const lease = keepLease({ name: "the run", takenAt, leaseMs }, renew);
  await vi.advanceTimersByTimeAsync(1);
  expect(renew).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(leaseMs);
  expect(lease.lost.aborted).toBe(false);
});

test("slow renewals follow each other without a pause, so that the lease is kept", async () => {
  const renew = vi.fn(async () => {
    await new Promise((resolve) => setTimeout(resolve, 0.35 * leaseMs));
    return true;
  });
  const lease = keepLease({ name: "the run", takenAt: performance.now(), leaseMs }, renew);
  await vi.advanceTimersByTimeAsync(10 * leaseMs);
  expect(lease.lost.aborted).toBe(false);
});

describe("a process that was blocked", () => {
  /** Blocks the process: time passes, and no timer fires. */
  function blockable() {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    return {
      block: (ms: number) => void (now += ms),
      /** Fires the timers that are due, which were set `ms` before. */
      async go(ms: number) {
        await vi.advanceTimersByTimeAsync(ms);
      },
    };
  }

  test("tries a renewal before it gives up a lease that may last", async () => {
    const { block, go } = blockable();
    const renew = vi.fn(() => Promise.resolve(true));
    const lease = keepLease({ name: "the run", takenAt: 0, leaseMs }, renew);
    block(0.9 * leaseMs);
    await go(0.75 * leaseMs);
    expect(renew).toHaveBeenCalled();
    expect(lease.lost.aborted).toBe(false);
    expect(() => lease.requireHeld()).not.toThrow();
  });

  test("tries again if the renewal that was under way got no answer", async () => {
    const { block, go } = blockable();
    let answer: (error: Error) => void = () => {};
    const renew = vi
      .fn(() => Promise.resolve(true))
      .mockImplementationOnce(() => new Promise((_, reject) => (answer = reject)));
    const lease = keepLease({ name: "the run", takenAt: 0, leaseMs }, renew);
    block(0.3 * leaseMs);
    await go(0.3 * leaseMs);
    block(0.5 * leaseMs);
    await go(0.45 * leaseMs);
    expect(lease.lost.aborted).toBe(false);
    answer(new Error("no answer"));
    await go(0.05 * leaseMs);
    expect(renew).toHaveBeenCalledTimes(2);
    expect(lease.lost.aborted).toBe(false);
  });

  test("loses the lease at its end if the renewal hangs", async () => {
    const { block, go } = blockable();
    const lease = keepLease({ name: "the run", takenAt: 0, leaseMs }, () => new Promise(() => {}));
    block(0.9 * leaseMs);
    await go(0.75 * leaseMs);
    expect(lease.lost.aborted).toBe(false);
    block(0.1 * leaseMs);
    await go(0.1 * leaseMs);
    expect(lease.lost.aborted).toBe(true);
  });

  test("loses a lease that has ended meanwhile", async () => {
    const { block, go } = blockable();
    const lease = keepLease({ name: "the run", takenAt: 0, leaseMs }, () => new Promise(() => {}));
    block(leaseMs);
    await go(0.75 * leaseMs);
    expect(lease.lost.aborted).toBe(true);
  });

  test("finds that the lease has ended before any timer fires", () => {
    const { block } = blockable();
    const lease = keepLease({ name: "the run", takenAt: 0, leaseMs }, () => Promise.resolve(true));
    block(leaseMs - 1);
    lease.requireHeld();
    block(1);
    expect(() => lease.requireHeld()).toThrow("its lease could not be renewed in time");
    expect(lease.lost.aborted).toBe(true);
  });
});
