import { once } from "node:events";
import { createServer as createTlsServer } from "node:https";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { credential } from "../../../../src/bindings/http/execute.js";
import { attempt, call, failure, get, rawAnswer, serve, serveRaw } from "./support.js";

describe("a call to a server that gives no answer", () => {
  it("is unavailable, with the target but no setting's value, when nobody listens", async () => {
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

  it("is unavailable when the host has no address", async () => {
    expect((await failure(get("http://nowhere.invalid/"))).code).toBe("PROVIDER.UNAVAILABLE");
  });

  it.each([
    "",
    "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12345\r\n",
  ])("is unavailable when the connection closes after %j", async (start) => {
    const { url } = await serveRaw((socket) => socket.end(start));
    expect((await failure(get(url))).failure).toEqual({
      code: "PROVIDER.UNAVAILABLE",
      reason: "UND_ERR_SOCKET",
    });
  });

  it("is unavailable when the connection is reset", async () => {
    const { url } = await serveRaw((socket) => socket.resetAndDestroy());
    expect((await failure(get(url))).failure).toMatchObject({
      code: "PROVIDER.UNAVAILABLE",
      reason: "ECONNRESET",
    });
  });

  it("is unavailable when the connection is reset in the middle of a body", async () => {
    const { url } = await serveRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345", () =>
        setTimeout(() => socket.resetAndDestroy(), 20),
      );
    });
    expect((await failure(get(url))).code).toBe("PROVIDER.UNAVAILABLE");
  });

  it("is unavailable when the certificate is not trusted, or there is no TLS", async () => {
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

describe("a call to a server that stalls", () => {
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

  it("ends when the signal aborts while early hints come for ever", async () => {
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

  it("sends nothing when the signal aborted before", async () => {
    const server = await serve();
    await expect(get(server.url, {}, attempt({}, AbortSignal.abort("gone")))).rejects.toBe("gone");
    await wait(50);
    expect(server.received).toEqual([]);
  });

  it("sends nothing when it was aborted while it connected", async () => {
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

describe("an answer that breaks the protocol", () => {
  it.each([
    ["another protocol", "SSH-2.0-OpenSSH\r\n", /not HTTP/],
    ["no status", "HTTP/1.1 abc\r\n\r\n", /not HTTP/],
    [
      "two lengths",
      "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx",
      /not as long/,
    ],
    [
      "a length and chunks",
      "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      /not as long/,
    ],
    ["a bad chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", /not HTTP/],
    ["a negative length", "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n", /not HTTP/],
    [
      "less than it says",
      "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 10\r\n\r\n12345",
      /not as long/,
    ],
    [
      "endless headers",
      `HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(10_000)}\r\n`,
      /headers of the answer are too long/,
    ],
    [
      "a huge header",
      `HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}\r\n\r\n`,
      /headers of the answer are too long/,
    ],
  ])("fails the call when it has %s", async (_what, bytes, reason) => {
    const { url } = await serveRaw((socket) => socket.end(bytes));
    const error = await failure(get(url));
    expect(error.failure).toEqual({
      code: "PROVIDER.PROTOCOL",
      reason: expect.stringMatching(reason),
    });
  });

  it("ends where its length says: what is beyond does not reach this call or the next", async () => {
    const { url } = await serveRaw((socket) =>
      socket.write(Buffer.concat([rawAnswer(200, [], '"mine"'), rawAnswer(200, [], '"injected"')])),
    );
    expect((await get(url)).result.data).toBe("mine");
    expect((await get(url)).result.data).toBe("mine");
  });

  it("fails the call when it switches protocols unasked", async () => {
    const { url } = await serveRaw((socket) =>
      socket.write("HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    );
    expect((await failure(get(url))).code).toBe("PROVIDER.UNAVAILABLE");
  });

  it("is the final one when early hints come before it", async () => {
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

describe("an answer that is too long", () => {
  const tooLong = { code: "PROVIDER.PROTOCOL", reason: "the body is longer than 1000 bytes" };

  it("fails the call at once when its content-length says so", async () => {
    const { url } = await serveRaw((socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n"),
    );
    expect((await failure(get(url, { maxResponseBytes: 1000 }))).failure).toEqual(tooLong);
  });

  it.each([200, 500])(
    "is cut off at the limit when it never ends, at status %i",
    async (status) => {
      const server = await serve((response) => {
        response.writeHead(status);
        const timer = setInterval(() => response.write("x".repeat(300)), 1);
        response.on("close", () => clearInterval(timer));
      });
      expect((await failure(get(server.url, { maxResponseBytes: 1000 }))).failure).toEqual(tooLong);
    },
  );

  it("is read when it is just as long as it may be", async () => {
    const server = await serve((response) => response.end(`"${"x".repeat(998)}"`));
    expect((await get(server.url, { maxResponseBytes: 1000 })).result.data).toHaveLength(998);
  });

  it("is read when it comes byte by byte", async () => {
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
  it("get each their own answer", async () => {
    const server = await serve((response, { path }) => response.end(JSON.stringify(path)));
    const calls = Array.from({ length: 200 }, (_, index) => get(`${server.url}/${index}`));
    const answers = await Promise.all(calls);
    expect(answers.map(({ result }) => result.data)).toEqual(calls.map((_, index) => `/${index}`));
  });
});
