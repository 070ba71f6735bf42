import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { makeProject, skillc } from "../../cli/support/command-line.js";
import { postgresService } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";
import { importTables, shopWith } from "./support.js";

describe("an invalid import of a database", () => {
  test.each([
    [["postgres://ada:s3cr3t@db/shop"], 2, "skillc does not import a URL"],
    [["SHOP URL"], 2, "not the name of a setting"],
    [["SHOP_URL"], 1, "`SHOP_URL` is not set"],
    [["SHOP_URL", "--by", "day"], 2, "an import can't group tables by `day`"],
    [["SHOP_URL", "--skill", "No Name"], 2, "is not a valid name for a skill"],
    [["SHOP_URL", "--into", "../elsewhere"], 2, "is not a folder below"],
    [[], 2, "no database was imported into `skills` yet"],
  ])("causes one error message: %j", async (argv, code, message) => {
    const ran = await skillc(makeProject(), ["import", "database", ...argv]);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(message);
    expect(ran.stdout + ran.stderr).not.toContain("s3cr3t");
  });

  test("a server that is not there, without the password of its URL", async () => {
    const root = makeProject({ ".env": "SHOP_URL=postgres://ada:s3cr3t@127.0.0.1:1/shop\n" });
    const { code, stderr, stdout } = await skillc(root, ["import", "database", "SHOP_URL"]);
    expect(code).toBe(1);
    expect(stderr).toContain("can't read the schema from the server of `SHOP_URL`");
    expect(stdout + stderr).not.toContain("s3cr3t");
  });

  test("a schema file that doesn't load, at its place", async () => {
    const root = makeProject({
      "skillc.yaml": "databases: { SHOP_URL: { schema: [db/schema.sql] } }\n",
      "db/schema.sql": "CREATE TABLE orders (id nothing);\n",
    });
    const { code, files, told } = await importTables(root, "SHOP_URL");
    expect([code, files]).toEqual([1, {}]);
    expect(told.map((each) => [each.code, each.file, each.line])).toEqual([
      ["sql/schema-does-not-load", "db/schema.sql", 1],
    ]);
  });
});

await describeWithService(postgresService, () => {
  test("the import writes a column whose name suggests a secret, never reads or filters by it, and reports it", async () => {
    const { root } = await shopWith(
      "CREATE TABLE users (id integer PRIMARY KEY, name text, password_hash text, token_count integer); CREATE TABLE sessions (token text PRIMARY KEY, at date)",
    );
    const { files, report } = await importTables(root, "SHOP_URL");
    const { tools_schema: tools } = parse(files["skills/shop/metadata.yaml"] ?? "");
    expect(Object.keys(tools["list-users"].parameters.properties)).not.toContain("password_hash");
    expect(tools["list-users"].binding.query).toContain("SELECT id, name, token_count\n");
    expect(tools["get-user"].binding.query).not.toContain("password_hash");
    expect(tools["update-user"].parameters.properties.password_hash).toEqual({
      "x-sensitive": true,
    });
    expect(tools["get-session"].parameters.properties).toEqual({ token: { "x-sensitive": true } });
    expect(report.tables.map(({ name, notes }) => [name, notes])).toEqual([
      ["sessions", []],
      [
        "users",
        [
          "tools write but never read `password_hash`: a column with such a name usually holds a secret",
        ],
      ],
    ]);
  });

  test("two tables that would be called alike keep names apart, each time the same", async () => {
    const { database, root } = await shopWith(
      'CREATE TABLE orders (id integer PRIMARY KEY); CREATE SCHEMA "Orders!"; CREATE TABLE "Orders!".x (id integer PRIMARY KEY)',
    );
    await importTables(root, "SHOP_URL", "--skill", "shop");
    await database.run('CREATE TABLE "Order" (id integer PRIMARY KEY)');
    const { report } = await importTables(root);
    const names = report.tables.flatMap(({ tools }) => tools);
    expect(new Set(names).size).toBe(names.length);
    expect(report.tables.find(({ name }) => name === "orders")?.tools).toContain("get-order");
    expect((await importTables(root, "--check")).code).toBe(0);
  });

  test("a pattern without a matching table causes an error, and nothing is written", async () => {
    const { root } = await shopWith("CREATE TABLE orders (id integer PRIMARY KEY)");
    const ran = await skillc(root, [
      "import",
      "database",
      "SHOP_URL",
      "--tables",
      "order?",
      "bill*",
    ]);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringContaining("`bill*` names no table of the database"),
    ]);
    const { files, report } = await importTables(root, "SHOP_URL", "--list");
    expect([files, report.tables.map(({ name }) => name)]).toEqual([{}, ["orders"]]);
  });
});
