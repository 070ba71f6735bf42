import { describe, expect, test } from "vitest";
import { ask, askWrite, rowOf, rowsOf, text } from "./ask.js";

const nullable = { type: ["string", "null"] };

describe("returns that leaves room for what comes", () => {
  test.each([
    ["SELECT id, note FROM people", rowsOf({ id: text, note: nullable })],
    ["SELECT id, note FROM people", rowsOf({ id: text, note: {} })],
    ["SELECT id, note FROM people", { type: "array" }],
    // What PostgreSQL doesn't know may be narrowed.
    ["SELECT '{}'::json AS j", rowsOf({ j: rowOf({ a: { type: "number" } }) })],
    ["SELECT ARRAY['a'] AS a", rowsOf({ a: { type: "array", items: text } })],
    ["SELECT CASE WHEN true THEN 'a' ELSE 'b' END AS a", rowsOf({ a: { enum: ["a", "b"] } })],
    ["SELECT mood FROM people", rowsOf({ mood: { enum: ["good", "bad", "sad"] } })],
    ["SELECT mood::text AS mood FROM people", rowsOf({ mood: { enum: ["good"] } })],
    ["SELECT count(*)::int AS n FROM people", rowsOf({ n: { type: "integer", minimum: 0 } })],
    ['SELECT note AS "note!" FROM people', rowsOf({ note: text })],
    ["SELECT note FROM people WHERE note IS NOT NULL", rowsOf({ note: text })],
  ])("%s with %j", async (query, returns) => {
    expect(await ask({ query, returns })).toEqual([]);
  });

  test("of one row, of none, and of a count", async () => {
    const query = "SELECT id FROM people LIMIT 1";
    const row = rowOf({ id: text });
    expect(await ask({ query, returns: row, binding: { rows: "one" } })).toEqual([]);
    const orNull = { anyOf: [row, { type: "null" }] };
    expect(await ask({ query, returns: orNull, binding: { rows: "optional" } })).toEqual([]);
    const affected = rowOf({ affected_rows: { type: "integer" } });
    expect(await askWrite({ query: "DELETE FROM people", returns: affected })).toEqual([]);
  });
});

describe("returns that can't be what comes", () => {
  test.each([
    [
      "SELECT id FROM people",
      rowsOf({ id: { type: "integer" } }),
      "`id` is of the type `int8` and given as text, and `returns` asks for an integer",
    ],
    [
      "SELECT aliases FROM people",
      rowsOf({ aliases: { type: ["array", "null"], items: { type: "integer" } } }),
      "an item of `aliases` is given as text or null, and `returns` asks for an integer",
    ],
    [
      "SELECT note FROM people",
      rowsOf({ notes: nullable }),
      "`returns` requires `notes`, which the statement does not give (did you mean `note`?)",
    ],
    [
      "SELECT id, note FROM people",
      { type: "array", items: { ...rowOf({ id: text }), additionalProperties: false } },
      "the statement gives `note`, which `returns` forbids",
    ],
    [
      "SELECT mood FROM people",
      rowsOf({ mood: { enum: ["good"] } }),
      "`mood` may be `bad`, which `returns` does not list",
    ],
    [
      "SELECT ARRAY[mood] AS moods FROM people",
      rowsOf({ moods: { type: "array", items: { enum: ["good"] } } }),
      "`moods` may be `bad`, which `returns` does not list",
    ],
    [
      "SELECT id FROM people",
      rowOf({ id: text }),
      "the statement gives an array of rows, and `returns` asks for an object",
    ],
  ])("%s with %j", async (query, returns, message) => {
    const [line, ...others] = await ask({ query, returns });
    expect(others).toEqual([]);
    expect(line).toMatch(/^error sql\/returns-mismatch at /);
    expect(line).toContain(message);
  });

  test("of a statement without rows", async () => {
    const [line] = await askWrite({ query: "DELETE FROM people", returns: rowsOf({ id: text }) });
    expect(line).toContain("the statement gives no rows but an object with `affected_rows`");
  });
});

describe("NULL that returns denies", () => {
  test("is told at each column, with the ways out", async () => {
    const query = "SELECT p.note, t.name FROM people p LEFT JOIN pets t ON t.owner = p.id";
    const returns = rowsOf({ note: text, name: text });
    expect(await ask({ query, returns })).toEqual([
      'error sql/returns-denies-null at p.note: `note` may be NULL, and `returns` allows no null there (let `returns` take null (`type: [string, "null"]`), or, if it never is NULL, write `AS "note!"`)',
      'error sql/returns-denies-null at t.name: `name` may be NULL, and `returns` allows no null there (let `returns` take null (`type: [string, "null"]`), or, if it never is NULL, write `AS "name!"`)',
    ]);
  });

  test("is a row that need not be there", async () => {
    const query = "SELECT id FROM people LIMIT 1";
    const found = await ask({ query, returns: rowOf({ id: text }), binding: { rows: "optional" } });
    expect(found).toEqual([
      'error sql/returns-denies-null at "optional": there may be no row, and `returns` allows no null (let `returns` take null: `type: [object, "null"]`)',
    ]);
  });

  test("depends on what parameters may be", async () => {
    const query = "SELECT :x || 'a' AS told";
    const returns = rowsOf({ told: text });
    expect(await ask({ query, returns, parameters: { x: text } })).toEqual([]);
    expect(await ask({ query, returns, parameters: { "x?": text } })).toHaveLength(1);
  });
});

describe("columns", () => {
  test.each([
    ["SELECT id, id FROM people", "sql/duplicate-column at id"],
    ['SELECT id, note AS "id!" FROM people', "sql/duplicate-column at note"],
    ["SELECT 1, 2", "sql/duplicate-column at 2"],
    ["SELECT 1, 2 AS b", "sql/unnamed-column at 1"],
    ['SELECT NULL::int AS "n!"', "sql/never-not-null at NULL"],
  ])("%s", async (query, found) => {
    const places = (await ask({ query })).map((line) => line.replace(/^\w+ |: .*/g, ""));
    expect(places).toContain(found);
    expect(new Set(places).size).toBe(places.length);
  });

  test("rows and max_rows are for statements that give such", async () => {
    const codes = async (binding: object, query = "DELETE FROM people") =>
      (await askWrite({ query, binding })).map((line) => line.replace(/: .*/, ""));
    expect(await codes({ rows: "many" })).toEqual(['error sql/no-rows at "many"']);
    expect(await codes({ max_rows: 3 })).toEqual(["error sql/max-rows-without-many at 3"]);
    const returning = "DELETE FROM people RETURNING id";
    expect(await codes({ rows: "one", max_rows: 3 }, returning)).toEqual([
      "error sql/max-rows-without-many at 3",
    ]);
    expect(await codes({ max_rows: 3 }, returning)).toEqual([]);
  });
});
