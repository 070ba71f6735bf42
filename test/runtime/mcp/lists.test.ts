import { expect, onTestFinished, test, vi } from "vitest";
import type { ListToolsResult, Tool } from "@modelcontextprotocol/client";
import { createRuntime, type CatalogTool } from "@skillc/runtime";
import { governance } from "@skillc/runtime/governance";
import { createMcpServer } from "@skillc/runtime/mcp";
import { policy } from "../../../generated/policy.js";
import { catalog, tools } from "../../cases/http-files/generated/index.js";
import { skill, tool } from "../model/example-catalog.js";
import { connectClient, ways } from "./clients.js";
import { serveDesk } from "./order-desk.js";

const names = Array.from({ length: 600 }, (_, index) => `tool-${index}`);

/** A server with many tools, whose handlers exist. */
function serveMany(changes: (name: string) => Partial<CatalogTool> = () => ({})) {
  const tools = names.map((name) => tool(name, { capabilities: [], ...changes(name) }));
  const catalog = { skills: [skill("desk", { tools })] };
  const runtime = createRuntime({ inherit: false, ledger: false });
  const mcp = { version: 1, tools: {}, skills: [] } as const;
  return createMcpServer({ mcp, catalog, tools: {}, runtime, auth: "none" });
}

test.each(ways)("a client over $way in $era gets all pages of a long list", async (how) => {
  const client = await connectClient(serveMany(), how);
  const seen: Tool[] = [];
  const sizes: number[] = [];
  // Without a cursor, the client itself gets all pages.
  let cursor: string | undefined = "!";
  while (cursor !== undefined) {
    const page: ListToolsResult = await client.listTools({ cursor });
    seen.push(...page.tools);
    sizes.push(page.tools.length);
    cursor = page.nextCursor;
  }
  const own = seen.filter(({ name }) => name.startsWith("desk_")).map(({ name }) => name);
  expect(own).toEqual(names.map((name) => `desk_${name}`).toSorted());
  expect(sizes).toEqual([250, 250, 102]);
  expect((await client.listTools()).tools).toHaveLength(602);
});

test("an unknown cursor gives the names that follow it", async () => {
  const client = await connectClient(serveMany(), { era: "2026-07-28", way: "stdio" });
  const { tools } = await client.listTools({ cursor: "zzz" });
  expect(tools).toEqual([]);
});

test("a list may be kept for a minute, by the client alone", async () => {
  const client = await connectClient(serveMany(), { era: "2026-07-28", way: "http" });
  expect(await client.listTools()).toMatchObject({ ttlMs: 60_000, cacheScope: "private" });
});

test("a tool has no schema of its results if the server leaves them out", async () => {
  const annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  };
  const known = (manifest: string) => ({
    manifest_hash: manifest,
    annotations,
    output_schema: { type: "object" },
  });
  const catalog = { skills: [skill("desk", { tools: [tool("one", { capabilities: [] })] })] };
  const manifest = catalog.skills[0]?.tools[0]?.manifest_hash ?? "";
  const listed = async (hash: string, outputSchemas?: "none") => {
    const server = createMcpServer({
      mcp: { version: 1, tools: { "desk/one": known(hash) }, skills: [] },
      catalog,
      tools: {},
      runtime: createRuntime({ inherit: false, ledger: false }),
      ...(outputSchemas && { outputSchemas }),
    });
    const client = await connectClient(server, { era: "2026-07-28", way: "stdio" });
    const { tools } = await client.listTools();
    return tools.find(({ name }) => name === "desk_one");
  };
  expect(await listed(manifest)).toMatchObject({ annotations, outputSchema: { type: "object" } });
  const without = await listed(manifest, "none");
  expect(without).toMatchObject({ annotations });
  expect(without).not.toHaveProperty("outputSchema");
  // Data about another version of the tool would be wrong.
  expect(await listed("other")).not.toHaveProperty("annotations");
});

test.each(ways.filter(({ era, way }) => era === "2026-07-28" || way === "stdio"))(
  "a client over $way in $era that listens learns of a paused tool",
  async (how) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const own = governance({ policy });
    const { server } = await serveDesk({ governance: own, caller: { subject: "ada" } });
    const isChanged = vi.fn<() => void>();
    const client = await connectClient(server, { ...how, onToolsChanged: isChanged });
    const listed = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await listed()).toContain("order-desk__get-order");
    await vi.advanceTimersByTimeAsync(5000);
    expect(isChanged).not.toHaveBeenCalled();
    await own.setToolState("order-desk/get-order", "paused", { by: "ada", because: "test" });
    await vi.advanceTimersByTimeAsync(5000);
    await vi.waitFor(() => expect(isChanged).toHaveBeenCalledTimes(1));
    expect(await listed()).not.toContain("order-desk__get-order");
  },
);

test("only clients on this machine are offered paths of files, also by a server that has both", async () => {
  const runtime = createRuntime({
    inherit: false,
    ledger: false,
    credentials: { LISTINGS_URL: "http://127.0.0.1:1" },
  });
  const mcp = { version: 1, tools: {}, skills: [] } as const;
  const server = createMcpServer({ mcp, catalog, tools, runtime, auth: "none" });
  const schemas: string[] = [];
  for (const way of ["stdio", "http", "stdio"] as const) {
    const client = await connectClient(server, { era: "2026-07-28", way });
    const listed = await client.listTools();
    const found = listed.tools.find(({ name }) => name === "desk__send-scan");
    schemas.push(JSON.stringify(found?.inputSchema));
  }
  expect(schemas.map((text) => text.includes('"path"'))).toEqual([true, false, true]);
});
