import { beforeAll, describe, expect, test } from "vitest";
import { chooseSchemaFiles } from "../../../../src/bindings/sql/database/schema-files.js";
import { readSchemaStatements } from "../../../../src/bindings/sql/database/schema-statements.js";
import { loadParser } from "../../../../src/bindings/sql/statement/lexer.js";

beforeAll(loadParser);

function read(text: string) {
  const statements = readSchemaStatements({ path: "db/schema.sql", text });
  if ("message" in statements) throw new Error(statements.message);
  return statements;
}

describe("pattern of schema files", () => {
  test.each([
    ["db/schema.sql", "db/schema.sql", true],
    ["db/schema.sql", "./db/schema.sql", true],
    ["db/schemaXsql", "db/schema.sql", false],
    ["db/a.sql", "db/*.sql", true],
    ["db/x/a.sql", "db/*.sql", false],
    ["db/x/y/a.sql", "db/**/*.sql", true],
    ["db/a.sql", "db/**/*.sql", true],
    ["db/x/a.sql", "db/**", true],
    ["db/a1.sql", "db/a?.sql", true],
    ["db/a.up.sql", "db/*.{up,init}.sql", true],
    ["db/a.down.sql", "db/*.{up,init}.sql", false],
    ["db/a{1}.sql", "db/a{1}.sql", true],
    ["db/1_a.sql", "db/[0-9]*.sql", true],
    ["db/b_a.sql", "db/[0-9]*.sql", false],
    ["db/(a)+[b].sql", "db/(a)+[b].sql", true],
    ["db/a}.sql", "db/a}.sql", true],
  ])("matches %s by %s: %s", (path, pattern, matches) => {
    expect(chooseSchemaFiles([pattern], [path])).toEqual(matches ? [path] : []);
  });
});

test("files are ordered by pattern, number and name, without duplicates and without down migrations", () => {
  const paths = [
    "m/10_c.up.sql",
    "m/2_b.up.sql",
    "m/2_b.down.sql",
    "m/001_a.sql",
    "base.sql",
    "m/2_b.UP.txt",
  ];
  expect(chooseSchemaFiles(["base.sql", "m/*.sql", "m/2_b.up.sql"], paths)).toEqual([
    "base.sql",
    "m/001_a.sql",
    "m/2_b.up.sql",
    "m/10_c.up.sql",
  ]);
});

describe("schema file", () => {
  test.each([
    [
      "goose",
      "-- +goose Up\n-- +goose StatementBegin\nSELECT 1;\n-- +goose StatementEnd\n-- +goose Down\nSELECT 2;",
    ],
    ["sql-migrate", "-- +migrate Up\nSELECT 1;\n-- +migrate Down\nSELECT 2;"],
    ["dbmate", "-- migrate:up\nSELECT 1;\n\n-- migrate:down\nSELECT 2;"],
    ["tern", "SELECT 1;\n---- create above / drop below ----\nSELECT 2;"],
  ])("loads only the up part of a file of %s", (_, text) => {
    expect(read(text).map(({ sql }) => sql)).toEqual(["SELECT 1"]);
  });

  test("rejects too many nested comments quickly", () => {
    const text = `\\set a\nCREATE TABLE a (); ${"/*".repeat(20_000)}`;
    expect(readSchemaStatements({ path: "db/schema.sql", text })).toMatchObject({
      message: "there are too many operator signs in a row here",
      at: { start: text.indexOf("/*"), end: text.length },
    });
  });

  test.each([
    ["\\i tables.sql", "tables.sql"],
    ["\\ir '../tables.sql'", "../tables.sql"],
    ["  \\include tables.sql  ", "tables.sql"],
  ])("rejects a line that reads another file: %s", (line, other) => {
    const text = `CREATE TABLE a ();\n${line}\n`;
    expect(readSchemaStatements({ path: "db/schema.sql", text })).toEqual({
      path: "db/schema.sql",
      at: { start: text.indexOf("\\"), end: text.indexOf("\\") + line.trim().length },
      message: `\`${line.trim().split(" ")[0]}\` is a psql command that includes another file`,
      help: `list \`${other}\` in skillc.yaml before this file, and remove the line`,
    });
  });

  test.each([
    "CREATE TABLE a (b text DEFAULT '\n\\i tables.sql\n');",
    "/*\n\\i tables.sql\n*/ CREATE TABLE a ();",
    "CREATE TABLE a (b text);\nCOPY a FROM stdin;\n\\i tables\n\\.\n",
    "CREATE TABLE a ();\n\\if true\n\\endif\n\\pset null x\n",
  ])("accepts text that only looks like such a line: %j", (text) => {
    expect(read(text)).toHaveLength(1);
  });

  test("each statement has its position, behind other alphabets, comments and lines of psql", () => {
    const text = [
      "\uFEFF\\restrict abc'def",
      "-- größe 😀",
      "CREATE TABLE a (b text DEFAULT '\\x');",
      "COPY public.a (b) FROM stdin;",
      "it's; a\\tb",
      "\\.",
      "",
      "\\connect other",
      "/* é */ CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$",
      "\\not psql's; SELECT 1",
      "$$;",
      "\\unrestrict abc",
    ].join("\n");
    const statements = read(text);
    expect(statements.map(({ sql }) => sql.split("\n")[0])).toEqual([
      "CREATE TABLE a (b text DEFAULT '\\x')",
      "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$",
    ]);
    expect(statements.map(({ start, sql }) => text.slice(start, start + sql.length))).toEqual(
      statements.map(({ sql }) => sql),
    );
  });

  test("a syntax error is reported at its position", () => {
    const text = "CREATE TABLE ä (a int);\nCREATE TABEL b ();\n";
    expect(readSchemaStatements({ path: "db/schema.sql", text })).toEqual({
      path: "db/schema.sql",
      at: { start: text.indexOf("TABEL"), end: text.indexOf("TABEL") + 5 },
      code: "42601",
      message: 'syntax error at or near "TABEL"',
    });
  });
});
