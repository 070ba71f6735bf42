import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { userInfo } from "node:os";
import { basename } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { configTargets } from "../../../src/cli/mcp/client-config.js";
import {
  deskFiles,
  inGenerated,
  makeProject,
  type RunOptions,
  skillc,
} from "../support/command-line.js";

/** A project with one tool. */
function project(settings = "", files: Readonly<Record<string, string>> = {}): string {
  return makeProject({
    ...deskFiles,
    ...inGenerated([
      {
        name: "desk",
        file: "skills/desk/SKILL.md",
        tools: [{ id: "desk/get-order", function: "getOrder" }],
      },
    ]),
    "skillc.yaml": `skills: skills\n${settings}`,
    ...files,
  });
}

function mcp(root: string, flags: readonly string[], options: RunOptions = {}) {
  return skillc(root, ["mcp", ...flags], options);
}

/** Serves until the server says where. */
async function served(root: string, flags: readonly string[], options: RunOptions = {}) {
  const end = new AbortController();
  const onOutput = (text: string): void => {
    if (text.includes("serving")) end.abort();
  };
  return mcp(root, flags, { ...options, signal: end.signal, onOutput });
}

describe("skillc mcp --print-config", () => {
  const start = (root: string) => ({
    command: "npx",
    args: ["--no", "--prefix", root, "skillc", "mcp", "--cwd", root],
  });

  test("prints the settings of each client", async () => {
    const root = project("", { "package.json": '{"name": "desk"}' });
    const { args, command } = start(root);
    const texts = await Promise.all(
      configTargets.map(async (target) => (await mcp(root, ["--print-config", target])).stdout),
    );
    const [claude = "", cursor = "", vscode = "", codex] = texts;
    expect(JSON.parse(claude)).toEqual({ mcpServers: { desk: { command, args } } });
    expect(JSON.parse(cursor)).toEqual({ mcpServers: { desk: { command, args } } });
    expect(JSON.parse(vscode)).toEqual({ servers: { desk: { type: "stdio", command, args } } });
    expect(codex).toBe(
      `[mcp_servers."desk"]\ncommand = "npx"\nargs = ["--no", "--prefix", "${root}", "skillc", "mcp", "--cwd", "${root}"]\n`,
    );
  });

  test.each([
    ["claude", ".mcp.json"],
    ["cursor", ".cursor/mcp.json"],
    ["vscode", ".vscode/mcp.json"],
    ["codex", "~/.codex/config.toml"],
  ])("names the file of %s on stderr", async (target, file) => {
    const { code, stderr } = await mcp(project(), ["--print-config", target]);
    expect(code).toBe(0);
    expect(stderr).toContain(`\`${file}\``);
  });

  test.each([
    ["@acme/order-desk", "acme-order-desk"],
    ["Order Desk (v2)", "Order-Desk-v2"],
    ['a"]\n[evil', "a-evil"],
    ["заказы", "skillc"],
    ["x".repeat(100), "x".repeat(40)],
  ])(
    "calls the server of the package %j by the name %s, which every client accepts",
    async (name, expected) => {
      const root = project("", { "package.json": JSON.stringify({ name }) });
      const { stdout } = await mcp(root, ["--print-config", "claude"]);
      expect(Object.keys(JSON.parse(stdout).mcpServers)).toEqual([expected]);
    },
  );

  test.each([
    ["no package.json", {}],
    ["a package.json that is no JSON", { "package.json": "{" }],
    ["a package.json without a name", { "package.json": "{}" }],
  ])("uses the name of the folder if there is %s", async (_, files) => {
    const root = project("", files);
    const { stdout } = await mcp(root, ["--print-config", "claude"]);
    const expected = basename(root).replaceAll(/[^a-z\d]+/gi, "-");
    expect(Object.keys(JSON.parse(stdout).mcpServers)).toEqual([expected.slice(0, 40)]);
  });

  test("passes on the flags of the start, with the whole path of the handlers", async () => {
    const root = project();
    const caller = '{"subject": "a\\"b"}';
    const flags = ["--handlers", "handlers.ts", "--output-schemas", "none"];
    const all = ["--print-config", "codex", "--caller", caller, ...flags];
    const { stdout } = await mcp(root, all);
    expect(stdout).toContain(String.raw`"--caller", "{\"subject\": \"a\\\"b\"}"`);
    expect(stdout).toContain(`"--handlers", "${root}/handlers.ts", "--output-schemas", "none"]`);
  });

  test("escapes a control character that TOML rejects", async () => {
    const root = project();
    const flags = ["--print-config", "codex", "--handlers", "/x/\u007f\u0001.ts"];
    expect((await mcp(root, flags)).stdout).toContain(String.raw`"/x/\u007f\u0001.ts"`);
  });

  test("rejects a caller that is none", async () => {
    const flags = ["--print-config", "claude", "--caller", '{"name": "ada"}'];
    const { code, stderr, stdout } = await mcp(project(), flags);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("a caller can't have the field `name`");
  });

  test("rejects --http", async () => {
    const { code, stderr } = await mcp(project(), ["--print-config", "claude", "--http", "8080"]);
    expect(code).toBe(2);
    expect(stderr).toContain("which is without `--http`");
  });
});

