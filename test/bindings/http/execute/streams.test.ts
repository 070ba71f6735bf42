/** Answers that come item by item, through the whole path of a call. */
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { http, pick } from "../../../../src/bindings/http/execute.js";
import { ndjson, sse } from "../../../../src/bindings/http/send/streams.js";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import type { CallOptions } from "../../../../src/runtime/call/call-options.js";
import { ToolError } from "../../../../src/runtime/errors.js";
import { createMemoryLedger } from "../../../../src/runtime/ledger/memory-store.js";
import { createRuntime } from "../../../../src/runtime/runtime.js";
import type { ToolContract } from "../../../../src/runtime/tool.js";
import type { Validator } from "../../../../src/runtime/validation/validation.js";
import { stopClock } from "../../../support/stopped-clock.js";
import { type Answer, failure, serve } from "./support.js";

const anything: Validator<object> = Object.assign(
  (value: unknown): value is object => typeof value === "object",
  { errors: null },
);

/** Takes objects that have an `id`. */
const hasId: Validator<object> = Object.assign(
  (value: unknown): value is object => {
    const fits = typeof value === "object" && value !== null && "id" in value;
    hasId.errors = fits
      ? null
      : [{ instancePath: "", keyword: "required", message: "must have id" }];
    return fits;
  },
  { errors: null },
);

type Parts = Partial<ToolContract<object, object, Answer>>;
type HttpParts = Partial<Parameters<typeof http>[0]>;

/** Calls a streaming tool; collects its items in `items`, and its records in `records`. */
function streamed(
  url: string,
  content: ReturnType<typeof ndjson>,
  tool: Parts = {},
  rest: HttpParts = {},
) {
  const ledger = createMemoryLedger();
  const runtime = createRuntime({ ledger, inherit: false });
  const contract: ToolContract<object, object, Answer> = {
    skill: "test-skill",
    name: "test-tool",
    version: { skill: "s", binding: "b", manifest: "t1" },
    effect: "read",
    mode: "active",
    timeoutMs: 5000,
    retry: { maxAttempts: 1, backoffMs: 1, backoffMultiplier: 1 },
    params: anything,
    binding: http<object, unknown, Answer>({
      method: tool.effect === "write" ? "POST" : "GET",
      request: () => ({ url: [url] }),
      content,
      ...rest,
    }),
    ...tool,
  };
  const call = async (options: CallOptions = {}): Promise<AsyncIterableIterator<unknown>> => {
    const result = await callTool(contract, {}, { runtime, ...options });
    return result.data as AsyncIterableIterator<unknown>;
  };
  const ends = () =>
    ledger.records
      .filter(({ type }) => type === "end")
      .map((each) => ("status" in each ? [each.status, each.error?.code ?? each.result] : []));
  return { call, ends, ledger, runtime };
}

