/** Both packages as npm publishes them: installed in empty folders, and a tool of each kind called. */
import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repository } from "../support/repository.js";
import { type CalledTool, onEachKind } from "./called-tools.js";

const run = promisify(execFile);
const contracts = join(repository, "test/contracts");

let folder: string;
const tarballs = { runtime: "", skillc: "" };

/** What `skillc generate` and `tsc` of an installed skillc made of the skills, as JavaScript. */
let compiled: string;

async function pack(from: string): Promise<string> {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await run("npm", args, { cwd: from });
  // npm's own form.
  const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
  return join(folder, packed?.filename ?? "");
}

async function install(where: string, ...packages: readonly string[]): Promise<void> {
  mkdirSync(where, { recursive: true });
  writeFileSync(join(where, "package.json"), '{ "type": "module" }\n');
  await run("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock", ...packages], {
    cwd: where,
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skillc-packages-"));
  tarballs.runtime = await pack(join(repository, "packages/runtime"));
  tarballs.skillc = await pack(repository);
  const project = join(folder, "project");
  await install(
    project,
    tarballs.runtime,
    tarballs.skillc,
    "typescript@^7.0.2",
    "@types/node@20",
    "pg@8",
    "@types/pg@8",
  );
  for (const name of ["skillc.yaml", "skills", "db"])
    cpSync(join(contracts, "1", name), join(project, name), { recursive: true });
  await run("npx", ["skillc", "generate"], { cwd: project });
  const settings = {
    compilerOptions: {
      module: "nodenext",
      target: "es2023",
      types: ["node"],
      outDir: "out",
      rootDir: ".",
    },
    include: ["generated"],
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(settings));
  await run("npx", ["tsc"], { cwd: project });
  compiled = join(project, "out/generated");
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** By the folder's name: what an application installs for tools of a kind. */
const applications: Readonly<Record<string, readonly string[]>> = {
  http: [],
  sql: ["kysely", "pg"],
  queue: ["kafkajs", "amqplib", "ioredis", "@nats-io/transport-node", "@nats-io/jetstream"],
};

/** An application on a server: the runtime, the packages of its tools, and the generated code as JavaScript. Made once. */
const made = new Map<string, Promise<string>>();

function application(name: string): Promise<string> {
  const making = made.get(name) ?? makeApplication(name);
  made.set(name, making);
  return making;
}

async function makeApplication(name: string): Promise<string> {
  const where = join(folder, name);
  await install(where, tarballs.runtime, ...(applications[name] ?? []));
  cpSync(compiled, join(where, "generated"), { recursive: true });
  cpSync(join(contracts, "call-tool.mjs"), join(where, "call-tool.mjs"));
  return where;
}

async function callIn(where: string, tool: CalledTool): Promise<unknown> {
  const main = `import { callTool } from "./call-tool.mjs";
import { ${tool.function} } from "./generated/${tool.module}.js";
await callTool({ ${tool.function} });
`;
  writeFileSync(join(where, `${tool.function}.js`), main);
  const args = [`${tool.function}.js`, tool.function, JSON.stringify(tool.parameters)];
  const env = { PATH: process.env["PATH"], ...tool.env() };
  const { stdout } = await run(process.execPath, args, { cwd: where, env });
  return JSON.parse(stdout);
}

onEachKind((tool) => {
  const kind = tool.module.startsWith("events/")
    ? "queue"
    : tool.function === "findProducts"
      ? "sql"
      : "http";

  test("a call works with what an application installs for it", async () => {
    expect(await callIn(await application(kind), tool)).toMatchObject(tool.answer);
  }, 120_000);
});

test("a call whose driver is not installed names the package", async () => {
  const where = await application("http");
  const main = `import { tellRedis } from "./generated/events/tell-redis.js";
await tellRedis({ id: "a" }).catch(({ code, message }) => console.log(code, message));
`;
  writeFileSync(join(where, "missing.js"), main);
  const env = { PATH: process.env["PATH"], REDIS_URL: "redis://127.0.0.1:1" };
  const { stdout } = await run(process.execPath, ["missing.js"], { cwd: where, env });
  expect(stdout).toContain("POLICY.DENY_TOOL");
  expect(stdout).toContain("npm install ioredis");
}, 120_000);

test.each([
  ["http", 10, 8],
  ["sql", 40, 20],
] as const)(
  "an application of %s installs at most %i packages and %i MB",
  async (name, mostPackages, mostMegabytes) => {
    const modules = join(await application(name), "node_modules");
    const packages = packagesIn(modules);
    expect(packages.length).toBeLessThanOrEqual(mostPackages);
    expect(sizeOf(modules) / 2 ** 20).toBeLessThan(mostMegabytes);
  },
  120_000,
);

function packagesIn(modules: string): readonly string[] {
  return readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@")
        ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`)
        : [name],
    );
}

function sizeOf(path: string): number {
  const entries = readdirSync(path, { withFileTypes: true, recursive: true });
  const files = entries.filter((each) => each.isFile());
  return files.reduce(
    (sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size,
    0,
  );
}
