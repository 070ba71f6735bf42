import { describe, expect, test } from "vitest";
import { diagnose } from "../../../compiler/whole/compile-untyped.js";
import { compileFiles, linesOf } from "../../../support/compile.js";

const skill = (name: string) =>
  `---\nname: ${name}\ndescription: Asks.\nlicense: MIT\ntools_schema:\n  ask:\n    description: Asks.\n    binding: { type: sql, connection: "\${DB}", query: SELECT 1 AS one }\n---\n`;

async function linesFor(databases: string, more: Readonly<Record<string, string>> = {}) {
  const files = {
    "skillc.yaml": databases,
    "db/1.sql": "CREATE TABLE a (id int);\n",
    "db/2.down.sql": "DROP TABLE a;\n",
    "skills/asker/SKILL.md": skill("asker"),
    ...more,
  };
  const lines = linesOf(await diagnose(files), files);
  return lines.filter((line) => !line.includes("skill/not-portable"));
}

describe("databases of skillc.yaml", () => {
  test.each([
    ["DB: db/1.sql", "2:7", "a database must be a mapping"],
    ["DB:", "2:3", "a database must be a mapping"],
    ["DB: {}", "2:3", "`DB` has no schema"],
    ["DB: { introspect: false }", "2:3", "`DB` has no schema"],
    ["DB: { snapshot: db/1.sql, schema: db/1.sql }", "2:19", "`DB` has more than one schema"],
    [
      "DB: { snapshot: 'db/*.sql' }",
      "2:19",
      "`db/*.sql` is not the path of a .sql file in the project",
    ],
    [
      "DB: { snapshot: ../1.sql }",
      "2:19",
      "`../1.sql` is not the path of a .sql file in the project",
    ],
    ["DB: { introspect: true, schema: [db/1.sql] }", "2:21", "`DB` has more than one schema"],
    ["DB: { schema: 3 }", "2:17", "`schema` must be text or a list, not a whole number"],
    ["DB: { shema: [db/1.sql] }", "2:9", "`shema` is not a key of the database `DB`"],
  ])("rejects %s with the reason", async (database, place, message) => {
    const [line, ...others] = await linesFor(`databases:\n  ${database}\n`);
    expect(line).toBe(`skillc.yaml:${place} error sql/bad-database: ${message}`);
    expect(others).toEqual([]);
  });

  test("requires schema files that exist, and rejects migrations that undo", async () => {
    expect(
      await linesFor("databases:\n  DB: { schema: [db/*.sql, db/2.down.sql, 'no/*.sql'] }\n"),
    ).toEqual([
      "skillc.yaml:2:28 error sql/no-schema-files: no file matches `db/2.down.sql`",
      "skillc.yaml:2:43 error sql/no-schema-files: no file matches `no/*.sql`",
    ]);
    expect(await linesFor('databases:\n  DB: { schema: "db/*.sql" }\n')).toEqual([]);
  });

  test("suggests the known databases for an unknown connection", async () => {
    const { diagnostics } = await diagnose({
      "skillc.yaml": "databases:\n  SHOP_URL: { schema: db/1.sql }\n",
      "db/1.sql": "CREATE TABLE a (id int);\n",
      "skills/asker/SKILL.md": skill("asker"),
    });
    const found = diagnostics.find(({ code }) => code === "sql/unknown-database");
    expect(found?.help).toBe(
      "use one of its databases (`SHOP_URL`), or add it there: `databases: { DB: { schema: [db/schema.sql] } }`; to save the schema of a server in a file, run `skillc db pull`",
    );
  });

  test("reports a listed function that does not exist", async () => {
    const files = {
      "db/1.sql":
        "CREATE TABLE a (id int); CREATE FUNCTION counted() RETURNS bigint STABLE LANGUAGE sql AS 'SELECT count(*) FROM a';\n",
    };
    const listing = (names: string) =>
      linesFor(`databases:\n  DB: { schema: db/1.sql, harmless_functions: [${names}] }\n`, files);
    expect(await listing("counted, public.counted")).toEqual([]);
    expect(await listing("counted, count_a, other.counted")).toEqual([
      "skillc.yaml:2:57 error sql/unknown-function: the schema of `DB` has no function `count_a`",
      "skillc.yaml:2:66 error sql/unknown-function: the schema of `DB` has no function `other.counted`",
    ]);
  });

  test("reports two databases that would share a module", async () => {
    const databases = "databases:\n  DB: { schema: db/1.sql }\n  db: { schema: db/1.sql }\n";
    expect(await linesFor(databases)).toEqual([
      "skillc.yaml:3:3 error sql/same-module: two databases would be written to the same module `databases/db`",
    ]);
  });

  test("reports an introspected database without a server", async () => {
    expect(await linesFor("databases:\n  DB: { introspect: true }\n")).toEqual([
      "skillc.yaml:2:3 error sql/no-server: `DB` is not set, so skillc knows no server to ask for the schema; 1 tool needs it: `ask`",
    ]);
  });

  test("counts the waiting tools of all skills, even if they have the same name", async () => {
    const more = { "skills/other/SKILL.md": skill("other") };
    expect(await linesFor("databases:\n  DB: { introspect: true }\n", more)).toEqual([
      "skillc.yaml:2:3 error sql/no-server: `DB` is not set, so skillc knows no server to ask for the schema; 2 tools need it: `ask` and `ask`",
    ]);
  });

  test("reports a database that skillc.yaml does not name exactly", async () => {
    expect(await linesFor("databases:\n  DB_URL: { schema: db/1.sql }\n")).toEqual([
      "skills/asker/SKILL.md:8:39 error sql/unknown-database: skillc.yaml does not name the database `DB`; 1 tool needs it: `ask`",
    ]);
  });
});

test("a skill can't have the name of the folder of tables", async () => {
  const files = {
    "skillc.yaml": "databases:\n  DB: { schema: db/1.sql }\n",
    "db/1.sql": "CREATE TABLE a (id int);\n",
    "skills/databases/SKILL.md": skill("databases"),
  };
  const compilation = await compileFiles(files);
  expect(linesOf(compilation, files).filter((line) => line.includes("error"))).toEqual([
    "skills/databases/SKILL.md:2:7 error name/reserved: the folder `databases` must stay free for `databases/db.ts`",
  ]);
  expect(compilation.files).toEqual([]);
});

test("schema files are read once for all statements, and an error in them is reported once", async () => {
  const other = {
    "skills/other/SKILL.md": skill("other"),
    "db/1.sql": "CREATE TABLE a (id in);\n",
  };
  const lines = await linesFor("databases:\n  DB: { schema: db/1.sql }\n", other);
  expect(lines).toEqual([
    'db/1.sql:1:20 error sql/schema-does-not-load: syntax error at or near "in" (SQLSTATE 42601)',
  ]);
});
