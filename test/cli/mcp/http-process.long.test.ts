/** `skillc mcp --http` as a process. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { skillc } from "../support/command-line.js";
import {
  ledgerOf,
  servedProjects,
  startHeldService,
  startHttp,
  startMcp,
} from "./served-project.js";

const projectOf = servedProjects();
const eras = ["2026-07-28", "2025-11-25"] as const;

async function connectTo(url: string, era: (typeof eras)[number] = "2026-07-28"): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: era === "2026-07-28" ? { pin: era } : "legacy" } },
  );
  onTestFinished(() => client.close().catch(() => undefined));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

describe("the start of the server", () => {
  test("refuses an address that other machines reach if nobody checks who calls", async () => {
    for (const address of ["0.0.0.0:8080", "[::]:8080", "192.168.1.2:80", "desk.example:80"]) {
      const ran = await skillc(projectOf(), ["mcp", "--http", address, "--auth", "none"]);
      expect(ran).toMatchObject({ code: 2, stdout: "" });
      expect(ran.stderr).toContain(`\`--auth none\` can't serve \`${address}\``);
    }
  });

  test("refuses HTTP if nothing says who calls", async () => {
    const ran = await skillc(projectOf(), ["mcp", "--http", "0"]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain("over HTTP the server must know who calls");
  });

  test.each([
    "",
    "x",
    "-1",
    "65536",
    "999999",
    "127.0.0.1",
    "::1:80",
    "[::1]",
    "http://a:1",
    "a b:1",
  ])("refuses the address `%s`", async (address) => {
    const ran = await skillc(projectOf(), ["mcp", `--http=${address}`, "--auth", "none"]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
  });

  test("takes four numbers that are no address for another machine's name", async () => {
    const ran = await skillc(projectOf(), ["mcp", "--http", "127.999.1.1:80", "--auth", "none"]);
    expect(ran.stderr).toContain("which other machines reach");
  });

  test("says which port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    // A server on a port has such an address.
    const { port } = other.address() as AddressInfo;
    const ran = await skillc(projectOf(), ["mcp", "--http", String(port), "--auth", "none"]);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain(`can't listen on \`127.0.0.1:${port}\`: EADDRINUSE`);
  });

  test("refuses a setting of `auth` that has no value, and an issuer without HTTPS", async () => {
    const settings = (issuer: string) =>
      `mcp:\n  auth:\n    resource: https://mcp.example.com/mcp\n    issuers: [{ issuer: "${issuer}" }]\n`;
    const missing = await skillc(projectOf(settings("${LOGIN_URL}")), ["mcp", "--http", "0"]);
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.stderr).toContain("`${LOGIN_URL}`, which is not set here");
    const plain = await skillc(projectOf(settings("http://login.example")), ["mcp", "--http", "0"]);
    expect(plain).toMatchObject({ code: 1 });
    expect(plain.stderr).toContain("`issuer` must be a URL of HTTPS");
  });

  test("serves IPv6", async () => {
    const served = startMcp(projectOf(), ["--http", "[::1]:0", "--auth", "none"]);
    await served.has("stderr", "/mcp: ");
    const url = /http:\S+\/mcp/.exec(served.output.stderr)?.[0] ?? "";
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/mcp$/);
    const client = await connectTo(url);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("desk__say");
  });
});

describe("SIGTERM", () => {
  test.each(eras)("lets a call of a client of %s end, and answers it", async (era) => {
    const service = await startHeldService();
    const root = projectOf();
    const served = await startHttp(root, ["--auth", "none"], { ORDERS_URL: service.url });
    const client = await connectTo(served.url, era);
    const call = client.callTool({ name: "desk__place-order", arguments: { note: "tea" } });
    const order = await service.next();
    served.child.kill("SIGTERM");
    // The port is closed once new connections are refused.
    await refused(served.url);
    order.answer();
    expect((await call).structuredContent).toMatchObject({ status: "success" });
    expect(await served.exited).toBe(0);
    expect(ledgerOf(root)).toContainEqual(expect.objectContaining({ type: "end" }));
  });

  test("ends a server whose clients listen for changes or keep connections open", async () => {
    const served = await startHttp(projectOf());
    const client = await connectTo(served.url);
    const subscription = await client.listen({ toolsListChanged: true });
    const { hostname, port } = new URL(served.url);
    const idle = connect(Number(port), hostname);
    await once(idle, "connect");
    served.child.kill("SIGTERM");
    expect(await served.exited).toBe(0);
    await subscription.closed;
    idle.destroy();
  });
});

async function refused(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  for (;;) {
    const socket = connect(Number(port), hostname);
    const end = await Promise.race([
      once(socket, "connect").then(() => "connected"),
      once(socket, "error").then(() => "refused"),
    ]).catch(() => "refused");
    socket.destroy();
    if (end === "refused") return;
  }
}

describe.each(eras)("a client of %s that vanishes in the middle of a write", (era) => {
  async function vanish() {
    const service = await startHeldService();
    const root = projectOf();
    const served = await startHttp(root, ["--auth", "none"], { ORDERS_URL: service.url });
    const client = await connectTo(served.url, era);
    const call = client.callTool({ name: "desk__place-order", arguments: { note: "tea" } });
    call.catch(() => undefined);
    const order = await service.next();
    await client.close();
    const stop = async () => {
      served.child.kill("SIGTERM");
      expect(await served.exited).toBe(0);
      return ledgerOf(root).filter(({ type }) => type === "begin" || type === "end");
    };
    return { order, stop };
  }

  test("leaves a record that its outcome is unknown if nobody answers", async () => {
    const { order, stop } = await vanish();
    await order.closed;
    expect(await stop()).toEqual([
      expect.objectContaining({ type: "begin", tool: "place-order" }),
      expect.objectContaining({ type: "end", status: "unknown" }),
    ]);
  });
});
