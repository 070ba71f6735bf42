/** Requests that no honest client sends, to `skillc mcp --http` as a process. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { answerOf, openSocket, sendRaw, statusOf } from "./raw-http.js";
import { servedProjects, startHttp } from "./served-project.js";

const projectOf = servedProjects();

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const say = { name: "desk__say", arguments: { text: "hello" } };
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const modern = {
  ...json,
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "desk__say",
};

function request(params: Readonly<Record<string, unknown>> = say, method = "tools/call"): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } });
}

async function post(url: string, body: string, headers: Readonly<Record<string, string>> = modern) {
  const response = await fetch(url, { method: "POST", body, headers });
  return { status: response.status, text: await response.text() };
}

/** Lines of a call of `desk__say`, with some headers replaced or added. */
function lines(url: string, host: readonly string[], target = "/mcp"): readonly string[] {
  const body = request();
  const headers = { ...modern, "content-length": String(body.length), connection: "close" };
  return [
    `POST ${target} HTTP/1.1`,
    ...host.map((each) => `Host: ${each.replace("$", new URL(url).port)}`),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
}

async function startServer() {
  return startHttp(projectOf());
}

test("a well-formed call is answered", async () => {
  const { url } = await startServer();
  expect(await post(url, request())).toMatchObject({
    status: 200,
    text: expect.stringContaining('"text":"hello"'),
  });
});

test("only the endpoint and the state of the server are served", async () => {
  const { url } = await startServer();
  const { origin } = new URL(url);
  expect(await (await fetch(`${origin}/healthz`)).text()).toBe("ok\n");
  for (const path of ["/", "/mcp/", "/mcp/x", "/MCP", "//mcp", "/x/../mcp%2f", "/.env", "/sse"])
    expect(await post(`${origin}${path}`, request())).toMatchObject({ status: 404 });
  expect(await post(`${url}?a=b`, request())).toMatchObject({ status: 200 });
});

describe("the headers Host and Origin", () => {
  test("a host or origin of another site is rejected", async () => {
    const { url } = await startServer();
    const status = async (host: string) =>
      statusOf(await sendRaw(url, lines(url, [host]), request()));
    for (const host of ["localhost", "localhost:$", "127.0.0.1:1", "[::1]:$", "LOCALHOST"])
      expect([host, await status(host)]).toEqual([host, 200]);
    for (const host of [
      "evil.example",
      "evil.example:$",
      "localhost.evil.example",
      "127.0.0.1.nip.io",
      "10.0.0.1",
      "0.0.0.0",
    ])
      expect([host, await status(host)]).toEqual([host, 403]);
    for (const host of [
      "",
      "localhost, evil.example",
      "a@localhost",
      "localhost/x",
      "localhost?",
      "localhost#",
      "[::1",
      "localhost:99999999",
    ])
      expect([host, await status(host)]).toEqual([host, 400]);
    for (const origin of [
      "null",
      "https://evil.example",
      "http://localhost.evil.example",
      "file://",
      "localhost",
      "moz-extension://x",
    ])
      expect([origin, await post(url, request(), { ...modern, origin })]).toMatchObject([
        origin,
        { status: 403 },
      ]);
    for (const origin of ["http://localhost:3000", "https://127.0.0.1"])
      expect([origin, await post(url, request(), { ...modern, origin })]).toMatchObject([
        origin,
        { status: 200 },
      ]);
  });

  test("two hosts, no host and a URL instead of a path are rejected", async () => {
    const { url } = await startServer();
    const status = async (hosts: readonly string[], target?: string) =>
      statusOf(await sendRaw(url, lines(url, hosts, target), request()));
    expect(await status(["localhost", "evil.example"])).toBe(400);
    expect(await status(["localhost", "localhost"])).toBe(400);
    expect(await status([])).toBe(400);
    expect(await status(["localhost:$"], "http://evil.example/mcp")).toBe(400);
    expect(await status(["localhost:$"], "http://localhost/mcp")).toBe(400);
    expect(await status(["localhost:$"], "*")).toBe(400);
  });
});

describe("the size of requests", () => {
  test("50 MB get 413, with and without a length, and are not kept in memory", async () => {
    const { child, url } = await startServer();
    await post(url, request());
    const before = memoryOf(child.pid);
    const body = request({ ...say, arguments: { text: "a".repeat(50_000_000) } });
    expect(await tooLong(url, [`content-length: ${body.length}`], body)).toBe(413);
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    // The server closes the connection, and the system may drop the answer.
    expect([413, undefined]).toContain(await tooLong(url, ["transfer-encoding: chunked"], chunked));
    expect(memoryOf(child.pid) - before).toBeLessThan(60);
    expect(await post(url, request())).toMatchObject({ status: 200 });
  });

  test("long headers and paths get an error, and the server goes on", async () => {
    const { url } = await startServer();
    const long = "a".repeat(100_000);
    expect(statusOf(await sendRaw(url, [`GET /healthz?${long} HTTP/1.1`, "Host: localhost"]))).toBe(
      431,
    );
    expect(
      statusOf(await sendRaw(url, ["GET /healthz HTTP/1.1", "Host: localhost", `x: ${long}`])),
    ).toBe(431);
    expect(await post(url, request())).toMatchObject({ status: 200 });
  });

  test("a body that never ends gets 408", async () => {
    const { url } = await startServer();
    const socket = await openSocket(url);
    socket.write("POST /mcp HTTP/1.1\r\nHost: localhost\r\ncontent-length: 100\r\n\r\n{");
    expect(statusOf(await answerOf(socket))).toBe(408);
    expect(await post(url, request())).toMatchObject({ status: 200 });
  }, 90_000);
});

async function tooLong(
  url: string,
  headers: readonly string[],
  body: string,
): Promise<number | undefined> {
  const socket = await openSocket(url);
  socket.setMaxListeners(0);
  const answer = answerOf(socket);
  socket.write(
    [
      "POST /mcp HTTP/1.1",
      "Host: localhost",
      "content-type: application/json",
      ...headers,
      "",
      "",
    ].join("\r\n"),
  );
  for (let at = 0; at < body.length && !socket.destroyed; at += 65_536)
    if (!socket.write(body.slice(at, at + 65_536)))
      await new Promise<void>((resolve) => {
        socket.once("drain", resolve).once("close", resolve);
      });
  return (await answer) === "" ? undefined : statusOf(await answer);
}

/** Returns the memory that a process has had at most, in MB. */
function memoryOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

describe("malformed messages", () => {
  const bodies: readonly [string, string][] = [
    ["text", "hello"],
    ["half an object", '{"jsonrpc":"2.0"'],
    ["nothing", ""],
    ["null", "null"],
    ["a number", "7"],
    ["an object without a method", "{}"],
    ["another version", '{"jsonrpc":"1.0","id":1,"method":"tools/list"}'],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"tools/list"}'],
    ["params that are a list", '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[1]}'],
    ["an empty list", "[]"],
    [
      "101 messages",
      JSON.stringify(
        Array.from({ length: 101 }, (_, id) => ({ jsonrpc: "2.0", id, method: "tools/list" })),
      ),
    ],
    ["100,000 brackets", "[".repeat(100_000)],
    ["bytes that are no text", "\u0000\ufffd\u0007"],
  ];

  test("a body that is no message gets 400, and the server goes on", async () => {
    const { url } = await startServer();
    for (const [what, body] of bodies)
      for (const headers of [json, modern])
        expect([what, await post(url, body, headers)]).toMatchObject([what, { status: 400 }]);
    expect(await post(url, request())).toMatchObject({ status: 200 });
  });

  test("headers that lie about the message get 400", async () => {
    const { url } = await startServer();
    const lies: readonly Readonly<Record<string, string>>[] = [
      { "mcp-method": "tools/list" },
      { "mcp-name": "desk__place-order" },
      { "mcp-protocol-version": "2025-11-25" },
      { "mcp-protocol-version": "1999-01-01" },
      { "mcp-protocol-version": "2026-07-28, 2025-11-25" },
    ];
    for (const lie of lies)
      expect([lie, await post(url, request(), { ...modern, ...lie })]).toMatchObject([
        lie,
        { status: 400 },
      ]);
    const { "mcp-method": _method, ...without } = modern;
    expect(await post(url, request(), without)).toMatchObject({ status: 400 });
    expect(await post(url, request(), { ...modern, "content-type": "text/plain" })).toMatchObject({
      status: 415,
    });
    const form = { ...modern, "content-type": "application/x-www-form-urlencoded" };
    expect(await post(url, request(), form)).toMatchObject({ status: 415 });
  });

  test("other methods of HTTP get 405", async () => {
    const { url } = await startServer();
    for (const method of ["GET", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD"])
      expect([method, (await fetch(url, { method, headers: json })).status]).toEqual([method, 405]);
  });

  test("keys with a name of JavaScript change nothing", async () => {
    const { url } = await startServer();
    const params = `"name":"desk__say","_meta":${JSON.stringify(meta)}`;
    const call = (rest: string) =>
      post(url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${params},${rest}}}`);
    for (const key of ["__proto__", "constructor", "prototype"]) {
      const answer = await call(`"arguments":{"text":"a","${key}":{"how":"print"}}`);
      // The SDK drops the first one, and the tool's schema rejects the others.
      const end = key === "__proto__" ? '"status":"success"' : "VALIDATION_FAILED";
      expect([key, answer.text]).toEqual([key, expect.stringContaining(end)]);
      const ignored = await call(`"arguments":{"text":"a"},"${key}":{"how":"print"}`);
      expect(ignored.text).toContain('"text":"a"');
    }
    const name = "__proto__";
    const named = await post(url, request({ name, arguments: {} }), {
      ...modern,
      "mcp-name": name,
    });
    expect(named.text).toContain('"code":-32602');
    expect(await post(url, request())).toMatchObject({
      status: 200,
      text: expect.stringContaining('"text":"hello"'),
    });
  });
});
