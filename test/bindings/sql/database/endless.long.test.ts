import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openEmbedded } from "../../../../src/bindings/sql/database/pglite.js";
import { makeProject } from "../../../cli/support/command-line.js";
import { compileUntyped } from "../../../compiler/whole/compile-untyped.js";
import { repository } from "../../../support/repository.js";

/** Limit of CPU time, in milliseconds. Every statement here that ends needs less. */
const statementTimeoutMs = 1000;

const loop = "DO $$ BEGIN LOOP END LOOP; END $$";
const endlessCheck = `
CREATE TABLE notes (id int, body text);
CREATE FUNCTION endless(value int) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN LOOP END LOOP; END';
CREATE DOMAIN stuck AS int CHECK (endless(VALUE));
CREATE TYPE pair AS (a stuck, b int);`;

test.each([
  ["a block that loops", loop],
  [
    "an INSERT whose function loops",
    "INSERT INTO notes VALUES (1, everlasting())",
    "CREATE FUNCTION everlasting() RETURNS text LANGUAGE plpgsql AS 'BEGIN LOOP END LOOP; END';",
  ],
  [
    "a query without an end",
    "CREATE TABLE all_of AS WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT 1 FROM r) SELECT count(*) FROM r",
  ],
  ["a long sleep", "SELECT pg_sleep(1e6)"],
])("stops %s in a schema file, and reports its position", async (_, sql, before = "") => {
  const text = `CREATE TABLE notes (id int, body text);\n${before}\n${sql};\nCREATE TABLE later (id int);`;
  const opened = await openEmbedded([{ path: "db.sql", text }], { statementTimeoutMs });
  const start = text.indexOf(sql);
  expect(opened).toEqual({
    kind: "errors",
    errors: [
      {
        path: "db.sql",
        at: { start, end: start + sql.length },
        code: "57014",
        message: "the statement did not end within 1 s of CPU time",
        help: expect.stringContaining("statement_timeout_ms"),
      },
    ],
  });
});

test("reports an open transaction that fails at the end of a file at the file's last statement", async () => {
  const text = `CREATE TABLE a (id int PRIMARY KEY, other int REFERENCES a DEFERRABLE INITIALLY DEFERRED);
BEGIN;
INSERT INTO a VALUES (1, 2);`;
  const opened = await openEmbedded([{ path: "db.sql", text }]);
  expect(opened).toMatchObject({
    errors: [{ code: "23503", at: { start: text.indexOf("a VALUES") } }],
  });
});

test("stops an endless query, and answers the next one on the same schema", async () => {
  const opened = await openEmbedded([{ path: "db.sql", text: endlessCheck }], {
    statementTimeoutMs,
  });
  if (opened.kind !== "open") throw new Error(JSON.stringify(opened.errors));
  const { engine } = opened;
  expect(await engine.describe("SELECT id = ANY ('{1}'::stuck[]) FROM notes")).toMatchObject({
    kind: "error",
    error: { code: "57014" },
  });
  expect(await engine.describe("SELECT id FROM notes")).toMatchObject({ kind: "described" });
  const folded = `SELECT id FROM notes WHERE id > (jsonb_populate_record(NULL::pair, '{"a": 1}')).b`;
  expect(await engine.plan(folded)).toMatchObject({ code: "57014" });
  expect(await engine.plan("SELECT nope FROM notes")).toMatchObject({ code: "42703" });
  await engine.close();
});

test("reports each tool whose statement does not end, and compiles the others", async () => {
  const tool = (query: string) => ({
    description: "Asks.",
    parameters: { type: "object", additionalProperties: false, properties: {} },
    binding: { type: "sql", connection: "${DB}", query },
  });
  const stuck = "SELECT id FROM notes WHERE id = ANY ('{1}'::stuck[])";
  const { diagnostics } = await compileUntyped({
    "skillc.yaml": `databases: { DB: { schema: db.sql, statement_timeout_ms: ${statementTimeoutMs} } }`,
    "db.sql": endlessCheck,
    "skills/notes/SKILL.md": "---\nname: notes\ndescription: Knows notes.\n---\n",
    "skills/notes/metadata.json": JSON.stringify({
      tools: {
        first: tool("SELECT id FROM notes"),
        second: tool(stuck),
        third: tool("SELECT nope FROM notes"),
        fourth: tool(stuck),
      },
    }),
  });
  const found = diagnostics.map(({ code, message, tool: name }) => [name, code, message]);
  const ended = "the statement did not end within 1 s of CPU time (SQLSTATE 57014)";
  expect(found).toEqual([
    ["second", "sql/refused", ended],
    ["third", "sql/refused", 'column "nope" does not exist (SQLSTATE 42703)'],
    ["fourth", "sql/refused", ended],
  ]);
});

test("`generate` ends with exit code 1 and one error, and without output of Node.js", () => {
  const root = makeProject({
    "skillc.yaml": "databases: { DB: { schema: db.sql, statement_timeout_ms: 1000 } }",
    "db.sql": `${loop};`,
    "skills/notes/SKILL.md": "---\nname: notes\ndescription: Knows notes.\n---\n",
    "skills/notes/metadata.json": JSON.stringify({
      tools: {
        list: {
          description: "Lists.",
          parameters: { type: "object", additionalProperties: false, properties: {} },
          binding: { type: "sql", connection: "${DB}", query: "SELECT 1 AS one" },
        },
      },
    }),
  });
  const bin = join(repository, "dist/cli/bin.js");
  const ran = spawnSync(process.execPath, [bin, "generate"], { cwd: root, encoding: "utf8" });
  expect(ran.status).toBe(1);
  expect(ran.stderr.match(/^\w+(?:\[.*\])?:.*/gm)).toEqual([
    "error[sql/schema-does-not-load]: the statement did not end within 1 s of CPU time (SQLSTATE 57014)",
  ]);
  expect(ran.stderr).not.toContain("Warning");
});
