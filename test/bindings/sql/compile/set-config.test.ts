/** `set_config:` of skillc.yaml, on its way into the modules of SQL tools. */
import { expect, test } from "vitest";
import type { CompileCache } from "../../../../src/compiler/compile-cache.js";
import { compileFiles } from "../../../support/compile.js";

const skill = (tools: string) =>
  `---\nname: shop\ndescription: Asks.\nlicense: MIT\ntools_schema:\n${tools}---\n`;

const readOrders = `  list-orders:
    description: Lists orders.
    binding: { type: sql, connection: "\${DB}", query: SELECT id FROM orders }
`;

interface Project {
  readonly settings?: string;
  readonly tools?: string;
  readonly cache?: CompileCache;
}

const project = ({ settings = "", tools = readOrders }: Project) => ({
  "skillc.yaml": `databases:\n  DB: { schema: db.sql }\n${settings}`,
  "db.sql": "CREATE TABLE orders (id int NOT NULL, tenant text NOT NULL);\n",
  "skills/shop/SKILL.md": skill(tools),
});

async function compiled({ cache, ...rest }: Project) {
  const { diagnostics, files: output } = await compileFiles(project(rest), cache && { cache });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors).toEqual([]);
  const module = output.find(({ path }) => path === "shop/list-orders.ts")?.text ?? "";
  const [, caller] = /^ {2}caller: (.*),$/m.exec(module) ?? [];
  const [, made] = /^ {4}setConfig: (.*),$/m.exec(module) ?? [];
  const [, effect] = /^ {2}effect: "(\w+)",$/m.exec(module) ?? [];
  const [, version] = /binding: "(.*)"/.exec(module) ?? [];
  return { caller, made, effect, version };
}

const ofTenant = 'set_config: { app.tenant: "{caller.tenant}" }\n';

test("a project without `set_config` has modules without it", async () => {
  expect(await compiled({})).toMatchObject({ caller: undefined, made: undefined });
  expect(await compiled({ settings: "set_config: {}\n" })).toMatchObject({
    caller: undefined,
    made: undefined,
  });
  expect(await compiled({ settings: "set_config:\n" })).toMatchObject({ made: undefined });
});

test("every SQL tool sets the settings, and requires the caller fields that they use", async () => {
  expect(await compiled({ settings: ofTenant })).toMatchObject({
    caller: '["tenant"]',
    made: '[["app.tenant", { caller: "tenant" }]]',
    effect: "read",
  });
});

test("caller fields of settings and of the statement are merged without duplicates", async () => {
  const tools = readOrders
    .replace("FROM orders", "FROM orders WHERE tenant = :of AND tenant <> :by")
    .replace(" }", ', parameter_mapping: { of: "{caller.tenant}", by: "{caller.origin}" } }');
  const settings = `${ofTenant.replace(" }", ', app.by: "{caller.subject}" }')}`;
  expect(await compiled({ settings, tools })).toMatchObject({
    caller: '["tenant", "subject", "origin"]',
  });
});

test("a setting of constant text needs no caller", async () => {
  const settings = "set_config: { app.source: skillc, app.braces: '{{$}}' }\n";
  expect(await compiled({ settings })).toMatchObject({ caller: undefined });
});

test("a statement that reads a setting of `set_config` is a read", async () => {
  const tools = readOrders.replace(
    "FROM orders",
    "FROM orders WHERE tenant = current_setting('app.tenant')",
  );
  expect(await compiled({ settings: ofTenant, tools })).toMatchObject({ effect: "read" });
});

test("a statement may need a setting of `set_config` to be planned, and no other setting", async () => {
  const asking = (name: string) =>
    readOrders.replace("FROM orders", `FROM orders WHERE tenant = current_setting('${name}')`);
  const { diagnostics } = await compileFiles(
    project({ settings: ofTenant, tools: asking("app.tenent") }),
  );
  expect(diagnostics.map(({ code }) => code)).toContain("sql/refused");
  await compiled({ settings: ofTenant, tools: asking("App.Tenant") });
});

test("a cached tool is compiled again if the settings change", async () => {
  const kept = new Map<string, string>();
  const cache: CompileCache = {
    get: (key) => kept.get(key),
    set: (key, value) => void kept.set(key, value),
  };
  const first = await compiled({ settings: ofTenant, cache });
  const second = await compiled({ settings: ofTenant.replace("tenant}", "subject}"), cache });
  const third = await compiled({ cache });
  expect([first, second, third].map(({ caller }) => caller)).toEqual([
    '["tenant"]',
    '["subject"]',
    undefined,
  ]);
  expect(new Set([first.version, second.version, third.version]).size).toBe(3);
});
