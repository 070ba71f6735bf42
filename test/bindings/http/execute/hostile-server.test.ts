import { once } from "node:events";
import { createServer as createTlsServer } from "node:https";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { credential } from "../../../../src/bindings/http/execute.js";
import { attempt, call, failure, get, rawAnswer, serve, serveRaw } from "./support.js";

describe("call to a server that gives no answer", () => {
  it("fails as unavailable and names the target, but no value of a setting, if nobody listens", async () => {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    // A TCP server that listens has an address of this form.
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, "close");
    const url = `http://127.0.0.1:${port}`;
    const error = await failure(get(url));
    expect(error.failure).toEqual({ code: "PROVIDER.UNAVAILABLE", reason: "ECONNREFUSED" });
    expect(error.message).toBe(
      `\`test-skill/test-tool\` got no connection to http://127.0.0.1:${port} (ECONNREFUSED) after 1 attempt`,
    );
    expect(error).toMatchObject({
      tool: "test-skill/test-tool",
      attempts: 1,
      message: expect.stringContaining(url),
    });
    const hidden = await failure(
      call(
        { request: () => ({ url: [credential("HIDDEN_URL"), "/x"] }) },
        attempt({ HIDDEN_URL: url }),
      ),
    );
    expect(hidden.message).toContain("${HIDDEN_URL}");
    expect(hidden.message + hidden.stack + String(hidden.cause)).not.toContain(String(port));
  });

  it("fails as unavailable if the host has no address", async () => {
    expect((await failure(get("http://nowhere.invalid/"))).code).toBe("PROVIDER.UNAVAILABLE");
  });

  it.each([
    "",
    "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12345\r\n",
  ])("fails as unavailable if the connection closes after %j", async (start) => {
    const { url } = await serveRaw((socket) => socket.end(start));
    expect((await failure(get(url))).failure).toEqual({
      code: "PROVIDER.UNAVAILABLE",
      reason: "UND_ERR_SOCKET",
    });
  });

  it("fails as unavailable if the server resets the connection", async () => {
    const { url } = await serveRaw((socket) => socket.resetAndDestroy());
    expect((await failure(get(url))).failure).toMatchObject({
      code: "PROVIDER.UNAVAILABLE",
      reason: "ECONNRESET",
    });
  });

  it("fails as unavailable if the server resets the connection inside a body", async () => {
    const { url } = await serveRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345", () =>
        setTimeout(() => socket.resetAndDestroy(), 20),
      );
    });
    expect((await failure(get(url))).code).toBe("PROVIDER.UNAVAILABLE");
  });

  it("fails as unavailable if the certificate is not trusted, or the server has no TLS", async () => {
    const tls = createTlsServer({});
    tls.listen(0, "127.0.0.1");
    await once(tls, "listening");
    onTestFinished(() => void tls.close());
    const { port } = tls.address() as { port: number };
    expect((await failure(get(`https://127.0.0.1:${port}/`))).code).toBe("PROVIDER.UNAVAILABLE");
    const plain = await serve();
    expect((await failure(get(`https://127.0.0.1:${plain.port}/`))).code).toBe(
      "PROVIDER.UNAVAILABLE",
    );
  });
});

describe("call to a server that stalls", () => {
  const stalls = [
    "",
    "HTTP/1.1 200 OK\r\n",
    "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1",
    "HTTP/1.1 103 Early\r\n\r\n",
  ];

  it.each(stalls)(
    "ends, and closes its connection, when the signal aborts after %j",
    async (start) => {
      const reason = new Error("time is up");
      const controller = new AbortController();
      let closed: Promise<unknown> | undefined;
      const { url } = await serveRaw((socket) => {
        // By a reset too: the client may not have read what was sent.
        closed = new Promise((resolve) => socket.once("close", resolve));
        socket.write(start);
        setTimeout(() => controller.abort(reason), 30);
      });
      await expect(get(url, {}, attempt({}, controller.signal))).rejects.toBe(reason);
      await closed;
    },
  );

  it("ends when the signal aborts during endless early hints", async () => {
    const { url } = await serveRaw((socket) => {
      const timer = setInterval(
        () => socket.write("HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n"),
        1,
      );
      socket.on("close", () => clearInterval(timer));
    });
    await expect(get(url, {}, attempt({}, AbortSignal.timeout(100)))).rejects.toMatchObject({
      name: "TimeoutError",
    });
  });

  it("sends nothing if the signal was aborted before", async () => {
    const server = await serve();
    await expect(get(server.url, {}, attempt({}, AbortSignal.abort("gone")))).rejects.toBe("gone");
    await wait(50);
    expect(server.received).toEqual([]);
  });

  it("sends nothing if the signal aborts while it connects", async () => {
    const server = await serve();
    const controller = new AbortController();
    const call = get(server.url, {}, attempt({}, controller.signal));
    controller.abort("gone");
    await expect(call).rejects.toBe("gone");
    await wait(50);
    expect(server.received).toEqual([]);
    expect((await get(server.url)).result.status).toBe("success");
  });
});

