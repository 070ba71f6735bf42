import { loadModule } from "libpg-query";
import { beforeAll, expect, test } from "vitest";
import { build } from "./built.js";

beforeAll(loadModule);

/** Columns of `f(1)` can't be known, so that each level is tried in two forms. */
function nested(depth: number): string {
  if (depth === 0) return "SELECT * FROM f(1) AS g";
  return `SELECT * FROM orders WHERE lower(note) IN (${nested(depth - 1)})`;
}

test("a statement that would take years to translate becomes a template", () => {
  expect(build(nested(25))).toMatchObject({
    proved: false,
    why: "Kysely can't express such a large statement",
    references: { seen: 0 },
  });
});

test.each([
  ["SELECT j.a FROM JSON_TABLE('[1]'::jsonb, '$[*]' COLUMNS (a int PATH '$')) AS j", "JSON_TABLE"],
  ["TRUNCATE orders", "TRUNCATE"],
])("the reason for a template names the SQL keyword that Kysely lacks: %s", (sql, name) => {
  expect(build(sql)).toMatchObject({ proved: false, why: `Kysely can't express ${name}` });
});

test("an element of an array literal becomes builder code", () => {
  expect(build("SELECT (ARRAY[1, 2])[o.id + 5] AS x FROM orders o").proved).toBe(true);
});

test("a statement with very many conditions becomes a template", () => {
  const conditions = Array.from({ length: 600 }, (_, index) => `id = ${index}`);
  expect(build(`SELECT id FROM orders WHERE (${conditions.join(") AND (")})`).proved).toBe(false);
});

test("counts columns, tables and parameters as references, each time that they occur", () => {
  const count = (sql: string) => build(sql).references;
  expect(count("SELECT *, 1 AS x FROM orders")).toEqual({ seen: 1, all: 1 });
  expect(count("SELECT o.*, o.id FROM orders o WHERE id = :id OR id = :id")).toEqual({
    seen: 7,
    all: 7,
  });
  expect(count("INSERT INTO categories (name, parent_id) VALUES (:name, 1)")).toEqual({
    seen: 4,
    all: 4,
  });
  expect(count("SELECT relname FROM pg_class")).toEqual({ seen: 0, all: 2 });
  expect(count("SELECT (o).*, :p AS p FROM orders o")).toEqual({ seen: 1, all: 3 });
});

test("a name that Kysely would split is quoted on its own", () => {
  const built = build('SELECT "dot.ted" FROM "Odd Name"');
  expect(built).toMatchObject({ proved: true, references: { seen: 1, all: 2 } });
});
