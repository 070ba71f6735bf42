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

/** The table, with a policy of this condition. */
const withPolicy = (condition: string) =>
  `CREATE TABLE orders (id int NOT NULL, tenant text NOT NULL);
ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON orders USING (${condition});
`;
const byTenant = withPolicy("tenant = current_setting('app.tenant')");

async function warned(settings: string, schema: string) {
  const files = { ...project({ settings }), "db.sql": schema };
  const { diagnostics } = await compileFiles(files);
  const ours = diagnostics.filter(({ span }) => span.file === "skillc.yaml");
  return ours.map(({ code, help, message, span }) => {
    const text = files["skillc.yaml"].slice(span.start, span.end);
    return `${code} at ${text}: ${message} (${help})`;
  });
}

test.each([byTenant, withPolicy("tenant = current_setting ( 'App.Tenant'::text, true )")])(
  "a key that no policy reads, and that resembles one that they read, causes a warning: %s",
  async (schema) => {
    const keys = 'set_config: { app.tenent: "{caller.tenant}", app.by: "{caller.subject}" }\n';
    expect(await warned(keys, schema)).toEqual([
      "sql/unread-setting at app.tenent: the schema reads `app.tenant`, but not `app.tenent` (did you mean `app.tenant`?)",
    ]);
  },
);

test("a read in the quoted text of a function counts", async () => {
  const read = `CREATE FUNCTION tenant() RETURNS text STABLE LANGUAGE sql AS 'SELECT current_setting(''app.tenant'')';\n`;
  const schema = `${read}${withPolicy("tenant = tenant()")}`;
  expect(await warned('set_config: { app.tenants: "{caller.tenant}" }\n', schema)).toHaveLength(1);
  expect(await warned(ofTenant, schema)).toEqual([]);
});

test.each([
  ["of the same name in other case", 'set_config: { APP.Tenant: "{caller.tenant}" }\n', byTenant],
  [
    "that is read beside the similar one",
    'set_config: { app.tenant: "{caller.tenant}", app.tenants: a }\n',
    byTenant,
  ],
  ["of another word", "set_config: { app.source: skillc }\n", byTenant],
  ["of a schema that reads none", "set_config: { app.tenent: a }\n", withPolicy("tenant = 'a'")],
  [
    "of a schema that computes a name",
    'set_config: { app.tenants: "{caller.tenant}" }\n',
    `${byTenant}CREATE VIEW v AS SELECT current_setting('app.' || 'tenants') AS t;\n`,
  ],
])("a key %s causes no warning", async (_, settings, schema) => {
  expect(await warned(settings, schema)).toEqual([]);
});

test("a field of the caller without braces causes a warning", async () => {
  expect(await warned("set_config: { app.tenant: caller.tenant }\n", byTenant)).toEqual([
    'sql/literal-parameter at caller.tenant: `caller.tenant` is text here, not the caller\'s tenant (write `"{caller.tenant}"`)',
  ]);
  const texts = "set_config: { app.a: the caller.tenant, app.b: caller.team, app.c: tenant }\n";
  expect(await warned(texts, byTenant)).toEqual([]);
});