async function all(stream: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** A server that sends these pieces one after the other, and ends. */
function sending(type: string, pieces: readonly (string | Buffer)[]) {
  return serve(async (response) => {
    response.setHeader("content-type", type);
    for (const piece of pieces) {
      response.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  });
}

/** Sends without end, and tells how many bytes it sent before its connection was closed. */
async function sendForever(response: ServerResponse, piece: string): Promise<void> {
  const state = { isOpen: true };
  let go = (): void => {};
  response.on("drain", () => go());
  response.on("close", () => {
    state.isOpen = false;
    go();
  });
  while (state.isOpen) {
    sent += piece.length;
    const next = new Promise<void>((resolve) => (go = resolve));
    if (response.write(piece)) setImmediate(go);
    await next;
  }
  closed += 1;
}
let sent = 0;
let closed = 0;

const lines = "application/x-ndjson";
const events = "text/event-stream";
const whole = (items: number) => [
  "success",
  JSON.stringify({ status: "success", data: { items, ended: "whole" } }),
];
const left = (items: number) => [
  "success",
  JSON.stringify({ status: "success", data: { items, ended: "left" } }),
];

describe("item with an integer that a number can't hold", () => {
  const item = '{"id":653247040368672768,"text":"a"}';
  const events = `data: ${item}\n\n`;

  test.each([
    [lines, ndjson(), `{"id":1,"text":"b"}\n${item}\n`, [{ id: 1, text: "b" }]],
    ["text/event-stream", sse({ data: "json" }), events, []],
  ])("ends a stream of %s, after the items before it", async (type, content, body, before) => {
    const { url } = await sending(type, [body]);
    const items: unknown[] = [];
    const read = async () => {
      for await (const each of await streamed(url, content).call()) items.push(each);
    };
    expect((await failure(read())).failure).toMatchObject({
      code: "PROVIDER.PROTOCOL",
      reason: expect.stringContaining("/id is an integer beyond ±9007199254740991"),
    });
    expect(items).toEqual(before);
  });

  test("accepts an item with a rounded integer outside of its data", async () => {
    const { url } = await sending(lines, [`${item}\n`]);
    const { call } = streamed(url, ndjson(), {}, { data: (each) => pick(each, "text") });
    expect(await all(await call())).toEqual(["a"]);
  });
});

describe("lines of JSON", () => {
  test("gives items one by one, wherever the body is split", async () => {
    const { url } = await sending(lines, [
      '{"id"',
      ":1}\n\n",
      '{"id":2}\r\n{"id":"gr',
      Buffer.from("ü").subarray(0, 1),
      Buffer.from("ü").subarray(1),
      'n"}\n',
      "  \n[4]",
    ]);
    const { call, ends } = streamed(url, ndjson());
    const stream = await call();
    expect(ends()).toEqual([]);
    expect(await all(stream)).toEqual([{ id: 1 }, { id: 2 }, { id: "grün" }, [4]]);
    expect(ends()).toEqual([whole(4)]);
    expect(await all(stream)).toEqual([]);
  });

  test("gives items of a body with a content coding", async () => {
    const { url } = await serve((response) => {
      response.writeHead(200, { "content-type": lines, "content-encoding": "gzip" });
      response.end(gzipSync("1\n2\n"));
    });
    expect(await all(await streamed(url, ndjson()).call())).toEqual([1, 2]);
  });

  test("gives the value that the path finds in each item", async () => {
    const { url } = await sending(lines, ['{"entry":{"id":1}}\n{"entry":{"id":2}}\n']);
    const { call } = streamed(
      url,
      ndjson(),
      {},
      {
        data: (body) => (body as { readonly entry?: unknown }).entry,
      },
    );
    expect(await all(await call())).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test.each([
    ["not JSON", '{"id":1}\n{"id":', "PROVIDER.PROTOCOL", /a line is not JSON \(after 1 items\)/],
    ["not UTF-8", Buffer.from([0x31, 10, 0xff, 10]), "PROVIDER.PROTOCOL", /a line is not UTF-8/],
    ["beyond the limit", `1\n"${"x".repeat(20)}"\n`, "PROVIDER.PROTOCOL", /longer than 16 bytes/],
    [
      "nested too deep",
      `1\n${"[".repeat(2000)}`,
      "PROVIDER.PROTOCOL",
      /nests deeper|longer than 16/,
    ],
    [
      "rejected by the schema",
      '{"id":1}\n{"no":2}\n{"id":3}\n',
      "SCHEMA.VALIDATION_FAILED",
      /item 2 of the response to .* doesn't fit its schema/,
    ],
  ])("fails after the good items if one item is %s", async (_, body, code, message) => {
    const { url } = await sending(lines, [body]);
    const isSchema = code === "SCHEMA.VALIDATION_FAILED";
    const { call, ends } = streamed(
      url,
      ndjson({ maxItemBytes: 16 }),
      {},
      isSchema ? { response: hasId } : {},
    );
    const stream = await call();
    expect((await stream.next()).done).toBe(false);
    const error = await failure(stream.next());
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(ends()).toEqual([["failed", code]]);
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  test("checks each item against `returns` before it is given", async () => {
    const { url } = await sending(lines, ['{"id":1}\n2\n']);
    const { call, ends } = streamed(url, ndjson(), { returns: hasId });
    const stream = await call();
    expect(await stream.next()).toEqual({ value: { id: 1 }, done: false });
    expect((await failure(stream.next())).message).toMatch(/item 2 of the result/);
    expect(ends()).toEqual([["failed", "SCHEMA.VALIDATION_FAILED"]]);
  });
});

describe("server-sent events", () => {
  test("gives events with their names and ids, and without comments", async () => {
    const { url } = await sending(events, [
      "\ufeff: hello\r\nretry: 10\r\ndata: a\r\n",
      "data: b\r\n\r\nid: 7\nevent: up\ndata:c\n\n:\n\nevent: none\n\n",
    ]);
    const { call, ends } = streamed(url, sse());
    expect(await all(await call())).toEqual([
      { event: "message", data: "a\nb", id: null },
      { event: "up", data: "c", id: "7" },
    ]);
    expect(ends()).toEqual([whole(2)]);
  });

  test.each<[what: string, pieces: readonly string[]]>([
    ["CR", ["data: a\r\rdata: b\r\r"]],
    ["CR, in pieces", ["data: a\r", "\r", "data: b", "\r", "\r"]],
    ["CR LF, in pieces", ["data: a\r", "\n\r", "\ndata: b\r\n", "\r", "\n"]],
    ["CR LF and a last CR", ["data: a\r\n\r\ndata: b\r\n\r"]],
    ["LF and a last CR", ["data: a\n\ndata: b\n\r"]],
  ])("ends with the stream if lines end with %s", async (_what, pieces) => {
    const { url } = await sending(events, pieces);
    const { call, ends } = streamed(url, sse());
    const found = await all(await call());
    expect(found).toMatchObject([{ data: "a" }, { data: "b" }]);
    expect(ends()).toEqual([whole(2)]);
  });

  test("gives an event whose lines end with CR at once", async () => {
    const { url } = await serve((response) => {
      response.setHeader("content-type", events);
      // It stays open, and says nothing more.
      response.write("data: a\r\r");
    });
    const { call } = streamed(url, sse());
    const stream = await call();
    expect(await stream.next()).toMatchObject({ value: { data: "a" } });
    await stream.return?.(undefined as never);
  });

  test("parses data as JSON, and stops at the end marker", async () => {
    const { url } = await serve((response) => {
      response.setHeader("content-type", events);
      // It stays open: nobody waits for more.
      response.write('data: {"id":1}\n\ndata: {"id":2}\n\ndata: [DONE]\n\ndata: oh\n\n');
    });
    const { call, ends } = streamed(url, sse({ data: "json", end: "[DONE]" }));
    expect(await all(await call())).toMatchObject([{ data: { id: 1 } }, { data: { id: 2 } }]);
    expect(ends()).toEqual([whole(2)]);
  });

  test.each([
    ["ends within an event", "data: 1\n\ndata: 2\n", /the stream ended within an event/],
    ["ends within an event after CR", "data: 1\r\rdata: 2\r", /the stream ended within an event/],
    [
      "has an event whose data is not JSON",
      "data: 1\n\ndata: [DONE]\n\n",
      /data of an event is not JSON/,
    ],
    [
      "has an event that is too long",
      `data: 1\n\ndata: "${"x".repeat(70)}"\n\n`,
      /longer than 64 bytes/,
    ],
  ])("fails if the stream %s", async (_, body, message) => {
    const { url } = await sending(events, [body]);
    const { call, ends } = streamed(url, sse({ data: "json", maxItemBytes: 64 }));
    const stream = await call();
    expect((await stream.next()).value).toEqual({ event: "message", data: 1, id: null });
    const error = await failure(stream.next());
    expect(error.code).toBe("PROVIDER.PROTOCOL");
    expect(error.message).toMatch(message);
    expect(ends()).toEqual([["failed", "PROVIDER.PROTOCOL"]]);
  });
});

describe("stream that never ends", () => {
  test("a reader that leaves closes the connection, and the record has the end", async () => {
    const before = closed;
    const { url } = await serve((response) => {
      response.setHeader("content-type", events);
      void sendForever(response, `data: ${"x".repeat(1000)}\n\n`);
    });
    const { call, ends } = streamed(url, sse());
    for await (const each of await call()) {
      expect(each).toMatchObject({ event: "message" });
      break;
    }
    expect(ends()).toEqual([left(1)]);
    await expect.poll(() => closed).toBe(before + 1);
  });

  test("reads no faster than its reader takes items", async () => {
    sent = 0;
    const { url } = await serve((response) => {
      response.setHeader("content-type", lines);
      void sendForever(response, `"${"x".repeat(10_000)}"\n`);
    });
    const { call } = streamed(url, ndjson());
    const stream = await call();
    await stream.next();
    await expect.poll(() => sent).toBeGreaterThan(100_000);
    let before = -1;
    await expect
      .poll(
        () => {
          const isStill = sent === before;
          before = sent;
          return isStill;
        },
        { interval: 50 },
      )
      .toBe(true);
    // What sockets hold on both sides, and no more.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    await stream.return?.();
  });

  test.each([
    ["one event", events, "data: ", sse({ maxItemBytes: 100_000 })],
    ["one line", lines, '"', ndjson({ maxItemBytes: 100_000 })],
    ["comments", events, ":", sse({ maxItemBytes: 100_000 })],
  ])("stops an endless stream of %s at the limit", async (_, type, begin, content) => {
    sent = 0;
    const before = closed;
    const { url } = await serve((response) => {
      response.setHeader("content-type", type);
      response.write(begin);
      void sendForever(response, "x".repeat(16_384));
    });
    const { call, ends } = streamed(url, content);
    const error = await failure((await call()).next());
    expect(error.code).toBe("PROVIDER.PROTOCOL");
    expect(error.message).toMatch(/longer than 100000 bytes/);
    await expect.poll(() => closed).toBe(before + 1);
    // A gigabyte would have come: sockets hold what was sent until it was closed.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    expect(ends()).toEqual([["failed", "PROVIDER.PROTOCOL"]]);
  });

  test("stops at the limit of the whole answer, if there is one", async () => {
    const { url } = await serve((response) => {
      response.setHeader("content-type", lines);
      void sendForever(response, "1\n");
    });
    const { call } = streamed(url, ndjson(), {}, { maxResponseBytes: 1000 });
    await expect(all(await call())).rejects.toThrow(/longer than 1000 bytes/);
  });

  test("fails if its caller aborts", async () => {
    const before = closed;
    const { url } = await serve((response) => {
      response.setHeader("content-type", events);
      void sendForever(response, ":\n");
    });
    const caller = new AbortController();
    const { call, ends } = streamed(url, sse());
    const pending = failure((await call({ signal: caller.signal })).next());
    caller.abort();
    const error = await pending;
    expect(error.failure).toEqual({ code: "UNKNOWN.INTERNAL", reason: "aborted" });
    expect(ends()).toEqual([["failed", "UNKNOWN.INTERNAL"]]);
    await expect.poll(() => closed).toBe(before + 1);
  });
});

describe("time limits of a stream", () => {
  function silent() {
    return serve((response) => {
      response.setHeader("content-type", events);
      response.write("data: 1\n\n");
    });
  }

  test("the limit counts between two pieces of the body, and not over the whole body", async () => {
    let server: ServerResponse | undefined;
    const { url } = await serve((response) => {
      server = response;
      response.setHeader("content-type", events);
      response.write("data: 1\n\n");
    });
    stopClock();
    const { call, ends } = streamed(url, sse());
    const stream = await call();
    expect(await stream.next()).toMatchObject({ value: { data: "1" } });
    const pending = stream.next();
    for (const piece of [":\n", ":\n", "data: 2\n\n"]) {
      await vi.advanceTimersByTimeAsync(4000);
      server?.write(piece);
      await settled();
    }
    expect(await pending).toMatchObject({ value: { data: "2" } });
    const late = failure(stream.next());
    await vi.advanceTimersByTimeAsync(5000);
    const error = await late;
    expect(error.failure).toEqual({ code: "PROVIDER.TIMEOUT", timeoutMs: 5000 });
    expect(ends()).toEqual([["failed", "PROVIDER.TIMEOUT"]]);
  });

  test("a stream that nobody reads fails after the same limit", async () => {
    const { url } = await silent();
    stopClock();
    const { call, ends } = streamed(url, sse());
    const stream = await call();
    await vi.advanceTimersByTimeAsync(4999);
    expect(ends()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends()).toEqual([["failed", "UNKNOWN.INTERNAL"]]);
    expect((await failure(stream.next())).message).toMatch(/nobody read an item/);
  });

  test("a reader may take a minute between two items", async () => {
    const { url } = await silent();
    stopClock();
    const { call, ends } = streamed(url, sse());
    const stream = await call();
    await stream.next();
    await vi.advanceTimersByTimeAsync(59_999);
    expect(ends()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends()).toEqual([["failed", "UNKNOWN.INTERNAL"]]);
  });

  /** Sockets go on while the clock stands still. */
  async function settled(): Promise<void> {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
});

describe("stream that has begun", () => {
  test("a cut stream is not retried, and its write may be done", async () => {
    const server = await serve((response) => {
      response.setHeader("content-type", lines);
      response.write('{"id":1}\n{"i', () => response.destroy());
    });
    for (const [effect, status, outcome] of [
      ["read", "failed", "not-done"],
      ["write", "unknown", "unknown"],
    ] as const) {
      const { call, ends } = streamed(server.url, ndjson(), {
        effect,
        retry: { maxAttempts: 3, backoffMs: 0, backoffMultiplier: 1 },
      });
      const stream = await call();
      expect(await stream.next()).toEqual({ value: { id: 1 }, done: false });
      const error = await failure(stream.next());
      expect([error.code, error.outcome]).toEqual(["PROVIDER.UNAVAILABLE", outcome]);
      expect(error.message).toMatch(/lost the connection/);
      expect(ends()).toEqual([[status, "PROVIDER.UNAVAILABLE"]]);
    }
    expect(server.received).toHaveLength(2);
  });

  test("a stream that fails before its first item is retried", async () => {
    let calls = 0;
    const { url } = await serve((response) => {
      calls += 1;
      response.writeHead(200, { "content-type": lines });
      if (calls === 1) response.destroy();
      else response.end("1\n");
    });
    const { call } = streamed(url, ndjson(), {
      retry: { maxAttempts: 2, backoffMs: 0, backoffMultiplier: 1 },
    });
    expect(await all(await call())).toEqual([1]);
  });

  test("keeps its runtime from closing until it ends", async () => {
    const { url } = await serve((response) => {
      response.setHeader("content-type", lines);
      response.write("1\n");
    });
    const { call, ends, runtime } = streamed(url, ndjson());
    const stream = await call();
    const closing = runtime.close().then(() => ends());
    await stream.next();
    await stream.return?.();
    expect(await closing).toEqual([left(1)]);
  });

  test("gives items in order to readers that don't wait for each other", async () => {
    const { url } = await sending(lines, ["1\n", "2\n", "3\n"]);
    const stream = await streamed(url, ndjson()).call();
    const given = await Promise.all([1, 2, 3, 4].map(() => stream.next()));
    expect(given.map(({ value }) => value)).toEqual([1, 2, 3, undefined]);
  });
});

test("fails the call if the answer has another content type", async () => {
  const { url } = await sending("text/html", ["<html>"]);
  const { call, ends } = streamed(url, sse());
  const error: unknown = await call().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ToolError);
  expect(error).toMatchObject({
    failure: {
      reason: "the response is `text/html`, but the binding accepts `text/event-stream`",
    },
  });
  expect(ends()).toEqual([["failed", "PROVIDER.PROTOCOL"]]);
});
