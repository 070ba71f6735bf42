/** A shutdown without a running call waits for no connection that is still being made. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { http } from "../../src/bindings/http/execute.js";
import { query } from "../../src/bindings/sql/execute.js";
import { sql } from "../../src/bindings/sql/runtime.js";
import { callTool } from "../../src/runtime/call/call-tool.js";
import { createPostgresStore } from "../../src/runtime/governance/store/postgres/postgres-store.js";
import { createRedisStore } from "../../src/runtime/governance/store/redis/redis-store.js";
import { createRuntime, type RuntimeOptions } from "../../src/runtime/runtime.js";
import { shutdown } from "../../src/runtime/shutdown.js";
import type { ToolContract } from "../../src/runtime/tool.js";
import type { AnyResult } from "../../src/runtime/result.js";
import { exampleTool, succeed } from "./example-tool.js";

/** Takes connections, and never says a word. */
async function silentServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.resume();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const each of sockets) each.destroy();
    server.close();
  });
  // A listening TCP server has an address with a port.
  return { port: (server.address() as AddressInfo).port, sockets };
}

const answers = { maxResponseBytes: 1000, statuses: {} } as const;

/** A tool that gives up long before its connection does. */
function toolOf(binding: unknown): ToolContract<object, object, AnyResult> {
  const tool = exampleTool(succeed, { timeoutMs: 50 });
  // The parameters and results of these tests are any.
  return { ...tool, binding } as unknown as ToolContract<object, object, AnyResult>;
}

const overHttp = (url: string) =>
  http({ method: "GET", request: () => ({ url: [url] }), ...answers });
const overSql = () =>
  query({
    connection: "TEST_URL",
    build: () => sql`SELECT 1`,
    effect: "read",
    columns: {},
    labels: {},
    parameters: [],
    rows: "many",
    maxRows: 10,
  });

interface Case {
  readonly binding: (port: number) => unknown;
  readonly options?: (port: number) => Partial<RuntimeOptions>;
}

const cases: Readonly<Record<string, Case>> = {
  "a silent TLS server": { binding: (port) => overHttp(`https://127.0.0.1:${port}/`) },
  "a silent proxy": {
    binding: () => overHttp("https://api.example/"),
    options: (port) => ({ http: { proxy: { url: `http://127.0.0.1:${port}` } } }),
  },
  "a silent PostgreSQL": {
    binding: overSql,
    options: (port) => ({ credentials: { TEST_URL: `postgres://a:b@127.0.0.1:${port}/c` } }),
  },
  "a silent PostgreSQL over TLS": {
    binding: overSql,
    options: (port) => ({
      credentials: { TEST_URL: `postgres://a:b@127.0.0.1:${port}/c?sslmode=require` },
    }),
  },
};

for (const end of ["shutdown", "close"] as const)
  test.each(Object.entries(cases))(`${end} waits for no connection to %s`, async (_, each) => {
    const { port, sockets } = await silentServer();
    const { binding, options } = each;
    const runtime = createRuntime({ ledger: false, env: {}, inherit: false, ...options?.(port) });
    await expect(callTool(toolOf(binding(port)), { id: "a" }, { runtime })).rejects.toMatchObject({
      code: "PROVIDER.TIMEOUT",
    });
    const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
    onTestFinished(() => warned.mockRestore());
    await (end === "shutdown" ? shutdown() : runtime.close());
    await vi.waitFor(() => expect(end === "close" ? 0 : sockets.size).toBe(0));
    expect(warned).not.toHaveBeenCalled();
    if (end === "close") await shutdown();
  });

test.each([
  ["Redis", (port: number) => createRedisStore({ server: `redis://127.0.0.1:${port}` })],
  [
    "PostgreSQL",
    (port: number) => createPostgresStore({ url: `postgres://a:b@127.0.0.1:${port}/c` }),
  ],
])("a store in a silent %s is closed at once when nobody asks it", async (_, open) => {
  const { port, sockets } = await silentServer();
  const store = open(port);
  void Promise.resolve(store.states()).catch(() => {});
  await vi.waitFor(() => expect(sockets.size).toBe(1));
  await store.close();
  await vi.waitFor(() => expect(sockets.size).toBe(0));
});