describe("the caller of skillc mcp", () => {
  test("the caller is the logged-in user without settings", async () => {
    const { code, stderr } = await served(project(), []);
    expect(code).toBe(0);
    const what = `1 skill with 1 tool, for \`${userInfo().username}\``;
    expect(stderr).toContain(`note: serving ${what}; a client sees only the tools`);
  });

  test("the caller comes from skillc.yaml", async () => {
    const root = project("mcp: { caller: { tenant: acme, subject: bob } }\n");
    expect((await served(root, [])).stderr).toContain("for `bob` of `acme`");
  });

  test("--caller is stronger than skillc.yaml", async () => {
    const root = project("mcp: { caller: { tenant: acme, subject: bob } }\n");
    const { stderr } = await served(root, ["--caller", '{"subject": "ada"}']);
    expect(stderr).toContain("for `ada`;");
  });

  test.each([
    ["no JSON", "ada"],
    ["an unknown field", '{"name": "ada"}'],
    ["an invisible character", '{"subject": "a\u200bda"}'],
  ])("rejects --caller with %s", async (_, caller) => {
    const { code, stderr } = await mcp(project(), ["--caller", caller]);
    expect(code).toBe(2);
    expect(stderr).toContain("error: `--caller` is not a caller");
  });
});

describe("skillc mcp --http", () => {
  test.each(["", "port", "65536", "-1", "1:2:3", "http://localhost:8080", "[::1]", "::1:8080"])(
    "rejects the address %j",
    async (address) => {
      const { code, stderr } = await mcp(project(), [`--http=${address}`, "--auth", "none"]);
      expect(code).toBe(2);
      expect(stderr).toContain(`\`${address}\` is no address for \`--http\``);
    },
  );

  test.each([
    ["0", "http://127.0.0.1:"],
    ["127.0.0.1:0", "http://127.0.0.1:"],
    ["localhost:0", "http://localhost:"],
  ])("serves one caller at %s with --auth none", async (address, url) => {
    const flags = ["--http", address, "--auth", "none", "--caller", '{"subject": "ada"}'];
    const { code, stderr } = await served(project(), flags);
    expect(code).toBe(0);
    expect(stderr).toContain(`note: serving at ${url}`);
    expect(stderr).toContain("/mcp: 1 skill with 1 tool, for `ada`;");
  });

  test.each(["0.0.0.0:8080", "[::]:8080", "192.0.2.1:8080", "localhost.example.com:8080"])(
    "rejects --auth none at %s, which other machines may reach",
    async (address) => {
      const { code, stderr } = await mcp(project(), ["--http", address, "--auth", "none"]);
      expect(code).toBe(2);
      expect(stderr).toContain(`\`--auth none\` can't serve \`${address}\``);
    },
  );

  test("rejects a project without `auth`, unless --auth none is given", async () => {
    const { code, stderr } = await mcp(project("mcp: {}\n"), ["--http", "0"]);
    expect(code).toBe(2);
    expect(stderr).toContain("over HTTP the server must know who calls");
  });

  const auth =
    "mcp: { auth: { resource: '${MCP_URL}', issuers: [{ issuer: 'https://id.example.com' }] } }\n";

  test("serves callers with access tokens as skillc.yaml says", async () => {
    const env = { MCP_URL: "https://mcp.example.com/mcp" };
    const { code, stderr } = await served(project(auth), ["--http", "0"], { env });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain("for callers with an access token;");
  });

  test("reports a setting of `auth` that has no value here", async () => {
    const { code, stderr } = await mcp(project(auth), ["--http", "0"], { env: {} });
    expect(code).toBe(1);
    expect(stderr).toContain("`${MCP_URL}`, which is not set here");
  });

  test("reports a port that another program has", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    // A server on a port has such an address.
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await mcp(project(), ["--http", `${port}`, "--auth", "none"]);
    expect(code).toBe(1);
    expect(stderr).toContain("EADDRINUSE");
    expect(stderr).toContain("choose another port, or stop the program that has it");
  });
});

describe("flags of skillc mcp that would have no effect", () => {
  test("rejects --auth without --http", async () => {
    const { code, stderr } = await mcp(project(), ["--auth", "none"]);
    expect(code).toBe(2);
    expect(stderr).toContain("`--auth` is for `--http`");
  });

  test("rejects --handlers beside the application of skillc.yaml", async () => {
    const root = project("mcp: { app: ./app.js }\n");
    const { code, stderr } = await mcp(root, ["--handlers", "handlers.ts"]);
    expect(code).toBe(2);
    expect(stderr).toContain("`--handlers` would have no effect");
  });
});

describe("skillc mcp with an mcp.json", () => {
  const dataOf = (manifest: string) =>
    JSON.stringify({
      version: 1,
      tools: { "desk/get-order": { manifest_hash: manifest, annotations: {}, output_schema: {} } },
      skills: [],
    });
  const catalog = inGenerated([
    {
      name: "desk",
      file: "skills/desk/SKILL.md",
      tools: [{ id: "desk/get-order", function: "getOrder", manifest_hash: "m1" }],
    },
  ]);

  test.each([
    ["m1", false],
    ["m0", true],
  ])("says if mcp.json has the manifest %s and the tool has m1", async (manifest, isStale) => {
    const files = { ...catalog, "generated/mcp.json": dataOf(manifest) };
    const root = project("mcp: {}\n", files);
    const { stderr } = await served(root, ["--http", "0", "--auth", "none"]);
    expect(stderr).toContain("serving");
    expect(stderr.includes("run `skillc generate`")).toBe(isStale);
  });
});
