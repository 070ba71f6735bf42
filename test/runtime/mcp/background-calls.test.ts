/** Calls that go on after their request was answered. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type BackgroundCalls,
  createBackgroundCalls,
} from "../../../src/runtime/mcp/background/background-calls.js";
import { stopClock } from "../../support/stopped-clock.js";

const ada = { tenant: "acme", subject: "ada" };
const answerWithinMs = 50_000;
const keptMs = 15 * 60_000;

/** A call that ends only when the test says so. */
function openCall() {
  let resolve: (value: string) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<string>((...given) => ([resolve, reject] = given));
  let signal: AbortSignal | undefined;
  const call = (given: AbortSignal): Promise<string> => {
    signal = given;
    given.addEventListener("abort", () => reject(given.reason));
    return promise;
  };
  return { call, promise, end: resolve, fail: reject, isAborted: () => signal?.aborted };
}

function background(maxCalls?: number): BackgroundCalls<string> {
  stopClock();
  return createBackgroundCalls({ answerWithinMs, ...(maxCalls !== undefined && { maxCalls }) });
}

/** Runs a call until it is answered with an id. */
async function sentOn(calls: BackgroundCalls<string>, open = openCall(), owner: object = ada) {
  const answer = calls.run(owner, open.call);
  await vi.advanceTimersByTimeAsync(answerWithinMs);
  const found = await answer;
  if (found.state !== "running") throw new Error("the call has ended");
  return { ...open, id: found.id };
}

/** Returns whether a promise has settled, once all that can go on has gone on. */
async function hasSettled(work: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const settle = () => (isSettled = true);
  work.then(settle, settle);
  await vi.advanceTimersByTimeAsync(0);
  return isSettled;
}

