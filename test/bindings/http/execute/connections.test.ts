/** Over what requests go: a dispatcher for each runtime, a proxy, HTTP/2. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { credential, text } from "../../../../src/bindings/http/execute.js";
import { clientCertificate } from "../../../../src/bindings/http/send/auth/client-certificate.js";
import { oauth2 } from "../../../../src/bindings/http/send/auth/oauth2.js";
import { createRuntime, type HttpOptions } from "../../../../src/runtime/index.js";
import { callWith, serveTokens } from "./auth/token-server.js";
import { certificate } from "./certificate.js";
import { failure, serve } from "./support.js";

const runtimeWith = (http: HttpOptions = {}, credentials: Record<string, string> = {}) =>
  createRuntime({ inherit: false, ledger: false, http, credentials });

const to = (url: string) => ({ request: () => ({ url: [url] }) });

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // A TCP server that listens has an address of this form.
  return (server.address() as AddressInfo).port;
}

interface Proxy {
  readonly host: string;
  /** Target and login of each request. */
  readonly asked: { readonly target: string | undefined; readonly by: string | undefined }[];
}

/** Connects whoever asks for it to where they ask for, or to `target` in its place. */
async function proxy({
  status = 200,
  target,
}: { status?: number; target?: number } = {}): Promise<Proxy> {
  const asked: Proxy["asked"] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on("connect", ({ headers, url = "" }: IncomingMessage, client: Socket) => {
    asked.push({ target: url, by: headers["proxy-authorization"] });
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const upstream = connect(target ?? Number(url.split(":").at(-1)), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    for (const each of [client, upstream]) {
      sockets.add(each);
      each.on("error", () => {});
    }
  });
  onTestFinished(() => {
    for (const each of sockets) each.destroy();
  });
  return { host: `127.0.0.1:${await listen(server)}`, asked };
}

/** An answer is there a moment before its connection has been given back. */
const given = () => new Promise((resolve) => setTimeout(resolve));

describe("connections", () => {
  it("connections belong to one runtime, and close with it", async () => {
    const ports = new Set<number | undefined>();
    let closed = 0;
    const server = await serve((response, _request, raw) => {
      if (!ports.has(raw.socket.remotePort)) raw.socket.once("close", () => (closed += 1));
      ports.add(raw.socket.remotePort);
      response.end("{}");
    });
    const [one, other] = [runtimeWith(), runtimeWith()];
    await callWith(one, to(server.url));
    await given();
    await callWith(one, to(server.url));
    expect(ports.size).toBe(1);
    await callWith(other, to(server.url));
    expect(ports.size).toBe(2);
    await one.close();
    await expect.poll(() => closed, { interval: 1 }).toBe(1);
    await callWith(other, to(server.url));
    expect(ports.size).toBe(2);
    // Whoever goes on all the same gets new ones.
    await callWith(one, to(server.url));
    expect(ports.size).toBe(3);
  });
});

describe("proxy", () => {
  it("carries all requests of its runtime, token requests included, and gets the login of its URL", async () => {
    const server = await serveTokens();
    const via = await proxy();
    const runtime = runtimeWith({ proxy: `http://desk:s%3Acret@${via.host}` });
    const auth = [
      oauth2({ grant: "client_credentials", tokenUrl: `${server.url}/token`, clientId: "desk" }),
    ];
    expect((await callWith(runtime, { auth, ...to(server.url) })).data).toEqual({ ok: true });
    const expected = { target: `127.0.0.1:${server.port}`, by: `Basic ${btoa("desk:s:cret")}` };
    // One connection, or two where the first had not been given back yet.
    const { length } = via.asked;
    expect(via.asked).toEqual(Array.from({ length }, () => expected));
    expect(server.received.map(({ path }) => path)).toEqual(["/token", "/"]);
    await callWith(runtimeWith(), to(server.url));
    expect(via.asked).toHaveLength(length);
  });

  it("gets no requests for excepted hosts", async () => {
    const server = await serve();
    const via = await proxy();
    const runtime = runtimeWith({ proxy: { url: `http://${via.host}`, except: ["127.0.0.1"] } });
    expect(await callWith(runtime, to(server.url))).toMatchObject({ status: "success" });
    expect(via.asked).toEqual([]);
  });

  it("ignores proxy variables of the environment", async () => {
    const before = process.env["http_proxy"];
    onTestFinished(() => {
      if (before === undefined) delete process.env["http_proxy"];
      else process.env["http_proxy"] = before;
    });
    const server = await serve();
    const via = await proxy();
    process.env["http_proxy"] = `http://${via.host}`;
    await callWith(runtimeWith(), to(server.url));
    expect(via.asked).toEqual([]);
  });

  it("a proxy that rejects the login or is down leaves a write not done, and its password hidden", async () => {
    const refusing = await proxy({ status: 407 });
    for (const host of [refusing.host, "127.0.0.1:1"]) {
      const runtime = runtimeWith({ proxy: `http://desk:hunter22@${host}` });
      const write = { method: "POST", ...to("http://orders.example/") } as const;
      const error = await failure(callWith(runtime, write, { effect: "write" }));
      expect(error).toMatchObject({ code: "PROVIDER.UNAVAILABLE", outcome: "not-done" });
      expect(JSON.stringify([error.message, error.failure])).not.toContain("hunter22");
    }
  });

  it("resolves names itself, and gets no request for a forbidden address", async () => {
    const server = await serve();
    const via = await proxy({ target: server.port });
    const { governance } = await import("../../../../src/runtime/governance/index.js");
    const { governedTool } = await import("../../../runtime/governance/governed.js");
    const tool = {
      ...governedTool,
      manifest: "c",
      effect: "read",
      context: { as: "record", fields: [] },
      capabilities: ["http://orders.example/", "http://169.254.169.254/", "http://10.0.0.7/"].map(
        (each) => `net.http:get ${each}`,
      ),
    } as const;
    const runtime = createRuntime({
      inherit: false,
      ledger: false,
      http: { proxy: `http://${via.host}` },
      governance: governance({
        policy: {
          hash: "p",
          strict: false,
          quotas: [],
          obligations: [],
          tools: { "desk/get": tool },
        },
      }),
    });
    expect(await callWith(runtime, to("http://orders.example/"))).toMatchObject({
      status: "success",
    });
    for (const url of ["http://169.254.169.254/", "http://10.0.0.7/"]) {
      const error = await failure(callWith(runtime, to(url)));
      expect(error).toMatchObject({ code: "SANDBOX.CAPABILITY_BLOCKED", outcome: "not-done" });
    }
    expect(via.asked.map(({ target }) => target)).toEqual(["orders.example:80"]);
  });
});

describe("HTTP/2", () => {
  async function serveBoth(): Promise<{ url: string; ca: string; versions: string[] }> {
    const { cert, key } = certificate("server");
    const versions: string[] = [];
    const server = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
      versions.push(request.httpVersion);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ path: request.url }));
    });
    return {
      url: `https://127.0.0.1:${await listen(server as unknown as Server)}`,
      ca: cert,
      versions,
    };
  }
  const trusting = (ca: string, url: string) => {
    const desk = certificate("desk");
    const names = { CERT: desk.cert, KEY: desk.key, CA: ca };
    const [cert, key, authority] = ["CERT", "KEY", "CA"].map((name) => text(credential(name)));
    if (cert === undefined || key === undefined) throw new Error("no certificate");
    const contract = {
      auth: [clientCertificate({ cert, key, ...(authority && { ca: authority }) })],
      ...to(url),
    };
    return { names, contract };
  };

  it("a runtime with `http2` speaks HTTP/2 if the server offers it; other runtimes never do", async () => {
    const { ca, url, versions } = await serveBoth();
    const { contract, names } = trusting(ca, `${url}/orders`);
    const plain = runtimeWith({}, names);
    expect((await callWith(plain, contract)).data).toEqual({ path: "/orders" });
    const second = runtimeWith({ http2: true }, names);
    expect((await callWith(second, contract)).data).toEqual({ path: "/orders" });
    expect((await callWith(second, contract)).data).toEqual({ path: "/orders" });
    expect(versions).toEqual(["1.1", "2.0", "2.0"]);
    await Promise.all([plain.close(), second.close()]);
  });

  it("falls back to HTTP/1.1 if the server offers nothing else, and works through a proxy", async () => {
    const { cert, key } = certificate("server");
    const old = createHttpsServer({ cert, key }, (request, response) =>
      response.end(JSON.stringify(request.httpVersion)),
    );
    const { contract, names } = trusting(cert, `https://127.0.0.1:${await listen(old)}/`);
    const runtime = runtimeWith({ http2: true }, names);
    expect((await callWith(runtime, contract)).data).toBe("1.1");

    const both = await serveBoth();
    const via = await proxy();
    const through = trusting(both.ca, `${both.url}/a`);
    const proxied = runtimeWith({ http2: true, proxy: `http://${via.host}` }, through.names);
    expect((await callWith(proxied, through.contract)).data).toEqual({ path: "/a" });
    expect(both.versions).toEqual(["2.0"]);
    expect(via.asked).toHaveLength(1);
    await Promise.all([runtime.close(), proxied.close()]);
  });
});
