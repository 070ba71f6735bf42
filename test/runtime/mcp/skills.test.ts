import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { describe, expect, test, vi } from "vitest";
import { createRuntime } from "@skillc/runtime";
import { createMcpServer, type McpSkill } from "@skillc/runtime/mcp";
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

const files = ["[id].md", "a#b.md", "c|d.md", "e?f.md", "100%.md", "a%2fb.md", "é/ü ü.md"];

/** Makes a derived skill without tools. */
function skillOf(name: string, description: string, paths: readonly string[] = []): McpSkill {
  const text = `---\nname: ${name}\ndescription: ${description}\n---\nBody\n`;
  return {
    name,
    description,
    manifest: "m1",
    tools: [],
    files: [
      { path: "SKILL.md", text, media_type: "text/markdown" },
      ...paths.map((path) => ({ path, text: `in ${path}`, media_type: "text/plain" })),
    ],
  };
}

/** Serves skills without tools, and lists them by MCP's Skills extension. */
async function listed(skills: readonly McpSkill[]) {
  const onError = vi.fn();
  const server = createMcpServer({
    mcp: { version: 1, tools: {}, skills },
    catalog: {
      skills: skills.map(({ description, name }) => ({
        name,
        description,
        body: "",
        file: `skills/${name}/SKILL.md`,
        prerequisites: {},
        tools: [],
      })),
    },
    tools: {},
    runtime: createRuntime({ inherit: false, ledger: false }),
    onError,
  });
  const client = await connectClient(server, { era: "2026-07-28", way: "stdio" });
  const listed = await new SkillsClient(client).list();
  return { client, onError, skills: listed.skills };
}

test("every file of a listed skill can be read by its URI", async () => {
  const { client, skills } = await listed([skillOf("odd", "Odd names.", files)]);
  const read = skills.flatMap(({ resources }) =>
    Array.isArray(resources) ? resources.map(({ uri }) => uri) : [],
  );
  const texts: unknown[] = [];
  for (const uri of read) {
    const [content] = (await client.readResource({ uri })).contents;
    texts.push(content !== undefined && "text" in content ? content.text : undefined);
  }
  expect(texts).toEqual(expect.arrayContaining(files.map((path) => `in ${path}`)));
});

test("a skill that breaks a rule of the specification is left out, and the others are listed", async () => {
  const { onError, skills } = await listed([
    skillOf("long", "x".repeat(2000)),
    skillOf("fine", "Fine."),
  ]);
  expect(skills.map(({ uri }) => uri)).toEqual(["skill://fine/SKILL.md"]);
  expect(onError).toHaveBeenCalledTimes(1);
});
