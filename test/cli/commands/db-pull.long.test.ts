import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase, type OwnDatabase, postgresService } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";
import { filesIn, makeProject, put, skillc } from "../support/command-line.js";

const path = "db/SHOP_URL.sql";

const tool = (name: string, query: string): string => `  ${name}:
    description: Does ${name}.
    binding:
      type: sql
      connection: \${SHOP_URL}
      query: ${query}
`;

const skill = `---
name: shop
description: Sells.
license: MIT
tools_schema:
${tool("list-things", "SELECT id, name, mood FROM things ORDER BY id")}${tool("cheap-things", "SELECT id FROM cheap")}${tool("count-others", "SELECT count(*) AS n FROM others")}---
Sell.
`;

const SCHEMA = `
  CREATE TYPE mood AS ENUM ('good', 'bad');
  CREATE TABLE things (id int4 PRIMARY KEY, name text NOT NULL UNIQUE, price numeric, mood mood);
  CREATE VIEW cheap AS SELECT id FROM things WHERE price < 5;
  CREATE TABLE others (id int4 PRIMARY KEY);`;

function project(url: string, setting = `snapshot: ${path}`): string {
  return makeProject({
    "skillc.yaml": `databases:\n  SHOP_URL: { ${setting} }\n`,
    "skills/shop/SKILL.md": skill,
    ".env": `SHOP_URL='${url}'\n`,
  });
}

const nobody = "postgres://clerk:hunter2@127.0.0.1:1/shop";

await describeWithService(postgresService, () => {
  let database: OwnDatabase;
  beforeAll(async () => {
    database = await createDatabase(SCHEMA);
  });
  afterAll(() => database.drop());

  test("db pull stores a schema in a file, from which tools compile without a server", async () => {
    const root = project(database.url);
    const without = await skillc(root, ["check"]);
    expect(without.code).toBe(1);
    expect(without.stderr).toContain(
      `error[sql/no-schema-files]: there is no snapshot \`${path}\``,
    );
    const { code, stderr, stdout } = await skillc(root, ["db", "pull"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^✓ db\/SHOP_URL\.sql\n {2}PostgreSQL \d+ · 2 tables, 1 view, 1 enum · written · .*\n {2}next: `skillc generate`\n$/,
    );
    put(root, ".env", `SHOP_URL='${nobody}'\n`);
    expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
    expect(Object.keys(filesIn(root))).toContain("generated/shop/cheap-things.ts");
    expect(await skillc(root, ["generate", "--check"])).toMatchObject({ code: 0 });
  });

  test("db pull --check prints how the server differs, in words and by tool, and writes nothing", async () => {
    const root = project(database.url);
    await skillc(root, ["db", "pull"]);
    const before = filesIn(root);
    expect(await skillc(root, ["db", "pull", "--check"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("up to date"),
    });
    await database.run(`
      ALTER TABLE things ALTER COLUMN price SET NOT NULL, DROP CONSTRAINT things_name_key, ADD COLUMN note text;
      ALTER TYPE mood ADD VALUE 'odd'; DROP TABLE others; CREATE TABLE "new
-- table public.things" (id int4);`);
    const { code, stdout } = await skillc(root, ["db", "pull", "--check", "--json"]);
    expect(code).toBe(1);
    const { changed, databases } = JSON.parse(stdout) as {
      changed: readonly string[];
      databases: readonly { changes: unknown }[];
    };
    expect(changed).toEqual([path]);
    const users = ["shop/list-things", "shop/cheap-things"];
    expect(databases[0]?.changes).toEqual([
      { what: "table public.others was removed", tools: ["shop/count-others"] },
      { what: "enum public.mood: the label odd is new", tools: ["shop/list-things"] },
      { what: 'table public."new\\u{a}-- table public.things" is new', tools: [] },
      {
        what: "table public.things: the column price is `price numeric NOT NULL`; it was `price numeric`",
        tools: ["shop/cheap-things"],
      },
      { what: "table public.things: the constraint things_name_key was removed", tools: users },
      { what: "table public.things: the column note is new", tools: [] },
    ]);
    const shown = await skillc(root, ["db", "pull", "--check"]);
    expect(shown).toMatchObject({ code: 1, stderr: "" });
    expect(shown.stdout).toContain("✗ db/SHOP_URL.sql\n");
    expect(shown.stdout).toContain(
      "  table public.others was removed; used by shop/count-others\n",
    );
    expect(shown.stdout).toContain("  run `skillc db pull`, then `skillc generate`\n");
    expect(filesIn(root)).toEqual(before);
    expect(await skillc(root, ["db", "pull"])).toMatchObject({ code: 0 });
    expect(await skillc(root, ["db", "pull", "--check"])).toMatchObject({ code: 0 });
    expect((await skillc(root, ["check"])).stderr).toContain('relation "others" does not exist');
  });

  test("db pull prints the line for skillc.yaml if its database is read from the server in each run", async () => {
    const root = project(database.url, "introspect: true");
    const { code, stdout } = await skillc(root, ["db", "pull", "SHOP_URL"]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `to use it, write into skillc.yaml: SHOP_URL: { snapshot: ${path} }\n`,
    );
    expect(Object.keys(filesIn(root))).toContain(path);
  });

  test("db pull replaces no file of somebody's own, and follows no link", async () => {
    const root = project(database.url);
    put(root, path, "CREATE TABLE mine (id int);\n");
    const refused = await skillc(root, ["db", "pull"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      `\`${path}\` exists already, and \`skillc db pull\` did not write it`,
    );
    expect(filesIn(root)[path]).toBe("CREATE TABLE mine (id int);\n");
    const elsewhere = makeProject();
    const linked = makeProject({
      "skillc.yaml": `databases:\n  SHOP_URL: { snapshot: db/x.sql }\n`,
      ".env": `SHOP_URL=${database.url}\n`,
    });
    mkdirSync(join(linked, "skills"));
    symlinkSync(elsewhere, join(linked, "db"));
    const led = await skillc(linked, ["db", "pull"]);
    expect(led.code).toBe(1);
    expect(led.stderr).toContain("`db` is a link, but must be a folder");
    expect(filesIn(elsewhere)).toEqual({});
  });
});

describe("db pull without a server", () => {
  test("reports the reason in one message without a password, and leaves the file unchanged", async () => {
    const root = project(nobody);
    const { code, stdout, stderr } = await skillc(root, ["db", "pull"]);
    expect(code).toBe(1);
    expect(stderr.match(/^error/gm)).toEqual(["error"]);
    expect(stderr).toContain(
      "error[sql/no-server]: can't read the schema from the server of `SHOP_URL`: connect ECONNREFUSED",
    );
    expect(stdout + stderr).not.toContain("hunter2");
    expect(Object.keys(filesIn(root))).not.toContain(path);
  });

  test("rejects a name that skillc.yaml doesn't have, or a skillc.yaml without a snapshot, as wrong usage", async () => {
    const unknown = await skillc(project(nobody), ["db", "pull", "SHOP"]);
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toContain("skillc.yaml does not name the database `SHOP`");
    const none = await skillc(project(nobody, "schema: db/x.sql"), ["db", "pull"]);
    expect(none).toMatchObject({ code: 2 });
    expect(none.stderr).toContain(
      "`databases: { WAREHOUSE_URL: { snapshot: db/WAREHOUSE_URL.sql } }`",
    );
  });
});
