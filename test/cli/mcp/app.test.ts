/** `skillc mcp` with the runtime of an application: `mcp: { app }` of skillc.yaml. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { repository } from "../../support/repository.js";
import { makeProject, put, skillc } from "../support/command-line.js";

const bin = fileURLToPath(new URL("../../../dist/cli/bin.js", import.meta.url));

const runtime = `
export const runtime = createRuntime({
  handlers: { "hello/greet": ({ name }) => ({ greeting: \`Hello from the app, \${name}!\` }) },
});
`;

/** Writes the project of `skillc init` with an application. */
async function projectWith(app: string, text: string): Promise<string> {
  const root = makeProject();
  // Node.js looks for the runtime there.
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  await skillc(root, ["init"]);
  put(root, "package.json", '{ "type": "module" }');
  put(root, app, text);
  put(root, "skillc.yaml", `mcp: { app: ./${app}, max_result_chars: 1000 }\n`);
  expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
  return root;
}

async function connectTo(root: string) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "mcp", "--cwd", root],
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

const javascript = `import { createRuntime } from "@skillc/runtime";\n${runtime}`;
const typescript = `import { createRuntime, type Runtime } from "@skillc/runtime";\n${runtime.replace("runtime =", "runtime: Runtime =")}`;

test.each([
  ["app.js", javascript],
  ["src/app.ts", typescript],
])("the handlers of %s answer calls", async (app, text) => {
  const client = await connectTo(await projectWith(app, text));
  const { structuredContent } = await client.callTool({
    name: "hello__greet",
    arguments: { name: "Ada" },
  });
  expect(structuredContent).toMatchObject({ data: { greeting: "Hello from the app, Ada!" } });
});

test("the store of results of the application keeps a long result", async () => {
  const store = `
    const texts = new Map();
    export const results = {
      kind: "test",
      keep: async (owner, text) => (texts.set("id-1", text), { id: "id-1" }),
      read: async (owner, id) => texts.get(id),
      close: async () => {},
    };`;
  const client = await connectTo(await projectWith("app.js", javascript + store));
  const { structuredContent } = await client.callTool({
    name: "hello__greet",
    arguments: { name: "A".repeat(5000) },
  });
  expect(structuredContent).toMatchObject({
    status: "skillc:truncated",
    uri: "skillc://results/id-1",
  });
  const { contents } = await client.readResource({ uri: "skillc://results/id-1" });
  expect(JSON.stringify(contents)).toContain("A".repeat(5000));
});

test.each([
  ["export const other = 1;\n", "exports no `runtime`"],
  [`${javascript}export const results = 7;\n`, "is not a store of results"],
  ["throw new Error('no database');\n", "can't be loaded: no database"],
])("an application that can't be used stops the command: %j", async (text, message) => {
  const root = await projectWith("app.js", text);
  const { code, stderr } = await skillc(root, ["mcp"]);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});
