/** Answers other than JSON on the call path: streams and bytes from any binding, handler or fake. */
import { describe, expect, test, vi } from "vitest";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { collected } from "../../../src/runtime/model/collect.js";
import { dispatchTool } from "../../../src/runtime/model/dispatch.js";
import { resultForModel } from "../../../src/runtime/model/model-result.js";
import { createRuntime, type RuntimeOptions } from "../../../src/runtime/runtime.js";
import type { AttemptOutcome } from "../../../src/runtime/call/attempt.js";
import { stopClock } from "../../support/stopped-clock.js";
import { exampleTool, type Result } from "../example-tool.js";

/** A tool that streams what `send` gives as data. */
function streaming(data: () => unknown, streams: "items" | "events" | null = "items") {
  const send = async (): Promise<AttemptOutcome<Result>> => ({
    result: { status: "success", data: data() },
  });
  const tool = exampleTool(send, { effect: "read" });
  return { ...tool, binding: { ...tool.binding, ...(streams && { streams }) } };
}

async function callIt(tool: ReturnType<typeof streaming>, options: RuntimeOptions = {}) {
  const ledger = createMemoryLedger();
  const runtime = createRuntime({ inherit: false, ledger, ...options });
  const result = await callTool(tool, { id: "7" }, { runtime });
  if (result.status !== "success") throw new Error(result.status);
  return { ledger, stream: result.data as AsyncIterableIterator<unknown> };
}

async function all(stream: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

async function* numbers(most = Infinity) {
  for (let number = 1; number <= most; number += 1) yield number;
}

describe("a handler for a streaming tool", () => {
  test("may return a generator or a list", async () => {
    for (const given of [() => numbers(2), () => [1, 2]]) {
      const handlers = { "desk/do-it": given };
      const { ledger, stream } = await callIt(
        streaming(() => []),
        { handlers },
      );
      expect(await all(stream)).toEqual([1, 2]);
      expect(ledger.records).toMatchObject([
        { type: "end", result: '{"status":"success","data":{"items":2,"ended":"whole"}}' },
      ]);
    }
  });

  test("fails the call if it returns no stream", async () => {
    const call = callIt(
      streaming(() => []),
      { handlers: { "desk/do-it": () => 5 } },
    );
    await expect(call).rejects.toThrow(/must be an async iterable/);
  });

  test("ends the stream after the previous items if it throws", async () => {
    async function* broken() {
      yield 1;
      throw new Error("oh");
    }
    const { ledger, stream } = await callIt(streaming(broken));
    expect(await stream.next()).toEqual({ value: 1, done: false });
    await expect(stream.next()).rejects.toMatchObject({ code: "UNKNOWN.INTERNAL" });
    expect(ledger.records).toMatchObject([{ type: "end", status: "failed" }]);
  });

  test("a handler's generator is not awaited after its reader leaves", async () => {
    async function* waiting() {
      yield 1;
      await new Promise(() => {});
    }
    const { ledger, stream } = await callIt(streaming(waiting));
    await stream.next();
    const pending = stream.next();
    await stream.return?.();
    expect(await pending).toEqual({ value: undefined, done: true });
    expect(ledger.records).toHaveLength(1);
  });
});

describe("the result of a stream for a model", () => {
  const tools = (data: () => unknown, streams: "items" | "events" | "none" = "items") => {
    const tool = streaming(data, streams === "none" ? null : streams);
    return {
      runtime: createRuntime({ inherit: false, ledger: false }),
      map: {
        desk__follow: async () => (params: { readonly id: string }, options?: CallOptions) =>
          callTool(tool, params, options),
      },
    };
  };

  test.each([
    ["all items of a short stream", () => numbers(3), {}, { data: [1, 2, 3] }],
    [
      "as many items as the limit allows",
      () => numbers(),
      { items: 2 },
      { data: [1, 2], truncated: true },
    ],
    [
      "items up to the limit of bytes",
      () => numbers(),
      { bytes: 10 },
      { data: [1, 2, 3, 4, 5, 6, 7, 8, 9], truncated: true },
    ],
    [
      "bytes up to the limit, and their total number",
      () => new Uint8Array([0, 255, 1]),
      { bytes: 2 },
      { data: { base64: "AP8=", size: 3 }, truncated: true },
    ],
  ])("the result has %s", async (_, data, collect, expected) => {
    const { map, runtime } = tools(data, data() instanceof Uint8Array ? "none" : "items");
    const result = await dispatchTool(map, "desk__follow", { id: "7" }, { runtime, collect });
    expect(result).toMatchObject(expected);
    expect("truncated" in result).toBe("truncated" in expected);
  });

  test("the result has the items that arrived before the time limit, if the stream sends nothing more", async () => {
    stopClock();
    async function* waiting() {
      yield { data: "a" };
      await new Promise(() => {});
    }
    const { map, runtime } = tools(waiting, "events");
    const pending = dispatchTool(map, "desk__follow", { id: "7" }, { runtime });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await pending).toEqual({
      status: "success",
      data: [{ event: "message", data: "a", id: null }],
      truncated: true,
    });
  });

  test("the result is the same for a call that was not dispatched, as JSON", async () => {
    const { content } = await resultForModel(
      callIt(streaming(() => numbers(2))).then(({ stream: data }) => ({ status: "success", data })),
    );
    expect(JSON.parse(content)).toEqual({ status: "success", data: [1, 2] });
  });

  test("the result has no part of a stream without limits", async () => {
    const { map, runtime } = tools(() => numbers());
    const call = dispatchTool(map, "desk__follow", {}, { runtime, collect: { items: -1 } });
    await expect(call).rejects.toThrow(TypeError);
  });

  test("the result has any other answer unchanged", async () => {
    const result = { status: "success", data: { a: 1 } };
    expect(await collected(result)).toBe(result);
  });
});

test("bytes are recorded by their number and their digest", async () => {
  const bytes = new Uint8Array(100).fill(7);
  const tool = exampleTool(async () => ({ result: { status: "success", data: bytes } }), {
    effect: "read",
  });
  const ledger = createMemoryLedger();
  const runtime = createRuntime({ inherit: false, ledger });
  const result = await callTool(tool, { id: "7" }, { runtime });
  expect(result).toEqual({ status: "success", data: bytes });
  expect(ledger.records).toMatchObject([
    {
      result: expect.stringMatching(
        /^\{"status":"success","data":\{"size":100,"sha256":"[0-9a-f]{64}"\}\}$/,
      ),
    },
  ]);
});

test("a tool that saves its answer is not called by a runtime without a folder for that", async () => {
  const send = vi.fn(async (): Promise<AttemptOutcome<Result>> => ({
    result: { status: "success", data: { path: "x" } },
  }));
  const tool = exampleTool(send, { effect: "read" });
  const saving = { ...tool, binding: { ...tool.binding, saves: true } as const };
  const call = (downloads?: string) =>
    callTool(
      saving,
      { id: "7" },
      {
        runtime: createRuntime({ inherit: false, ledger: false, ...(downloads && { downloads }) }),
      },
    );
  await expect(call()).rejects.toMatchObject({
    failure: { code: "POLICY.DENY_TOOL", missing: [{ kind: "downloads", name: "desk/do-it" }] },
  });
  expect(send).not.toHaveBeenCalled();
  expect(await call("downloads")).toMatchObject({ status: "success" });
});
