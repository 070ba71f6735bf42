/** `skillc mcp` as a client starts it: a process whose standard output belongs to the protocol. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { makeProject, put, skillc } from "../support/command-line.js";

const bin = fileURLToPath(new URL("../../../dist/cli/bin.js", import.meta.url));

/** Handlers of the skill of `skillc init`, which print in every way. */
const handlers = `
console.log("from a module");
process.stdout.write("from stdout.write of a module\\n");
export const handlers = {
  "hello/greet": ({ name }) => {
    console.log("from console.log");
    process.stdout.write("from stdout.write\\n");
    return { greeting: \`Hello, \${name}!\` };
  },
};
`;

async function helloProject(): Promise<string> {
  const root = makeProject();
  await skillc(root, ["init"]);
  put(root, "handlers.ts", handlers);
  expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
  return root;
}

/** Returns the arguments of Node.js with which a client starts the server. */
function start(root: string, ...flags: readonly string[]): string[] {
  return [bin, "mcp", "--cwd", root, ...flags];
}

async function connect(args: string[]): Promise<Client> {
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" });
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

test("a client of the started command lists a tool with a handler, and calls it", async () => {
  const root = await helloProject();
  const client = await connect(start(root, "--handlers", join(root, "handlers.ts")));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("hello__greet");
  const answer = await client.callTool({ name: "hello__greet", arguments: { name: "Ada" } });
  expect(answer.structuredContent).toEqual({
    status: "success",
    data: { greeting: "Hello, Ada!" },
  });
});

test("a tool without a handler is not listed", async () => {
  const client = await connect(start(await helloProject()));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "skillc__await",
    "skillc__cancel",
    "skillc__skill",
  ]);
});

const requests = [
  {
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/call", params: { name: "hello__greet", arguments: { name: "Ada" } } },
];

test("texts that handlers and their module print go to stderr, and every line on stdout is of the protocol", async () => {
  const root = await helloProject();
  const child = spawn(process.execPath, start(root, "--handlers", join(root, "handlers.ts")));
  onTestFinished(() => void child.kill());
  const stderr = text(child.stderr);
  for (const request of requests)
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`);
  const ids: unknown[] = [];
  for await (const line of createInterface(child.stdout)) {
    const { id, jsonrpc } = JSON.parse(line);
    expect(jsonrpc).toBe("2.0");
    ids.push(id);
    if (id === 2) child.stdin.end();
  }
  expect(ids).toEqual([1, 2]);
  expect(await stderr).toContain("from a module\n");
  expect(await stderr).toContain("from stdout.write of a module\n");
  expect(await stderr).toContain("from console.log\n");
  expect(await stderr).toContain("from stdout.write\n");
});
