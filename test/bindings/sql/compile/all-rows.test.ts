import { describe, expect, test } from "vitest";
import { askWrite, text } from "./ask.js";

const bigint = { type: "integer", minimum: 1, maximum: 1000 };
const list = { type: "array", items: bigint };
const day = { type: "string", format: "date" };
const parameters = {
  "x?": text,
  "y?": text,
  "n?": bigint,
  "since?": day,
  "until?": day,
  z: text,
  named: { type: "string", minLength: 1 },
  m: bigint,
  ids: list,
  "few?": list,
  some: { ...list, minItems: 1 },
};

/** Diagnostics about changes of all rows. */
async function allRows(query: string, binding: object = {}): Promise<readonly string[]> {
  const names = Object.keys(parameters).map((name) => name.replace("?", ""));
  const unused = names.filter((name) => !new RegExp(`:${name}\\b`).test(query));
  const found = await askWrite({ query, parameters, tool: { unused }, binding });
  expect(found.filter((line) => line.includes("sql/refused"))).toEqual([]);
  return found.filter((line) => line.includes("all-rows"));
}

const meant = "; if you mean every row, write `all_rows: true` in the binding";

describe("change of every row of a table", () => {
  test.each([
    [
      "DELETE FROM people",
      `error sql/all-rows at DELETE: without a condition, \`DELETE\` removes every row of \`people\` (choose the rows in \`WHERE\`${meant})`,
    ],
    [
      "UPDATE people SET note = 'x'",
      `error sql/all-rows at UPDATE: without a condition, \`UPDATE\` changes every row of \`people\` (choose the rows in \`WHERE\`${meant})`,
    ],
    [
      "TRUNCATE billing.invoices",
      `error sql/all-rows at TRUNCATE: \`TRUNCATE\` removes every row of \`invoices\` (write \`DELETE FROM invoices WHERE …\`${meant})`,
    ],
    [
      "DELETE FROM people WHERE true",
      `error sql/all-rows at true: the condition is always true: \`DELETE\` removes every row of \`people\` (choose the rows in \`WHERE\`${meant})`,
    ],
    [
      "DELETE FROM people WHERE :n::bigint IS NULL OR id = :n",
      `error sql/all-rows at :n: the condition is true for every row without \`n\`: \`DELETE\` removes every row of \`people\` (make \`n\` required, and let it alone choose the rows${meant})`,
    ],
    [
      "DELETE FROM people USING pets WHERE pets.name = :z",
      `error sql/all-rows at pets.name: the condition doesn't depend on the rows of \`people\`: if it is true, \`DELETE\` removes every row of \`people\` (choose the rows in \`WHERE\`${meant})`,
    ],
  ])("reports %s", async (query, line) => {
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
  ])("reports a nested or indirect change: %s", async (query) => {
    expect(await allRows(query)).toHaveLength(1);
  });

  test("reports each table once", async () => {
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
    "name ~ ''",
    "name ~ '.*'",
    "name ~* '^'",
    "name ~ '^(.*)$'",
    "name SIMILAR TO '%'",
    "regexp_like(name, '')",
    "starts_with(name, '')",
    "name ^@ ''",
    "position('' IN name) > 0",
    "id = 3 OR 1 + 1 = 2",
    "id = 3 OR id + 1 > id",
    "id - id = 0",
    "id * 1 = id",
    "mood <> 'good' OR mood <> 'bad'",
    "name <> 'a' OR name <> 'b'",
    "note <> 'a' OR note <> 'b'",
    "name NOT IN ('a') OR name NOT IN ('b')",
    "NOT (name = 'a' AND name = 'b')",
    "mood IN ('good', 'bad')",
    "mood = ANY (ARRAY['good', 'bad']::mood[])",
    "note IS NULL OR note IS NOT NULL",
    "id > 5 OR id <= 5",
    "id >= 6 OR id <= 5",
    "aliases @> '{}'",
    "'{}' <@ aliases",
    "born >= '-infinity'",
    "born BETWEEN '-infinity' AND 'infinity'",
    "born <@ daterange(NULL, NULL)",
    "born <@ '(,)'::daterange",
    "id = ANY (SELECT id FROM people)",
    "id = ANY (ARRAY(SELECT id FROM people))",
    "(id, name) IN (SELECT id, name FROM people)",
    "id IN (SELECT id FROM people OFFSET 0)",
    "id IN (SELECT id FROM people LIMIT ALL)",
    "EXISTS (SELECT 1 FROM people p WHERE p.id = people.id)",
    "(SELECT true)",
    "EXISTS (SELECT 1 FROM pets WHERE id = 3)",
    "nick IN (SELECT nick FROM pets WHERE pets.name = 'x')",
  ])("reports the condition %s", async (where) => {
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
    ["name ~ coalesce(:x, '')", "without `x`"],
    ["starts_with(name, coalesce(:x, ''))", "without `x`"],
    ["name LIKE format('%%%s%%', :x::text)", "without `x`"],
    ["name LIKE concat_ws('', '%', :x::text, '%')", "without `x`"],
    ["name ILIKE '%' || coalesce(nullif(:x, ''), '') || '%'", "without `x`"],
    ["born <@ daterange(:since, :until)", "without `since` and `until`"],
    ["born >= coalesce(:since::date, '-infinity')", "without `since`"],
    ["id <> ALL (coalesce(:few, '{}'::bigint[]))", "without `few`"],
  ])("reports a condition that is true if parameters are absent: %s", async (where, words) => {
    const [line, ...others] = await allRows(`DELETE FROM people WHERE ${where}`);
    expect(line).toContain(`is true for every row ${words}: `);
    expect(others).toEqual([]);
  });

  test.each([
    ["id <> ALL (:ids)", "if `ids` is empty"],
    ["NOT (id = ANY (:ids))", "if `ids` is empty"],
    ["id <> ALL (:few)", "if `few` is empty"],
    ["cardinality(:ids::bigint[]) = 0 OR id = 3 OR id <> ALL (:ids)", "if `ids` is empty"],
    [":ids::bigint[] = '{}' OR id = ANY (:ids)", "if `ids` is empty"],
    ["amounts @> :ids", "if `ids` is empty"],
    [":z = '' OR name = :z", "if `z` is empty"],
    ["nullif(:z, '') IS NULL OR name = :z", "if `z` is empty"],
    ["id <> ALL (:ids) AND (:n::bigint IS NULL OR id = :n)", "without `n`, if `ids` is empty"],
  ])("reports a condition that is true if parameters are empty: %s", async (where, words) => {
    const table = where.startsWith("amounts") ? "sums" : "people";
    const [line, ...others] = await allRows(`DELETE FROM ${table} WHERE ${where}`);
    expect(line).toContain(`is true for every row ${words}: `);
    expect(line).toContain(words.includes("without") ? "make `n` required" : "`minItems: 1`");
    expect(others).toEqual([]);
  });

  test.each([
    "WITH old AS (SELECT id FROM people) DELETE FROM people WHERE id IN (SELECT id FROM old)",
    "WITH old AS (SELECT id FROM people) DELETE FROM people USING old WHERE people.id = old.id",
    "WITH old AS (SELECT id FROM people WHERE :n::bigint IS NULL OR id = :n) DELETE FROM people WHERE id IN (SELECT id FROM old)",
    "UPDATE people SET note = 'x' FROM people p WHERE p.id = people.id",
    "DELETE FROM people USING (SELECT id FROM people) p WHERE p.id = people.id",
    "MERGE INTO people p USING people s ON s.id = p.id WHEN MATCHED THEN DELETE",
  ])("reports a join of the table with all of itself: %s", async (query) => {
    expect(await allRows(query)).toHaveLength(1);
  });

  test.each([
    "MERGE INTO people p USING pets s ON true WHEN MATCHED THEN DELETE",
    "MERGE INTO people p USING pets s ON s.id = 3 WHEN MATCHED THEN UPDATE SET note = 'x'",
    "MERGE INTO people p USING pets s ON :n::bigint IS NULL OR p.id = :n WHEN MATCHED THEN DELETE",
    "MERGE INTO people p USING pets s ON s.owner = p.id WHEN NOT MATCHED BY SOURCE THEN DELETE",
    "MERGE INTO people p USING pets s ON s.owner = p.id WHEN NOT MATCHED BY SOURCE AND 1 = 1 THEN DELETE",
  ])("reports a branch of MERGE without a limit: %s", async (query) => {
    expect(await allRows(query)).toHaveLength(1);
  });
});

