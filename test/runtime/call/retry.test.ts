import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { pause, waitBeforeNext } from "../../../src/runtime/call/retry.js";

const policy = { maxAttempts: 5, backoffMs: 1000, backoffMultiplier: 2 };

describe("the wait before the next attempt", () => {
  test("the wait is a random time between zero and the backoff, which grows with each attempt", () => {
    const most = [1, 2, 3, 4].map((attempt) => waitBeforeNext(policy, attempt, undefined, () => 1));
    expect(most).toEqual([1000, 2000, 4000, 8000]);
    expect(waitBeforeNext(policy, 3, undefined, () => 0)).toBe(0);
    expect(waitBeforeNext(policy, 3, undefined, () => 0.25)).toBe(1000);
  });

  test("the wait is the pause that the target asks for, even if that is 0", () => {
    expect(waitBeforeNext(policy, 1, 12_345, () => 1)).toBe(12_345);
    expect(waitBeforeNext(policy, 1, 0, () => 1)).toBe(0);
  });

  test("the wait is undefined after the last attempt, whatever the target asks for", () => {
    expect(waitBeforeNext(policy, 5, undefined)).toBeUndefined();
    expect(waitBeforeNext(policy, 5, 1)).toBeUndefined();
    expect(waitBeforeNext({ ...policy, maxAttempts: 1 }, 1, undefined)).toBeUndefined();
  });

  test("the wait is undefined if the target asks for more than a minute", () => {
    expect(waitBeforeNext(policy, 1, 60_000)).toBe(60_000);
    expect(waitBeforeNext(policy, 1, 60_001)).toBeUndefined();
  });

  test("lies within its bounds for every policy", () => {
    const policies = fc.record({
      maxAttempts: fc.integer({ min: 2, max: 1000 }),
      backoffMs: fc.integer({ min: 0, max: 1e9 }),
      backoffMultiplier: fc.double({ min: 1, max: 1e6, noNaN: true }),
    });
    fc.assert(
      fc.property(
        policies,
        fc.nat(998),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (each, nth, random) => {
          const attempt = (nth % (each.maxAttempts - 1)) + 1;
          const wait = waitBeforeNext(each, attempt, undefined, () => random) ?? -1;
          const ceiling = each.backoffMs * each.backoffMultiplier ** (attempt - 1);
          expect(wait).toBeGreaterThanOrEqual(0);
          expect(wait).toBeLessThanOrEqual(Number.isNaN(ceiling) ? 0 : Math.min(ceiling, 60_000));
        },
      ),
    );
  });
});

describe("a pause", () => {
  test("ends by itself, and leaves no listener behind", async () => {
    const controller = new AbortController();
    const listeners = vi.spyOn(controller.signal, "removeEventListener");
    await pause(1, undefined);
    await pause(1, controller.signal);
    expect(listeners).toHaveBeenCalledOnce();
  });

  test("ends with the signal's reason, before it begins or in its middle", async () => {
    const reason = new Error("enough");
    await expect(pause(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const waiting = pause(60_000, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});