describe("a call that ends in time", () => {
  test("returns its value and leaves no timer", async () => {
    const calls = background();
    const open = openCall();
    const answer = calls.run(ada, open.call);
    open.end("done");
    expect(await answer).toEqual({ state: "ended", value: "done" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("throws the error of a call that fails, even before its first await", async () => {
    const calls = background();
    await expect(calls.run(ada, () => Promise.reject(new Error("late")))).rejects.toThrow("late");
    const failing = () => {
      throw new Error("early");
    };
    await expect(calls.run(ada, failing)).rejects.toThrow("early");
  });

  test("the signal of its request aborts it", async () => {
    const calls = background();
    const request = new AbortController();
    const answer = calls.run(ada, openCall().call, request.signal);
    request.abort(new Error("gone"));
    await expect(answer).rejects.toThrow("gone");
  });

  test("an aborted request starts its call aborted", async () => {
    const call = (signal: AbortSignal) => Promise.resolve(`${signal.aborted}`);
    const answer = await background().run(ada, call, AbortSignal.abort());
    expect(answer).toEqual({ state: "ended", value: "true" });
  });
});

describe("a call that goes on", () => {
  test("gets an id at the time limit, and its end is read with the id", async () => {
    const calls = background();
    const { end, id } = await sentOn(calls);
    expect(id).toMatch(/^[\w-]{24}$/);
    const waiting = calls.awaitEnd(ada, id);
    end("done");
    expect(await waiting).toEqual({ state: "ended", value: "done" });
    expect(await calls.awaitEnd(ada, id)).toEqual({ state: "ended", value: "done" });
  });

  test("rejects every wait if it fails", async () => {
    const calls = background();
    const { fail, id } = await sentOn(calls);
    fail(new Error("broken"));
    await expect(calls.awaitEnd(ada, id)).rejects.toThrow("broken");
    await expect(calls.awaitEnd(ada, id)).rejects.toThrow("broken");
  });

  test("no wait takes more than 25 seconds, and none ends before its time", async () => {
    const calls = background();
    const { id } = await sentOn(calls);
    const long = calls.awaitEnd(ada, id, { withinMs: 60_000 });
    const short = calls.awaitEnd(ada, id, { withinMs: 10 });
    await vi.advanceTimersByTimeAsync(9);
    expect(await hasSettled(short)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await short).toEqual({ state: "running", id });
    await vi.advanceTimersByTimeAsync(24_989);
    expect(await hasSettled(long)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await long).toEqual({ state: "running", id });
  });

  test("only its tenant and subject together find it", async () => {
    const calls = background();
    const { end, id, isAborted } = await sentOn(calls, openCall(), { tenant: "a", subject: "b:c" });
    const others = [
      { tenant: "a:b", subject: "c" },
      { tenant: "a", subject: "b" },
      { tenant: "a" },
      { subject: "b:c" },
      { tenant: "b:c", subject: "a" },
      {},
    ];
    for (const other of others) {
      expect(await calls.awaitEnd(other, id)).toEqual({ state: "none" });
      expect(calls.cancel(other, id)).toBe("none");
    }
    expect(isAborted()).toBe(false);
    end("done");
    for (const other of others)
      expect(await calls.awaitEnd(other, id)).toEqual(await calls.awaitEnd(other, "unknown"));
  });

  test("the signal of its request no longer aborts it, but cancel does", async () => {
    const calls = background();
    const request = new AbortController();
    const open = openCall();
    const answer = calls.run(ada, open.call, request.signal);
    await vi.advanceTimersByTimeAsync(answerWithinMs);
    const found = await answer;
    request.abort();
    expect(open.isAborted()).toBe(false);
    const id = found.state === "running" ? found.id : "";
    expect(calls.cancel(ada, id)).toBe("aborted");
    expect(open.isAborted()).toBe(true);
    await expect(calls.awaitEnd(ada, id)).rejects.toThrow("aborted");
    expect(calls.cancel(ada, id)).toBe("ended");
  });

  test("its end can be read for 15 minutes, and then the id is unknown", async () => {
    const calls = background();
    const { end, id } = await sentOn(calls);
    await vi.advanceTimersByTimeAsync(10 * keptMs);
    end("done");
    await vi.advanceTimersByTimeAsync(keptMs - 1);
    expect(await calls.awaitEnd(ada, id)).toEqual({ state: "ended", value: "done" });
    vi.setSystemTime(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(await calls.awaitEnd(ada, id)).toEqual({ state: "none" });
    expect(calls.cancel(ada, id)).toBe("none");
  });

  test("a client that has gone gets no id, and the call is not kept for it", async () => {
    const calls = background(1);
    const request = new AbortController();
    const { end, promise } = openCall();
    const answer = calls.run(ada, () => promise, request.signal);
    request.abort();
    await vi.advanceTimersByTimeAsync(2 * answerWithinMs);
    expect(await hasSettled(answer)).toBe(false);
    await sentOn(calls);
    end("done");
    expect(await answer).toEqual({ state: "ended", value: "done" });
  });
});

describe("limits of one caller", () => {
  test("a call beyond the limit is answered with its end", async () => {
    const calls = background(2);
    const first = await sentOn(calls);
    await sentOn(calls);
    const open = openCall();
    const third = calls.run(ada, open.call);
    await vi.advanceTimersByTimeAsync(2 * answerWithinMs);
    expect(await hasSettled(third)).toBe(false);
    await sentOn(calls, openCall(), { tenant: "acme", subject: "grace" });
    open.end("done");
    expect(await third).toEqual({ state: "ended", value: "done" });
    expect(await calls.awaitEnd(ada, first.id, { withinMs: 0 })).toMatchObject({
      state: "running",
    });
  });

  test("an end that was read makes room, and an unread end does not", async () => {
    const calls = background(2);
    const [unread, read] = [await sentOn(calls), await sentOn(calls)];
    unread.end("unread");
    read.end("read");
    await calls.awaitEnd(ada, read.id);
    await sentOn(calls);
    expect(await calls.awaitEnd(ada, read.id)).toEqual({ state: "none" });
    expect(await calls.awaitEnd(ada, unread.id)).toEqual({ state: "ended", value: "unread" });
  });

  test("a flood of waits gets answers at once, and disturbs no other caller", async () => {
    const calls = background();
    const grace = { tenant: "acme", subject: "grace" };
    const own = await sentOn(calls);
    const other = await sentOn(calls, openCall(), grace);
    const waits = Array.from({ length: 1000 }, () => calls.awaitEnd(ada, own.id));
    const settled = await Promise.all(waits.map(hasSettled));
    expect(settled.filter((each) => !each)).toHaveLength(4);
    expect(await waits.at(-1)).toEqual({ state: "running", id: own.id });
    expect(await hasSettled(calls.awaitEnd(grace, other.id))).toBe(false);
    own.end("done");
    expect(await waits[0]).toEqual({ state: "ended", value: "done" });
    const next = await sentOn(calls);
    expect(await hasSettled(calls.awaitEnd(ada, next.id))).toBe(false);
  });

  test("a wait whose request is aborted ends, and makes room for another", async () => {
    const calls = background();
    const { id } = await sentOn(calls);
    const request = new AbortController();
    const { signal } = request;
    const waits = [1, 2, 3, 4].map(() => calls.awaitEnd(ada, id, { signal }));
    request.abort();
    expect(await Promise.all(waits)).toEqual(waits.map(() => ({ state: "running", id })));
    expect(await calls.awaitEnd(ada, id, { signal })).toEqual({ state: "running", id });
    expect(await hasSettled(calls.awaitEnd(ada, id))).toBe(false);
  });
});

describe("closing", () => {
  test("waits for every call, and answers no call with an id meanwhile", async () => {
    const calls = background();
    const known = await sentOn(calls);
    const open = openCall();
    const answer = calls.run(ada, open.call);
    const closed = calls.close(Infinity);
    await vi.advanceTimersByTimeAsync(answerWithinMs);
    expect(await hasSettled(answer)).toBe(false);
    open.end("done");
    expect(await answer).toEqual({ state: "ended", value: "done" });
    expect(await hasSettled(closed)).toBe(false);
    const waiting = calls.awaitEnd(ada, known.id);
    known.end("done too");
    await closed;
    expect(await waiting).toEqual({ state: "ended", value: "done too" });
  });

  test("a call that fails in the background is no unhandled rejection", async () => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", listen);
    onTestFinished(() => void process.off("unhandledRejection", listen));
    const calls = background();
    const { fail } = await sentOn(calls);
    fail(new Error("broken"));
    await calls.close(Infinity);
    await new Promise(setImmediate);
    expect(unhandled).toEqual([]);
  });
});