describe("change of some rows", () => {
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
    "DELETE FROM people WHERE id <> ALL (:some)",
    "DELETE FROM people WHERE id = ANY (:ids)",
    "DELETE FROM people WHERE id <> ALL (:ids) AND mood = 'bad'",
    "DELETE FROM people WHERE :named = '' OR name = :named",
    "DELETE FROM people WHERE name ~ '^a'",
    "DELETE FROM people WHERE name ~ 'a*b'",
    "DELETE FROM people WHERE name ~ '^a*$'",
    "DELETE FROM people WHERE name ~ '.+'",
    "DELETE FROM people WHERE name SIMILAR TO 'a%'",
    "DELETE FROM people WHERE id + 1 = 3",
    "DELETE FROM people WHERE id + 3 <> 100",
    "DELETE FROM people WHERE id % 7 <> 5",
    "DELETE FROM people WHERE mood <> 'good'",
    "DELETE FROM people WHERE mood IN ('good')",
    "DELETE FROM people WHERE note <> 'a' OR note IS NULL",
    "DELETE FROM people WHERE note = 'a' OR note IS NULL",
    "DELETE FROM people WHERE name <> 'a' AND name <> 'b'",
    "DELETE FROM people WHERE id > 5 OR id < 5",
    "DELETE FROM people WHERE id > 6 OR id <= 5",
    "DELETE FROM people WHERE name = 'a' OR nick <> 'b'",
    "DELETE FROM people WHERE aliases @> '{a}'",
    "DELETE FROM people WHERE aliases <@ '{}'",
    "DELETE FROM people WHERE born < 'infinity' AND born > '2020-01-01'",
    "DELETE FROM people WHERE born <@ daterange(:since, NULL) AND id = 3",
    "DELETE FROM people WHERE ctid IN (SELECT ctid FROM people WHERE note IS NULL LIMIT 2)",
    "DELETE FROM people WHERE id IN (SELECT id FROM people OFFSET 5)",
    "DELETE FROM people WHERE id IN (SELECT max(id) FROM people)",
    "DELETE FROM people WHERE EXISTS (SELECT 1 FROM pets WHERE owner = people.id)",
    "DELETE FROM people WHERE id IN (SELECT id FROM pets WHERE owner = 3)",
    "DELETE FROM people a USING people b WHERE a.id > b.id AND a.name = b.name",
    "UPDATE people p SET note = old.note FROM people old WHERE old.id = p.id AND old.note = 'x'",
    "WITH old AS (SELECT id FROM people WHERE note IS NULL LIMIT 3) DELETE FROM people WHERE id IN (SELECT id FROM old)",
    "UPDATE people SET note = s.note FROM pets s WHERE s.owner = people.id",
    "INSERT INTO pets (id, name) VALUES (1, 'a') ON CONFLICT (id) DO UPDATE SET note = 'x'",
    "INSERT INTO pets (id, name) VALUES (1, 'a')",
    "MERGE INTO people p USING pets s ON s.owner = p.id WHEN MATCHED THEN DELETE",
    "MERGE INTO people p USING pets s ON s.owner = p.id WHEN NOT MATCHED THEN INSERT (name) VALUES ('a')",
    "MERGE INTO people p USING pets s ON true WHEN MATCHED AND p.id = :m THEN DELETE",
    "MERGE INTO people p USING pets s ON s.owner = p.id WHEN NOT MATCHED BY SOURCE AND p.age > 3 THEN DELETE",
  ])("accepts %s", async (query) => {
    expect(await allRows(query)).toEqual([]);
  });

  test("warns of a superfluous `all_rows`", async () => {
    const query = "DELETE FROM people WHERE id = :m";
    expect(await allRows(query, { all_rows: true })).toEqual([
      "warning sql/needless-all-rows at true: the statement doesn't change every row of a table (remove `all_rows: true`, so that skillc reports a `WHERE` that gets lost)",
    ]);
    expect(await allRows("DELETE FROM people", { all_rows: false })).toHaveLength(1);
  });
});
