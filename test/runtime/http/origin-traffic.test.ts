import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  type Leave,
  OriginTraffic,
  TooLongToWait,
} from "../../../src/runtime/http/origin-traffic.js";
import { stopClock } from "../../support/stopped-clock.js";

beforeEach(stopClock);

/** Senders that are let in, in their order, by their names. */
function queueAt(traffic: OriginTraffic) {
  const entered: string[] = [];
  const leaves = new Map<string, Leave>();
  const refused: unknown[] = [];
  const ask = (name: string, remainingMs?: number, signal = new AbortController().signal) => {
    const enter = async () => {
      leaves.set(name, await traffic.enter({ remainingMs, signal }));
      entered.push(name);
    };
    enter().catch((error: unknown) => refused.push(error));
  };
  const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
  return { ask, entered, leaves, pass, refused };
}

describe("requests to one origin", () => {
  test("wait for a place in the order in which they came", async () => {
    const { ask, entered, leaves, pass } = queueAt(new OriginTraffic({ concurrency: 2 }));
    for (const name of ["a", "b", "c", "d"]) ask(name);
    await pass();
    expect(entered).toEqual(["a", "b"]);
    leaves.get("b")?.();
    await pass();
    expect(entered).toEqual(["a", "b", "c"]);
    leaves.get("a")?.();
    await pass();
    expect(entered).toEqual(["a", "b", "c", "d"]);
  });

  test("begin no faster than the limit per second, in any second", async () => {
    const { ask, entered, pass } = queueAt(new OriginTraffic({ requestsPerSecond: 2 }));
    for (const name of ["a", "b", "c", "d", "e"]) ask(name);
    await pass();
    expect(entered).toEqual(["a", "b"]);
    await pass(999);
    expect(entered).toHaveLength(2);
    await pass(1);
    expect(entered).toEqual(["a", "b", "c", "d"]);
    await pass(1000);
    expect(entered).toHaveLength(5);
  });

  test("begin once in two seconds at half a request a second", async () => {
    const { ask, entered, pass } = queueAt(new OriginTraffic({ requestsPerSecond: 0.5 }));
    for (const name of ["a", "b"]) ask(name);
    await pass(1999);
    expect(entered).toEqual(["a"]);
    await pass(1);
    expect(entered).toEqual(["a", "b"]);
  });

  test("wait for the end of a pause, and for the longer of two", async () => {
    const traffic = new OriginTraffic({});
    const { ask, entered, pass } = queueAt(traffic);
    traffic.pause(500);
    traffic.pause(100);
    ask("a");
    await pass(499);
    expect(entered).toEqual([]);
    await pass(1);
    expect(entered).toEqual(["a"]);
  });

  test("fail at once if a pause is longer than they may wait", async () => {
    const traffic = new OriginTraffic({});
    const { ask, pass, refused } = queueAt(traffic);
    traffic.pause(30_000);
    ask("a", 5000);
    await pass();
    expect(refused).toEqual([expect.any(TooLongToWait)]);
    expect(refused[0]).toMatchObject({ waitMs: 30_000 });
  });

  test("fail at once if a pause begins while they wait and is longer than they may wait", async () => {
    const traffic = new OriginTraffic({ concurrency: 1 });
    const { ask, entered, leaves, pass, refused } = queueAt(traffic);
    ask("first");
    ask("hasty", 1000);
    ask("patient", 60_000);
    traffic.pause(5000);
    await pass();
    expect(refused).toHaveLength(1);
    leaves.get("first")?.();
    await pass(5000);
    expect(entered).toEqual(["first", "patient"]);
  });

  test("fail at once if too many requests are before them to begin in time", async () => {
    const { ask, pass, refused } = queueAt(new OriginTraffic({ requestsPerSecond: 1 }));
    for (const name of ["a", "b", "c"]) ask(name);
    ask("in time", 3000);
    ask("too late", 3000);
    await pass();
    expect(refused).toEqual([expect.objectContaining({ waitMs: 4000 })]);
  });

  test("leave the queue if they are aborted, and hold up nobody behind them", async () => {
    const { ask, entered, leaves, pass, refused } = queueAt(new OriginTraffic({ concurrency: 1 }));
    const aborted = new AbortController();
    ask("a");
    ask("b", undefined, aborted.signal);
    ask("c");
    aborted.abort("enough");
    await pass();
    expect(refused).toEqual(["enough"]);
    leaves.get("a")?.();
    await pass();
    expect(entered).toEqual(["a", "c"]);
  });

  test("leave no state behind after the last one ends", async () => {
    const traffic = new OriginTraffic({ requestsPerSecond: 5 });
    const { ask, leaves, pass } = queueAt(traffic);
    ask("a");
    await pass();
    leaves.get("a")?.();
    expect(traffic.isIdle).toBe(false);
    await pass(1000);
    expect(traffic.isIdle).toBe(true);
  });
});
