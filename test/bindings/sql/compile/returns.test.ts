import { describe, expect, test } from "vitest";
import { ask, askWrite, rowOf, rowsOf, text } from "./ask.js";

const nullable = { type: ["string", "null"] };

describe("`returns` that allows every result", () => {
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
    ["SELECT NULL::int AS n", rowsOf({ n: { type: "null" } })],
  ])("accepts %s with %j", async (query, returns) => {
    expect(await ask({ query, returns })).toEqual([]);
  });

  test("accepts one row, an optional row, and a count", async () => {
    const query = "SELECT id FROM people LIMIT 1";
    const row = rowOf({ id: text });
    expect(await ask({ query, returns: row, binding: { rows: "one" } })).toEqual([]);
    const orNull = { anyOf: [row, { type: "null" }] };
    expect(await ask({ query, returns: orNull, binding: { rows: "optional" } })).toEqual([]);
    const affected = rowOf({ affected_rows: { type: "integer" } });
    expect(await askWrite({ query: "DELETE FROM people WHERE id = 1", returns: affected })).toEqual(
      [],
    );
  });
});

describe("`returns` that is narrower than the result", () => {
  test.each<[query: string, column: object, narrower: string]>([
    ["SELECT 7 AS n", { type: "integer", maximum: 5 }, "holds 5 or less"],
    ["SELECT 7 AS n", { type: "integer", minimum: 1 }, "holds 1 or more"],
    ["SELECT 7 AS n", { enum: [1, 2] }, "takes `1`, `2`"],
    ["SELECT 7 AS n", { const: 1 }, "takes `1`"],
    ["SELECT true AS n", { const: true }, "takes `true`"],
    ["SELECT 7::float8 AS n", { type: "integer" }, "takes an integer"],
    ["SELECT id AS n FROM people", { enum: ["1"] }, "takes `1`"],
    ["SELECT born AS n FROM people", { enum: ["2020-01-01"] }, "takes `2020-01-01`"],
    [
      "SELECT '1 day'::interval AS n",
      { type: "string", format: "duration" },
      "takes text in the format `duration`",
    ],
  ])("warns and names the narrower keyword: %s with %j", async (query, n, narrower) => {
    const [line, ...others] = await ask({ query, returns: rowsOf({ n }) });
    expect(others).toEqual([]);
    expect(line).toMatch(/^warning sql\/returns-narrows at /);
    expect(line).toContain(`but \`returns\` ${narrower}`);
  });

  test.each<[query: string, returns: object, message: string]>([
    [
      "SELECT mood FROM people",
      rowsOf({ mood: { enum: ["good"] } }),
      "`mood` may be `bad`, but `returns` doesn't list that",
    ],
    [
      "SELECT ARRAY[mood] AS moods FROM people",
      rowsOf({ moods: { type: "array", items: { enum: ["good"] } } }),
      "`moods` may be `bad`, but `returns` doesn't list that",
    ],
  ])("warns and names the missing labels: %s with %j", async (query, returns, message) => {
    const [line, ...others] = await ask({ query, returns });
    expect(others).toEqual([]);
    expect(line).toMatch(/^warning sql\/returns-narrows at /);
    expect(line).toContain(message);
  });

  test.each<[query: string, column: object]>([
    ["SELECT 7 AS n", { type: "integer", maximum: -3_000_000_000 }],
    ["SELECT 7 AS n", { type: "integer", minimum: 3_000_000_000 }],
    ["SELECT 7 AS n", { enum: [3_000_000_000] }],
  ])("reports an error if no result fits: %s with %j", async (query, n) => {
    const [line, ...others] = await ask({ query, returns: rowsOf({ n }) });
    expect(others).toEqual([]);
    expect(line).toMatch(/^error sql\/returns-mismatch at /);
  });

  test.each<[query: string, column: object]>([
    ["SELECT 7 AS n", { type: "integer", minimum: -2147483648, maximum: 2147483647 }],
    ["SELECT 7 AS n", { type: "number" }],
    ["SELECT true AS n", { enum: [true, false] }],
    ["SELECT gen_random_uuid() AS n", { type: "string", format: "uuid" }],
    ["SELECT now() AS n", { type: "string", format: "date-time" }],
    ["SELECT born AS n FROM people", { type: "string", format: "date" }],
    ["SELECT 'a'::text AS n", { type: "string", format: "email", maxLength: 5 }],
    ["SELECT '1.1.1.1'::inet AS n", { type: "string", format: "ipv4" }],
    ["SELECT ARRAY[1] AS n", { type: "array", items: { type: "integer", maximum: 5 } }],
    [
      "SELECT ARRAY[ARRAY[1]] AS n",
      { type: "array", items: { type: "array", items: { type: ["integer", "null"] } } },
    ],
  ])("accepts a schema that excludes nothing, or nothing known: %s with %j", async (query, n) => {
    expect(await ask({ query, returns: rowsOf({ n }) })).toEqual([]);
  });

  test.each([
    ["SELECT gen_random_uuid() AS n", "email", "uuid"],
    ["SELECT born AS n FROM people", "date-time", "date"],
    ["SELECT now()::timestamp AS n", "date-time", "timestamp"],
  ])("reports an error for %s with the format %s", async (query, format, type) => {
    const [line, ...others] = await ask({
      query,
      returns: rowsOf({ n: { type: "string", format } }),
    });
    expect(others).toEqual([]);
    expect(line).toMatch(/^error sql\/returns-mismatch at /);
    expect(line).toContain(
      `\`n\` has the type \`${type}\`, but \`returns\` takes text in the format \`${format}\``,
    );
  });
});

