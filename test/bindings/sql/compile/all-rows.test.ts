import { describe, expect, test } from "vitest";
import { askWrite, text } from "./ask.js";

const bigint = { type: "integer", minimum: 1, maximum: 1000 };
const parameters = { "x?": text, "y?": text, "n?": bigint, z: text, m: bigint };

/** What is said of rows that no condition chooses. */
async function allRows(query: string, binding: object = {}): Promise<readonly string[]> {
  const unused = ["x", "y", "n", "z", "m"].filter((name) => !new RegExp(`:${name}\\b`).test(query));
  const found = await askWrite({ query, parameters, tool: { unused }, binding });
  expect(found.filter((line) => line.includes("sql/refused"))).toEqual([]);
  return found.filter((line) => line.includes("all-rows"));
}

const meant = "; where every row is meant, write `all_rows: true` in the binding";

describe("a change of every row of a table", () => {
  test.each([
    [
      "DELETE FROM people",
      `error sql/all-rows at DELETE: no condition says which rows: \`DELETE\` removes every row of \`people\` (say which rows in \`WHERE\`${meant})`,
    ],
    [
      "UPDATE people SET note = 'x'",
      `error sql/all-rows at UPDATE: no condition says which rows: \`UPDATE\` changes every row of \`people\` (say which rows in \`WHERE\`${meant})`,
    ],
    [
      "TRUNCATE billing.invoices",
      `error sql/all-rows at TRUNCATE: \`TRUNCATE\` removes every row of \`invoices\` (write \`DELETE FROM invoices WHERE …\`${meant})`,
    ],
    [
      "DELETE FROM people WHERE true",
      `error sql/all-rows at true: the condition is always true: \`DELETE\` removes every row of \`people\` (say which rows in \`WHERE\`${meant})`,
    ],
    [
      "DELETE FROM people WHERE :n::bigint IS NULL OR id = :n",
      `error sql/all-rows at :n: the condition is true of every row without \`n\`: \`DELETE\` removes every row of \`people\` (make \`n\` required, and let it choose the rows by itself${meant})`,
    ],
    [
      "DELETE FROM people USING pets WHERE pets.name = :z",
      `error sql/all-rows at pets.name: the condition says nothing of the rows of \`people\`: when it is true, \`DELETE\` removes every row of \`people\` (say which rows in \`WHERE\`${meant})`,
    ],
  ])("is an error: %s", async (query, line) => {
    expect(await allRows(query)).toEqual([line]);
    expect(await allRows(query, { all_rows: true })).toEqual([]);
  });

  test.each([
    "WITH gone AS (DELETE FROM pets RETURNING id) SELECT id FROM gone",
    "WITH gone AS (UPDATE pets SET note = 'x' WHERE 1 = 1 RETURNING id) SELECT id FROM gone",
    "UPDATE people SET note = pets.note FROM pets",
    "DELETE FROM people USING pets",
    "DELETE FROM ONLY people",
    "DELETE FROM adults",
    "DELETE FROM settings",
  ])("is found wherever it stands: %s", async (query) => {
    expect(await allRows(query)).toHaveLength(1);
  });

  test("is found once for each table", async () => {
    expect(await allRows("TRUNCATE people, pets")).toHaveLength(2);
  });

  test.each([
    "1 = 1",
    "'a' = 'a'",
    "2 > 1",
    "1 + 1 = 2",
    "NOT false",
    "'t'::boolean",
    "id = id",
    "lower(name) = lower(name)",
    "note = note",
    "people.id >= id",
    "id IS NOT NULL",
    "id = 3 OR true",
    "id = 3 OR 1 = 1",
    "id = 3 OR NOT (1 = 2 AND false)",
    "id = :m OR id = id",
    "true AND (1 = 1)",
    "id IN (1, id)",
    "id BETWEEN id AND id",
    "EXISTS (SELECT 1)",
    "EXISTS (SELECT 1 WHERE true)",
    "id IN (SELECT id FROM people)",
    "id IN (SELECT p.id FROM people p WHERE 1 = 1)",
    "name LIKE '%'",
    "name ILIKE '%' || '%'",
    "CASE WHEN true THEN true ELSE id = 3 END",
    "coalesce(true, id = 3)",
    "(id, name) = (id, name)",
    "id IS NOT DISTINCT FROM id",
    "(id = id) IS TRUE",
    "id <> ALL ('{}'::bigint[])",
    "now() > '2020-01-01'",
    "EXISTS (SELECT 1 FROM pets p WHERE p.name = 'x')",
    "(SELECT count(*) FROM pets) > 3",
    "current_user = 'x'",
    ":m = 3",
    ":z::text IS NOT NULL",
  ])("is one where the condition is %s", async (where) => {
    expect(await allRows(`DELETE FROM people WHERE ${where}`)).toHaveLength(1);
    expect(await allRows(`UPDATE people SET note = 'a' WHERE ${where}`)).toHaveLength(1);
  });

  test.each([
    ["(:n::bigint IS NULL OR id = :n)", "without `n`"],
    ["coalesce(:n, id) = id", "without `n`"],
    ["id = coalesce(:n, id)", "without `n`"],
    ["id IS NOT DISTINCT FROM coalesce(:n, id)", "without `n`"],
    ["CASE WHEN :n::bigint IS NULL THEN true ELSE id = :n END", "without `n`"],
    ["id = CASE WHEN :n::bigint IS NULL THEN id ELSE :n END", "without `n`"],
    ["coalesce(id = :n, true)", "without `n`"],
    ["(id = :n) IS NOT FALSE", "without `n`"],
    ["name LIKE '%' || coalesce(:x, '') || '%'", "without `x`"],
    ["name LIKE concat('%', :x::text, '%')", "without `x`"],
    ["id BETWEEN coalesce(:n, id) AND id", "without `n`"],
    ["id IN (SELECT id FROM people WHERE :n::bigint IS NULL OR id = :n)", "without `n`"],
    ["(:n::bigint IS NULL OR id = :n) AND (:x::text IS NULL OR name = :x)", "without `n` and `x`"],
    ["(:n::bigint IS NULL OR id = :n) AND (:z::text IS NOT NULL OR name = :x)", "without `n`"],
    [":m = 1 AND (:n::bigint IS NULL OR id = :n)", "without `n`"],
    ["id = :n OR :m = 3", "without `n`"],
    [":x::text IS NOT NULL AND (:n::bigint IS NULL OR id = :n)", "without `n`"],
  ])("is one while parameters are left out: %s", async (where, words) => {
    const [line, ...others] = await allRows(`DELETE FROM people WHERE ${where}`);
    expect(line).toContain(`is true of every row ${words}: `);
    expect(others).toEqual([]);
  });

  test.each([
    "MERGE INTO people p USING pets s ON true WHEN MATCHED THEN DELETE",
    "MERGE INTO people p USING pets s ON s.id = 3 WHEN MATCHED THEN UPDATE SET note = 'x'",
    "MERGE INTO people p USING pets s ON :n::bigint IS NULL OR p.id = :n WHEN MATCHED THEN DELETE",
    "MERGE INTO people p USING pets s ON s.owner = p.id WHEN NOT MATCHED BY SOURCE THEN DELETE",
    "MERGE INTO people p USING pets s ON s.owner = p.id WHEN NOT MATCHED BY SOURCE AND 1 = 1 THEN DELETE",
  ])("is a branch of MERGE that nothing limits: %s", async (query) => {
    expect(await allRows(query)).toHaveLength(1);
  });
});

