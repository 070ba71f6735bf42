import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { filesIn, makeProject, put, type RunOptions, skillc } from "../cli/support/command-line.js";
import {
  createDatabase,
  type OwnDatabase,
  postgresService,
  serverProxy,
} from "../support/postgres.js";
import { describeWithService } from "../support/service.js";

const packageRoot = fileURLToPath(new URL("../..", import.meta.url));
const ownText = (path: string): string => readFileSync(`${packageRoot}/${path}`, "utf8");

const warehouseSchema = ownText("examples/warehouse/schema.sql");
const skillPath = "skills/shop/SKILL.md";

interface Tool {
  readonly parameters?: string;
  readonly more?: string;
  readonly query: string;
}

/** A skill whose tools each have their statement on a line of its own. */
function shop(tools: Readonly<Record<string, Tool>>): string {
  const lines = Object.entries(tools).flatMap(([name, { parameters, more, query }]) => [
    `  ${name}:`,
    `    description: Does ${name}.`,
    ...(parameters === undefined ? [] : [`    ${parameters}`]),
    ...(more === undefined ? [] : [`    risk_level: high`]),
    "    binding:",
    "      type: sql",
    "      connection: ${SHOP_URL}",
    "      query: |",
    `        ${query}`,
    ...(more === undefined ? [] : [`      ${more}`]),
  ]);
  return `---\nname: shop\ndescription: Sells.\nlicense: MIT\ntools:\n${lines.join("\n")}\n---\nSell.\n`;
}

function shopProject(url: string | undefined, tools: Readonly<Record<string, Tool>>): string {
  return makeProject({
    "skillc.yaml": "databases:\n  SHOP_URL: { introspect: true }\n",
    [skillPath]: shop(tools),
    ...(url !== undefined && { ".env": `SHOP_URL='${url}'\n` }),
  });
}

const things = "CREATE TABLE things (id int4 PRIMARY KEY, name text NOT NULL UNIQUE, note text);";
const listThings: Tool = { query: "SELECT id, name, note FROM things ORDER BY id" };
const addThing: Tool = {
  parameters: "name: string",
  more: "read_only: false",
  query: "INSERT INTO things (id, name) VALUES (1, :name) ON CONFLICT (name) DO NOTHING",
};

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly file: string;
  readonly message: string;
  readonly help: string | null;
  readonly tool: string | null;
}

/** What a command finds, and all that it printed. */
async function diagnosticsOf(root: string, ...argv: readonly string[]) {
  const { code, stdout, stderr } = await skillc(root, [...argv, "--json"]);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Found[] };
  const found = diagnostics.filter(({ code: of }) => of !== "skill/not-portable");
  return { code, diagnostics: found, printed: stdout + stderr };
}

async function errorsOf(root: string, ...argv: readonly string[]): Promise<readonly Found[]> {
  const { diagnostics } = await diagnosticsOf(root, ...argv);
  return diagnostics.filter(({ severity }) => severity === "error");
}

const generatedIn = (root: string) =>
  Object.fromEntries(
    Object.entries(filesIn(root)).filter(([path]) => path.startsWith("generated/")),
  );