describe("`returns` that no result can fit", () => {
  test.each<[query: string, returns: object, message: string]>([
    [
      "SELECT NULLIF(id, 1) AS n FROM people",
      rowsOf({ n: { type: ["integer", "null"] } }),
      "`n` is of the type `int8` and returned as text or null, but `returns` expects an integer or null",
    ],
    [
      "SELECT note FROM people",
      rowsOf({ note: { type: ["integer", "null"] } }),
      "`note` is of the type `text` and returned as text or null, but `returns` expects an integer or null",
    ],
    [
      "SELECT age > 3 AS old FROM people",
      rowsOf({ old: { enum: ["yes", null] } }),
      "`old` is of the type `bool` and returned as a boolean or null, but `returns` expects text or null",
    ],
    [
      "SELECT aliases FROM people",
      rowsOf({ aliases: { type: ["array", "null"], items: { type: ["integer", "null"] } } }),
      "an item of `aliases` is returned as text or null, but `returns` expects an integer or null",
    ],
    [
      "SELECT id FROM people",
      rowsOf({ id: { type: "integer" } }),
      "`id` is of the type `int8` and returned as text, but `returns` expects an integer",
    ],
    [
      "SELECT aliases FROM people",
      rowsOf({ aliases: { type: ["array", "null"], items: { type: "integer" } } }),
      "an item of `aliases` is returned as text or null, but `returns` expects an integer",
    ],
    [
      "SELECT note FROM people",
      rowsOf({ notes: nullable }),
      "`returns` requires `notes`, but the statement does not return it (did you mean `note`?)",
    ],
    [
      "SELECT id, note FROM people",
      { type: "array", items: { ...rowOf({ id: text }), additionalProperties: false } },
      "the statement returns `note`, but `returns` forbids it",
    ],
    [
      "SELECT mood FROM people",
      rowsOf({ mood: { enum: ["dull"] } }),
      "`mood` may be `good` or `bad`, but `returns` doesn't list that",
    ],
    [
      "SELECT ARRAY[mood] AS moods FROM people",
      rowsOf({ moods: { type: "array", items: { enum: ["dull"] } } }),
      "`moods` may be `good` or `bad`, but `returns` doesn't list that",
    ],
    [
      "SELECT id FROM people",
      rowOf({ id: text }),
      "the statement returns an array of rows, but `returns` expects an object",
    ],
  ])("reports the reason: %s with %j", async (query, returns, message) => {
    const [line, ...others] = await ask({ query, returns });
    expect(others).toEqual([]);
    expect(line).toMatch(/^error sql\/returns-mismatch at /);
    expect(line).toContain(message);
  });

  test("reports an error for a statement without rows", async () => {
    const [line] = await askWrite({
      query: "DELETE FROM people WHERE id = 1",
      returns: rowsOf({ id: text }),
    });
    expect(line).toContain("the statement returns no rows but an object with `affected_rows`");
  });
});