describe("a change of some rows", () => {
  test.each([
    "DELETE FROM people WHERE id = :m",
    "DELETE FROM people WHERE id = :n",
    "DELETE FROM people WHERE note IS NOT NULL",
    "DELETE FROM people WHERE note IS NULL",
    "DELETE FROM people WHERE born < now()",
    "DELETE FROM people WHERE id = 3 OR name = :x",
    "DELETE FROM people WHERE id = 3 AND (:x::text IS NULL OR name = :x)",
    "DELETE FROM people WHERE :n::bigint IS NOT NULL AND id = :n",
    "DELETE FROM people WHERE false",
    "DELETE FROM people WHERE NULL::boolean",
    "DELETE FROM people WHERE random() < 0.1",
    "DELETE FROM people WHERE id = ANY (:ids)".replace(":ids", "ARRAY[:m]::bigint[]"),
    "DELETE FROM people p WHERE EXISTS (SELECT 1 FROM pets s WHERE s.owner = p.id)",
    "DELETE FROM people WHERE ctid = '(0,1)'",
    "DELETE FROM people WHERE people IS NULL",
    "DELETE FROM people WHERE id IN (SELECT id FROM people ORDER BY id LIMIT 3)",
    "DELETE FROM people WHERE id IN (SELECT owner FROM pets)",
    "DELETE FROM people WHERE name LIKE '%' || :z || '%'",
    "DELETE FROM people WHERE coalesce(:n, 0) = id",
    "UPDATE people SET note = s.note FROM pets s WHERE s.owner = people.id",
    "INSERT INTO pets (id, name) VALUES (1, 'a') ON CONFLICT (id) DO UPDATE SET note = 'x'",
    "INSERT INTO pets (id, name) VALUES (1, 'a')",
    "MERGE INTO people p USING pets s ON s.owner = p.id WHEN MATCHED THEN DELETE",
    "MERGE INTO people p USING pets s ON s.owner = p.id WHEN NOT MATCHED THEN INSERT (name) VALUES ('a')",
    "MERGE INTO people p USING pets s ON true WHEN MATCHED AND p.id = :m THEN DELETE",
    "MERGE INTO people p USING pets s ON s.owner = p.id WHEN NOT MATCHED BY SOURCE AND p.age > 3 THEN DELETE",
  ])("is none: %s", async (query) => {
    expect(await allRows(query)).toEqual([]);
  });

  test("needs no `all_rows`", async () => {
    const query = "DELETE FROM people WHERE id = :m";
    expect(await allRows(query, { all_rows: true })).toEqual([
      "warning sql/needless-all-rows at true: no table is changed as a whole (remove `all_rows: true`: then a `WHERE` that gets lost is found)",
    ]);
    expect(await allRows("DELETE FROM people", { all_rows: false })).toHaveLength(1);
  });
});
