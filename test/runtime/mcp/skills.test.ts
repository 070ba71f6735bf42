import { describe, expect, test } from "vitest";
import { createRuntime } from "@skillc/runtime";
import { createMcpServer } from "@skillc/runtime/mcp";
import { readFileSync } from "node:fs";
import { catalog, tools } from "../../../generated/index.js";
import { connectClient, ways } from "./clients.js";

const written = new URL("../../../generated/mcp.json", import.meta.url);

/** Serves the example skills, of which only some tools have their credentials or handlers. */
function serveSome() {
  const runtime = createRuntime({
    inherit: false,
    ledger: false,
    handlers: { "api-builder/find-entities": () => ({ entities: [] }) },
  });
  const mcp = JSON.parse(readFileSync(written, "utf8"));
  return createMcpServer({ mcp, catalog, tools, runtime, auth: "none" });
}

describe.each(ways)("skills over $way in $era", (how) => {
  test("name only tools that the caller may call, in every place", async () => {
    const client = await connectClient(serveSome(), how);
    const listed = new Set((await client.listTools()).tools.map(({ name }) => name));
    expect(listed).toContain("api-builder__find-entities");
    expect(listed).not.toContain("api-builder__write-types");
    const uri = "skill://api-builder/SKILL.md";
    const { contents } = await client.readResource({ uri });
    const read = await client.callTool({
      name: "skillc__skill",
      arguments: { name: "api-builder" },
    });
    for (const text of [JSON.stringify(contents), JSON.stringify(read.content)]) {
      expect(text).toContain("skillc.tools: ");
      const [, named = ""] = /skillc\.tools: ([^\\]*)\\n/.exec(text) ?? [];
      expect(named.split(" ").filter((name) => !listed.has(name))).toEqual([]);
      expect(named).toContain("api-builder__find-entities");
    }
  });

  test("stay hidden if the caller may call none of their tools", async () => {
    const client = await connectClient(serveSome(), how);
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toContain("skill://api-builder/SKILL.md");
    expect(uris).not.toContain("skill://rabbitmq-admin/SKILL.md");
    await expect(client.readResource({ uri: "skill://rabbitmq-admin/SKILL.md" })).rejects.toThrow(
      /not found/i,
    );
    expect(client.getInstructions()).not.toContain("rabbitmq-admin");
  });

  test.each(["skill://api-builder/../notes/SKILL.md", "skill://api-builder/%2e%2e/skillc.yaml"])(
    "give no file outside of their folders: %s",
    async (uri) => {
      const client = await connectClient(serveSome(), how);
      await expect(client.readResource({ uri })).rejects.toThrow(/not found/i);
    },
  );
});