describe("`returns` without null", () => {
  test("reports each column that may be NULL, and suggests two ways out", async () => {
    const query = "SELECT p.note, t.name FROM people p LEFT JOIN pets t ON t.owner = p.id";
    const returns = rowsOf({ note: text, name: text });
    expect(await ask({ query, returns })).toEqual([
      'error sql/returns-denies-null at p.note: `note` may be NULL, but `returns` allows no null there (allow null in `returns` (`type: [string, "null"]`), or, if the column is never NULL, write `AS "note!"`)',
      'error sql/returns-denies-null at t.name: `name` may be NULL, but `returns` allows no null there (allow null in `returns` (`type: [string, "null"]`), or, if the column is never NULL, write `AS "name!"`)',
    ]);
  });

  test("reports a row that may be absent", async () => {
    const query = "SELECT id FROM people LIMIT 1";
    const found = await ask({ query, returns: rowOf({ id: text }), binding: { rows: "optional" } });
    expect(found).toEqual([
      'error sql/returns-denies-null at "optional": there may be no row, but `returns` allows no null (allow null in `returns`: `type: [object, "null"]`)',
    ]);
  });

  test("reports NULL only if the parameter may be absent", async () => {
    const query = "SELECT :x || 'a' AS told";
    const returns = rowsOf({ told: text });
    expect(await ask({ query, returns, parameters: { x: text } })).toEqual([]);
    expect(await ask({ query, returns, parameters: { "x?": text } })).toHaveLength(1);
  });
});

describe("columns of a result", () => {
  test.each([
    ["SELECT id, id FROM people", "sql/duplicate-column at id"],
    ['SELECT id, note AS "id!" FROM people', "sql/duplicate-column at note"],
    ["SELECT 1, 2", "sql/duplicate-column at 2"],
    ["SELECT 1, 2 AS b", "sql/unnamed-column at 1"],
    ['SELECT NULL::int AS "n!"', "sql/never-not-null at NULL"],
    ['SELECT id AS "a!?" FROM people', "sql/bad-mark at id"],
    ['SELECT id AS "a?!" FROM people', "sql/bad-mark at id"],
    ["SELECT FROM people", "sql/no-rows at SELECT FROM people"],
  ])("reports a bad or missing name: %s", async (query, found) => {
    const places = (await ask({ query })).map((line) => line.replace(/^\w+ |: .*/g, ""));
    expect(places).toContain(found);
    expect(new Set(places).size).toBe(places.length);
  });

  test("reports a SELECT without columns for every value of `rows`", async () => {
    expect(await ask({ query: "SELECT FROM people", binding: { rows: "many" } })).toEqual([
      "error sql/no-rows at SELECT FROM people: the statement selects no columns (name columns after SELECT: `SELECT id FROM …`)",
    ]);
  });

  test("reports `rows` and `max_rows` for statements without rows", async () => {
    const codes = async (binding: object, query = "DELETE FROM people WHERE id = 1") =>
      (await askWrite({ query, binding })).map((line) => line.replace(/: .*/, ""));
    expect(await codes({ rows: "many" })).toEqual(['error sql/no-rows at "many"']);
    expect(await codes({ max_rows: 3 })).toEqual(["error sql/max-rows-without-many at 3"]);
    const returning = "DELETE FROM people WHERE id = 1 RETURNING id";
    expect(await codes({ rows: "one", max_rows: 3 }, returning)).toEqual([
      "error sql/max-rows-without-many at 3",
    ]);
    expect(await codes({ max_rows: 3 }, returning)).toEqual([]);
  });
});