await describeWithService(postgresService, () => {
  let database: OwnDatabase;
  let major: number;
  beforeAll(async () => {
    database = await createDatabase(warehouseSchema);
    const [row] = await database.run("SHOW server_version_num");
    major = Math.floor(Number(row?.["server_version_num"]) / 10_000);
  });
  afterAll(() => database.drop());

  /** One more database, for a test that changes it. */
  async function ownDatabase(schema: string): Promise<OwnDatabase> {
    const own = await createDatabase(schema);
    onTestFinished(() => own.drop());
    return own;
  }

  /** A role that may do no more than that, dropped before its database is. */
  async function roleOn(own: OwnDatabase, name: string, rights: string): Promise<string> {
    const role = `skillc_${name}_${process.pid}`;
    await own.run(`CREATE ROLE ${role} LOGIN`);
    onTestFinished(async () => void (await own.run(`DROP OWNED BY ${role}; DROP ROLE ${role}`)));
    await own.run(rights.replaceAll("ROLE_NAME", role));
    return own.urlAs(role);
  }

  test("generates the same modules as schema files, and leaves the server unchanged", async () => {
    const root = makeProject({
      "skillc.yaml": "databases:\n  WAREHOUSE_URL: { introspect: true }\n",
      ".env": `WAREHOUSE_URL=${database.url}\n`,
      "skills/warehouse/SKILL.md": ownText("skills/warehouse/SKILL.md"),
      "skills/warehouse/metadata.yaml": ownText("skills/warehouse/metadata.yaml"),
      ".prettierrc.json": ownText(".prettierrc.json"),
    });
    const before = await systemCatalogs(database);
    for (const argv of [["db", "types"], ["generate"], ["check"], ["generate", "--check"]])
      expect((await diagnosticsOf(root, ...argv)).code).toBe(0);
    expect(await systemCatalogs(database)).toEqual(before);
    const made = Object.entries(filesIn(root)).filter(([path]) =>
      /^generated\/(?:warehouse|databases)\//.test(path),
    );
    expect(made.length).toBeGreaterThan(30);
    // The repository's own are made from schema files.
    for (const [path, text] of made) expect([path, text]).toEqual([path, ownText(path)]);
  });

  test("reads the URL from .env or `secrets:`, and names all three places if it is missing", async () => {
    const own = await ownDatabase(things);
    const root = shopProject(undefined, { "list-things": listThings });
    const config = "databases:\n  SHOP_URL: { introspect: true }\n";
    const [error, ...others] = await errorsOf(root, "generate");
    expect(others).toEqual([]);
    expect(error).toMatchObject({ code: "sql/no-server", file: "skillc.yaml" });
    expect(error?.help).toContain(
      "set it in the environment, in .env or, for local development, under `secrets:` in skillc.yaml",
    );
    expect(generatedIn(root)).toEqual({});
    put(root, "skillc.yaml", `${config}secrets:\n  SHOP_URL: ${own.url}\n`);
    put(root, ".gitignore", "skillc.yaml\n");
    expect(await errorsOf(root, "generate")).toEqual([]);
    put(root, "skillc.yaml", config);
    put(root, ".env", `SHOP_URL=${own.url}\n`);
    expect(await errorsOf(root, "generate", "--check")).toEqual([]);
  });

  test("compiles nothing if nothing changed, and notices a migration", async () => {
    const own = await ownDatabase(things);
    const root = shopProject(own.url, {
      "list-things": listThings,
      "count-notes": { query: "SELECT t.name, count(*) AS n FROM things t GROUP BY t.id" },
    });
    expect((await skillc(root, ["generate"])).stdout).not.toContain("from the cache");
    const before = generatedIn(root);
    expect((await skillc(root, ["generate"])).stdout).toContain("1 skill from the cache");
    expect(generatedIn(root)).toEqual(before);

    await own.run("ALTER TABLE things ALTER COLUMN note SET NOT NULL");
    expect((await diagnosticsOf(root, "generate", "--check")).code).toBe(1);
    expect(await errorsOf(root, "generate")).toEqual([]);
    expect(generatedIn(root)["generated/shop/list-things.ts"]).not.toBe(
      before["generated/shop/list-things.ts"],
    );

    await own.run("ALTER TABLE things RENAME COLUMN note TO remark");
    const [renamed] = await errorsOf(root, "generate");
    expect(renamed).toMatchObject({
      code: "sql/refused",
      file: skillPath,
      tool: "list-things",
      line: 12,
      column: 26,
    });
    await own.run("ALTER TABLE things RENAME COLUMN remark TO note");
    expect(await errorsOf(root, "generate")).toEqual([]);

    // No column changes, but what the statement may say.
    await own.run("ALTER TABLE things DROP CONSTRAINT things_pkey");
    expect(await errorsOf(root, "generate")).toMatchObject([
      { code: "sql/refused", tool: "count-notes" },
    ]);
  });

  test("finds errors that only the planner of PostgreSQL 16 sees, also after an index was dropped", async ({
    skip,
  }) => {
    skip(major < 16, "EXPLAIN (GENERIC_PLAN) came with PostgreSQL 16");
    const own = await ownDatabase(things);
    const root = shopProject(own.url, { "add-thing": addThing });
    expect(await errorsOf(root, "generate")).toEqual([]);
    await own.run("ALTER TABLE things DROP CONSTRAINT things_name_key");
    expect(await errorsOf(root, "generate")).toMatchObject([
      { code: "sql/refused", tool: "add-thing", line: 14, column: 57 },
    ]);
    await own.run("CREATE UNIQUE INDEX ON things (name)");
    expect(await errorsOf(root, "generate")).toEqual([]);
    await own.run("DROP INDEX things_name_idx; CREATE UNIQUE INDEX ON things (name) WHERE id > 1");
    expect(await errorsOf(root, "generate")).toHaveLength(1);
  });

  test("`db types` follows a migration", async () => {
    const own = await ownDatabase(things);
    const root = shopProject(own.url, { "list-things": listThings });
    const path = "generated/databases/shop-url.ts";
    expect(await diagnosticsOf(root, "db", "types", "--check")).toMatchObject({
      code: 1,
      diagnostics: [path, "generated/versions.ts"].map((file) => ({
        code: "output/out-of-date",
        file,
      })),
    });
    expect(await skillc(root, ["db", "types"])).toMatchObject({ code: 0, stderr: "" });
    const before = filesIn(root)[path];
    expect(await diagnosticsOf(root, "db", "types", "--check")).toMatchObject({ code: 0 });
    await own.run("ALTER TABLE things ADD COLUMN weight numeric");
    expect(await diagnosticsOf(root, "db", "types", "--check")).toMatchObject({ code: 1 });
    expect(filesIn(root)[path]).toBe(before);
    expect(await diagnosticsOf(root, "db", "types")).toMatchObject({ code: 0, diagnostics: [] });
    expect(filesIn(root)[path]).toMatch(/^ {4}weight: .+ \| null;$/m);
  });

  test("`generate --watch` reads the server again with each edit, and outlives it", async () => {
    const own = await createDatabase(things);
    const root = shopProject(own.url, { "list-things": listThings });
    const stop = new AbortController();
    const edit = (text: string) =>
      put(root, skillPath, `${shop({ "list-things": listThings })}${text}`);
    const rounds = [
      () => own.run("ALTER TABLE things DROP COLUMN note").then(() => edit("One.\n")),
      () => own.drop().then(() => edit("Two.\n")),
      () => stop.abort(),
    ];
    let ready = 0;
    const onOutput: RunOptions["onOutput"] = (text) => {
      if (text.split("watching for changes").length - 1 === ready) return;
      ready += 1;
      void rounds[ready - 1]?.();
    };
    const argv = ["generate", "--watch"];
    const { stderr } = await skillc(root, argv, { signal: stop.signal, onOutput });
    expect(stderr).toMatch(/column "note" does not exist[^]*database "skillc_\w+" does not exist/);
  });

  test("accepts a role that may only read, for writes too", async () => {
    const own = await ownDatabase(things);
    const rights = "GRANT SELECT ON things TO ROLE_NAME";
    const url = await roleOn(own, "reader", rights);
    const tools = { "list-things": listThings, "add-thing": addThing };
    expect(await errorsOf(shopProject(url, tools), "generate")).toEqual([]);
    // Who asks need not be who runs it.
    await own.run("REVOKE ALL ON things FROM PUBLIC");
    await own.run(
      rights.replace("GRANT", "REVOKE").replace("TO ROLE_NAME", `FROM ${new URL(url).username}`),
    );
    expect(await errorsOf(shopProject(url, tools), "generate")).toEqual([]);
  });

  test("reports a schema that the role may not use at the statement", async () => {
    const own = await ownDatabase("CREATE SCHEMA hidden; CREATE TABLE hidden.things (id int)");
    const url = await roleOn(own, "stranger", "SELECT 1");
    const root = shopProject(url, { "list-hidden": { query: "SELECT id FROM hidden.things" } });
    expect(await errorsOf(root, "generate")).toMatchObject([
      {
        code: "sql/refused",
        tool: "list-hidden",
        message: "permission denied for schema hidden (SQLSTATE 42501)",
        help: "the role of the connection needs `GRANT USAGE ON SCHEMA hidden`",
      },
    ]);
    await own.run(`GRANT USAGE ON SCHEMA hidden TO ${new URL(url).username}`);
    expect(await errorsOf(root, "generate")).toEqual([]);
  });

  test("resolves names as the role does, and other schemas by their names", async () => {
    const own = await ownDatabase(
      "CREATE SCHEMA sales; CREATE TABLE things (id int4 NOT NULL); CREATE TABLE sales.things (code text NOT NULL);" +
        "CREATE TYPE sales.size AS ENUM ('small', 'large'); CREATE TABLE sales.boxes (size sales.size NOT NULL)",
    );
    const url = await roleOn(
      own,
      "seller",
      "GRANT USAGE ON SCHEMA sales TO ROLE_NAME; ALTER ROLE ROLE_NAME SET search_path = sales, public",
    );
    const root = shopProject(url, {
      "own-things": { query: "SELECT code FROM things" },
      "public-things": { query: "SELECT id FROM public.things" },
      "boxes-of": {
        parameters: "size: { type: string, enum: [small] }",
        query: "SELECT size FROM boxes WHERE size = :size",
      },
    });
    expect(await errorsOf(root, "generate")).toEqual([]);
    expect(filesIn(root)["generated/shop/own-things.ts"]).toContain(
      'searchPath: ["sales", "public"]',
    );
    const types = filesIn(root)["generated/databases/shop-url.ts"] ?? "";
    expect(types).toMatch(/^ {2}things: \{\n {4}code: /m);
    expect(types).toMatch(/"public\.things": \{\n {4}id: /);
    put(root, ".env", `SHOP_URL=${own.url}\n`);
    const errors = await errorsOf(root, "generate");
    expect(errors.map(({ tool }) => tool)).toEqual(["own-things", "boxes-of"]);
  });

  test("knows the extensions of the server", async () => {
    const own = await ownDatabase(
      "CREATE SCHEMA tools; CREATE EXTENSION citext SCHEMA tools; CREATE EXTENSION pg_trgm; CREATE TABLE mails (address tools.citext NOT NULL)",
    );
    const root = shopProject(own.url, {
      "mails-like": {
        parameters: "address: string",
        query:
          "SELECT address, similarity(address::text, :address) AS near FROM mails ORDER BY near",
      },
      "mail-of": {
        parameters: "address: string",
        query: "SELECT address FROM mails WHERE address OPERATOR(tools.=) :address::tools.citext",
      },
    });
    const listed = "harmless_functions: [similarity, tools.citext_eq]";
    put(root, "skillc.yaml", `databases:\n  SHOP_URL: { introspect: true, ${listed} }\n`);
    expect(await errorsOf(root, "generate")).toEqual([]);
  });

  test("fails if the server closes the connection halfway, and lists the unchecked tools", async () => {
    const own = await ownDatabase(things);
    const { url } = await serverProxy(own.url, (sent) => sent.includes('from "things"'));
    const root = shopProject(own.url, { "list-things": listThings });
    expect(await errorsOf(root, "generate")).toEqual([]);
    const before = generatedIn(root);
    put(root, ".env", `SHOP_URL=${url}\n`);
    put(
      root,
      skillPath,
      shop({
        one: { query: "SELECT 1 AS one" },
        "list-things": listThings,
        "more-things": listThings,
        "other-things": listThings,
      }),
    );
    const { code, diagnostics } = await diagnosticsOf(root, "generate");
    expect(code).toBe(1);
    expect(diagnostics).toMatchObject([
      {
        code: "sql/no-server",
        file: "skillc.yaml",
        // `list-things` is as it was when the same schema was asked.
        message: expect.stringMatching(
          /terminated.*; 2 tools need it: `more-things` and `other-things`$/,
        ),
      },
    ]);
    expect(generatedIn(root)).toEqual(before);
  });

  test("fails `check` with the server's reason if the database does not exist", async () => {
    const url = new URL(database.url);
    url.pathname = "/skillc_none";
    const [error] = await errorsOf(shopProject(url.href, { "list-things": listThings }), "check");
    expect(error?.message).toContain('database "skillc_none" does not exist (SQLSTATE 3D000)');
  });
});

describe("a server that can't be reached", () => {
  const tools = { "list-things": listThings, "add-thing": addThing };
  const url = "postgres://clerk:hunter2@127.0.0.1:1/shop";

  test.each([
    [["generate"]],
    [["generate", "--check"]],
    [["check"]],
    [["db", "types"]],
    [["db", "types", "--check"]],
  ])("fails %j with the reason, writes nothing and shows no password", async (argv) => {
    const root = shopProject(url, tools);
    const before = filesIn(root);
    const { code, diagnostics, printed } = await diagnosticsOf(root, ...argv);
    expect(code).toBe(1);
    const [error, ...others] = diagnostics;
    expect(error).toMatchObject({ code: "sql/no-server", severity: "error", file: "skillc.yaml" });
    expect(error?.message).toContain("connect ECONNREFUSED 127.0.0.1:1");
    const waiting = "; 2 tools need it: `list-things` and `add-thing`";
    expect(error?.message.endsWith(waiting)).toBe(argv[0] !== "db");
    expect(error?.help).toContain("`snapshot: db/SHOP_URL.sql`, which `skillc db pull` writes");
    expect(others).toEqual([]);
    const shown = await skillc(root, argv);
    expect(shown.code).toBe(1);
    expect(shown.stderr).toContain("error[sql/no-server]");
    expect(printed + shown.stdout + shown.stderr).not.toContain("hunter2");
    expect(filesIn(root)).toEqual(before);
  });

  test("does not hide errors that the text alone reveals", async () => {
    const root = shopProject(url, {
      "find-thing": { query: "SELECT id FROM things WHERE id = :id" },
    });
    const errors = await errorsOf(root, "generate");
    expect(errors.map(({ code }) => code)).toEqual(["sql/no-server", "sql/unknown-parameter"]);
  });
});

/** For each catalog how many rows it has and who wrote them last; statistics aside, which the server gathers by itself. */
async function systemCatalogs(own: OwnDatabase): Promise<unknown> {
  const names = await own.run(
    "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'pg_catalog'::regnamespace AND NOT relisshared AND relname !~ '^pg_statistic' ORDER BY 1",
  );
  const parts = names.map(
    ({ relname }) =>
      `SELECT '${String(relname)}' AS name, count(*), sum(xmin::text::int8) FROM pg_catalog.${String(relname)}`,
  );
  return own.run(`${parts.join(" UNION ALL ")} ORDER BY 1`);
}
