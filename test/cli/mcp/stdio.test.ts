/** `skillc mcp` as a client starts it: a process whose standard output belongs to the protocol. */
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { makeProject, put, skillc } from "../support/command-line.js";

const bin = fileURLToPath(new URL("../../../dist/cli/bin.js", import.meta.url));

/** Handlers of the skill of `skillc init`, which print in every way. */
const handlers = `
export const handlers = {
  "hello/greet": ({ name }) => {
    console.log("from console.log");
    process.stdout.write("from stdout.write\\n");
    return { greeting: \`Hello, \${name}!\` };
  },
};
`;

/** Starts the server of a new project, and connects a client until the test ends. */
async function connectTo(...flags: readonly string[]) {
  const root = makeProject();
  await skillc(root, ["init"]);
  put(root, "handlers.ts", handlers);
  expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "mcp", "--cwd", root, ...flags.map((flag) => flag.replace("ROOT", root))],
    stderr: "pipe",
  });
  // A stream because of `pipe`; it ends with the process.
  const stderr = text(transport.stderr as Readable);
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, stderr };
}

test("a client of the started command calls a tool, and what its handler prints goes to stderr", async () => {
  const { client, stderr } = await connectTo("--handlers", join("ROOT", "handlers.ts"));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("hello__greet");
  const answer = await client.callTool({ name: "hello__greet", arguments: { name: "Ada" } });
  expect(answer.structuredContent).toEqual({
    status: "success",
    data: { greeting: "Hello, Ada!" },
  });
  await client.close();
  expect(await stderr).toContain("from console.log\n");
  expect(await stderr).toContain("from stdout.write\n");
});

test("a tool without a handler is not listed", async () => {
  const { client } = await connectTo();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "skillc__await",
    "skillc__cancel",
    "skillc__skill",
  ]);
});
