import { describe, expect, it, vi } from "vitest";
import { createRuntime, type HttpOptions, ToolError } from "../../../../src/runtime/index.js";
import { stopClock } from "../../../support/stopped-clock.js";
import { callWith, json } from "./auth/token-server.js";
import { failure, serve, serveRaw } from "./support.js";

const runtimeWith = (http: HttpOptions = {}) =>
  createRuntime({ inherit: false, ledger: false, http });

const to = (url: string) => ({ request: () => ({ url: [url] }) });

/** Lets sockets do what they have to while the clock stands still. */
const settle = async (until: () => boolean) =>
  vi.waitFor(() => expect(until()).toBe(true), { interval: 1 });

describe("origin that asks for a pause", () => {
  it("all calls of the runtime wait until the pause is over", async () => {
    stopClock();
    let isBusy = true;
    const server = await serve((response) => {
      if (isBusy) response.writeHead(429, { "retry-after": "2" }).end("{}");
      else response.end("{}");
      isBusy = false;
    });
    const runtime = runtimeWith();
    expect(await callWith(runtime, to(server.url))).toMatchObject({ status_code: 429 });
    const others = Promise.all([
      callWith(runtime, to(`${server.url}/a`)),
      callWith(runtime, to(`${server.url}/b`)),
    ]);
    await vi.advanceTimersByTimeAsync(1999);
    expect(server.received).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await others).toMatchObject([{ status: "success" }, { status: "success" }]);
  });

  it("a call with less time than the pause fails at once and reports when to retry", async () => {
    stopClock();
    const server = await serve((response) =>
      response.writeHead(503, { "retry-after": "30" }).end(),
    );
    const runtime = runtimeWith();
    await callWith(runtime, to(server.url));
    const error = await failure(
      callWith(
        runtime,
        { method: "POST", ...to(server.url) },
        { effect: "write", timeoutMs: 5000 },
      ),
    );
    expect(error.failure).toEqual({
      code: "QUOTA.RATE_LIMITED",
      budget: `requests to ${server.url}`,
      retryAfterMs: 30_000,
    });
    expect(error.outcome).toBe("not-done");
    expect(server.received).toHaveLength(1);
  });

  it("a pause lasts a minute at most, whatever the origin asks for", async () => {
    stopClock();
    const server = await serve((response) =>
      response.writeHead(429, { "retry-after": "99999999" }).end(),
    );
    const runtime = runtimeWith();
    await callWith(runtime, to(server.url));
    expect((await failure(callWith(runtime, to(server.url)))).failure).toMatchObject({
      retryAfterMs: 60_000,
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await callWith(runtime, to(server.url))).toMatchObject({ status_code: 429 });
  });

  it("a pause delays no other origin, and no other runtime", async () => {
    const asks = await serve((response) =>
      response.writeHead(200, { "ratelimit-remaining": "0", "ratelimit-reset": "3600" }).end("{}"),
    );
    const other = await serve();
    const runtime = runtimeWith();
    await callWith(runtime, to(asks.url));
    await expect(callWith(runtime, to(asks.url))).rejects.toThrow(ToolError);
    expect(await callWith(runtime, to(other.url))).toMatchObject({ status: "success" });
    expect(await callWith(runtimeWith(), to(asks.url))).toMatchObject({ status: "success" });
  });

  it("a pause does not delay the end of a call that its caller aborts", async () => {
    stopClock();
    const server = await serve((response) => response.writeHead(429, { "retry-after": "5" }).end());
    const runtime = runtimeWith();
    await callWith(runtime, to(server.url));
    const aborted = new AbortController();
    const waiting = failure(callWith(runtime, to(server.url), { signal: aborted.signal }));
    aborted.abort();
    expect((await waiting).failure).toEqual({ code: "UNKNOWN.INTERNAL", reason: "aborted" });
    await vi.advanceTimersByTimeAsync(5000);
    expect(server.received).toHaveLength(1);
  });

  it("a pause of the token endpoint holds back the next token request", async () => {
    const { oauth2 } = await import("../../../../src/bindings/http/send/auth/oauth2.js");
    const server = await serve((response) => {
      response.setHeader("retry-after", "40");
      json(response, 429, {});
    });
    const contract = {
      auth: [
        oauth2({ grant: "client_credentials", tokenUrl: `${server.url}/token`, clientId: "desk" }),
      ],
      ...to(server.url),
    };
    const runtime = runtimeWith();
    expect((await failure(callWith(runtime, contract))).code).toBe("PROVIDER.UNAVAILABLE");
    const error = await failure(callWith(runtime, contract));
    expect(error.failure).toMatchObject({ code: "QUOTA.RATE_LIMITED" });
    expect(error.outcome).toBe("not-done");
    expect(server.received).toHaveLength(1);
  });
});

describe("limits by origin", () => {
  it("no more than the allowed number of requests runs at once, and the next starts when one ends", async () => {
    const open: (() => void)[] = [];
    const server = await serve((response) => void open.push(() => response.end("{}")));
    const runtime = runtimeWith({ origins: { [server.url]: { concurrency: 2 } } });
    const calls = [1, 2, 3].map(() => callWith(runtime, to(server.url)));
    await settle(() => open.length === 2);
    open.shift()?.();
    await settle(() => server.received.length === 3);
    for (const end of open) end();
    expect(await Promise.all(calls)).toMatchObject([1, 2, 3].map(() => ({ status: "success" })));
  });

  it("a broken connection or an aborted call frees its place", async () => {
    let connections = 0;
    const { url } = await serveRaw((socket) => {
      connections += 1;
      if (connections === 1) socket.destroy();
      if (connections > 2) socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
    });
    const runtime = runtimeWith({ origins: { "*": { concurrency: 1 } } });
    const aborted = new AbortController();
    const first = failure(callWith(runtime, to(url)));
    const second = failure(callWith(runtime, to(url), { signal: aborted.signal }));
    const third = callWith(runtime, to(url));
    expect((await first).code).toBe("PROVIDER.UNAVAILABLE");
    await settle(() => connections === 2);
    aborted.abort();
    await second;
    expect(await third).toMatchObject({ status: "success" });
  });

  it("a write that runs out of time while it waits for a place is not done", async () => {
    stopClock();
    const server = await serve(() => {});
    const runtime = runtimeWith({ origins: { [server.url]: { concurrency: 1 } } });
    const first = failure(callWith(runtime, to(server.url), { timeoutMs: 60_000 }));
    const write = { method: "POST", ...to(server.url) } as const;
    const second = failure(callWith(runtime, write, { effect: "write", timeoutMs: 50 }));
    await vi.advanceTimersByTimeAsync(50);
    expect(await second).toMatchObject({ code: "PROVIDER.TIMEOUT", outcome: "not-done" });
    await vi.advanceTimersByTimeAsync(60_000);
    await first;
    expect(server.received).toHaveLength(1);
  });
});