describe("answer that breaks the protocol", () => {
  it.each([
    ["another protocol", "SSH-2.0-OpenSSH\r\n", /not HTTP/],
    ["no status", "HTTP/1.1 abc\r\n\r\n", /not HTTP/],
    [
      "two lengths",
      "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx",
      /length of the response differs/,
    ],
    [
      "a length and chunks",
      "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      /length of the response differs/,
    ],
    ["a bad chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", /not HTTP/],
    ["a negative length", "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n", /not HTTP/],
    [
      "a body shorter than its length",
      "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 10\r\n\r\n12345",
      /length of the response differs/,
    ],
    [
      "endless headers",
      `HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(10_000)}\r\n`,
      /headers of the response are too long/,
    ],
    [
      "a huge header",
      `HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}\r\n\r\n`,
      /headers of the response are too long/,
    ],
  ])("fails the call if it has %s", async (_what, bytes, reason) => {
    const { url } = await serveRaw((socket) => socket.end(bytes));
    const error = await failure(get(url));
    expect(error.failure).toEqual({
      code: "PROVIDER.PROTOCOL",
      reason: expect.stringMatching(reason),
    });
  });

  it("ends at its content length, and extra bytes reach neither this call nor the next", async () => {
    const { url } = await serveRaw((socket) =>
      socket.write(Buffer.concat([rawAnswer(200, [], '"mine"'), rawAnswer(200, [], '"injected"')])),
    );
    expect((await get(url)).result.data).toBe("mine");
    expect((await get(url)).result.data).toBe("mine");
  });

  it("fails the call if the server switches protocols without a request to do so", async () => {
    const { url } = await serveRaw((socket) =>
      socket.write("HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    );
    expect((await failure(get(url))).code).toBe("PROVIDER.UNAVAILABLE");
  });

  it("the final answer is read after early hints", async () => {
    const { url } = await serveRaw((socket) =>
      socket.write(
        Buffer.concat([
          Buffer.from("HTTP/1.1 103 Early Hints\r\ncontent-length: 99999999\r\n\r\n"),
          rawAnswer(200, [], '"real"'),
        ]),
      ),
    );
    expect((await get(url)).result.data).toBe("real");
  });
});

describe("answer that is too long", () => {
  const tooLong = { code: "PROVIDER.PROTOCOL", reason: "the body is longer than 1000 bytes" };

  it("fails the call at once if its content-length is over the limit", async () => {
    const { url } = await serveRaw((socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n"),
    );
    expect((await failure(get(url, { maxResponseBytes: 1000 }))).failure).toEqual(tooLong);
  });

  it.each([200, 500])("an endless answer of status %i is cut off at the limit", async (status) => {
    const server = await serve((response) => {
      response.writeHead(status);
      const timer = setInterval(() => response.write("x".repeat(300)), 1);
      response.on("close", () => clearInterval(timer));
    });
    expect((await failure(get(server.url, { maxResponseBytes: 1000 }))).failure).toEqual(tooLong);
  });

  it("accepts an answer that is exactly as long as the limit", async () => {
    const server = await serve((response) => response.end(`"${"x".repeat(998)}"`));
    expect((await get(server.url, { maxResponseBytes: 1000 })).result.data).toHaveLength(998);
  });

  it("reads an answer that arrives byte by byte", async () => {
    const body = JSON.stringify({ text: "é😀".repeat(3000) });
    const chunks = [...Buffer.from(body)].map((byte) =>
      Buffer.concat([Buffer.from("1\r\n"), Buffer.from([byte]), Buffer.from("\r\n")]),
    );
    const { url } = await serveRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      socket.write(Buffer.concat([...chunks, Buffer.from("0\r\n\r\n")]));
    });
    expect((await get(url)).result.data).toEqual(JSON.parse(body));
  });
});

describe("many calls at once", () => {
  it("each call gets its own answer", async () => {
    const server = await serve((response, { path }) => response.end(JSON.stringify(path)));
    const calls = Array.from({ length: 200 }, (_, index) => get(`${server.url}/${index}`));
    const answers = await Promise.all(calls);
    expect(answers.map(({ result }) => result.data)).toEqual(calls.map((_, index) => `/${index}`));
  });
});
