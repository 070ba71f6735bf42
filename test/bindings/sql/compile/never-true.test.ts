import { describe, expect, test } from "vitest";
import { ask, text } from "./ask.js";

const parameters = { "x?": text, "y?": text, z: text };

async function neverTrue(where: string): Promise<readonly string[]> {
  const unused = ["x", "y", "z"].filter((name) => !where.includes(`:${name}`));
  const found = await ask({
    query: `SELECT p.id FROM people p WHERE ${where}`,
    parameters,
    tool: { unused },
  });
  return found.filter((line) => line.includes("sql/never-true"));
}

describe("condition that is never true with NULL", () => {
  test.each([
    "note = :x",
    "note = :x::text AND age > 3",
    "age > 3 AND (note = :x AND nick = :z)",
    "note LIKE '%' || :x || '%'",
    "lower(note) = lower(:x)",
    "note IN (:x)",
    "note NOT IN (:x, :z)",
    "note = ANY (ARRAY['a']) AND nick <> :x",
    "note BETWEEN :x AND :z",
    "note = :x OR nick = :x",
    "NOT (note <> :x)",
    "(note = :x) IS NOT NULL",
    "EXISTS (SELECT 1 FROM pets t WHERE t.name = :x)",
    "id IN (SELECT t.owner FROM pets t JOIN people q ON q.nick = :x)",
    "coalesce(:x, NULL) = note",
    "(:x IS NOT NULL AND note = 'a')".replace(":x", ":x::text"),
    "(note, id) = (:x, 1)",
    "(id, note) IN ((1, :x), (2, :x))",
    "(SELECT count(*) FILTER (WHERE t.name = :x) FROM pets t) > 1",
    "CASE WHEN note = :x THEN true ELSE false END",
    "CASE WHEN age > 3 THEN true WHEN age > 2 AND note = :x THEN true ELSE false END",
  ])("warns of %s", async (where) => {
    expect(await neverTrue(where)).toHaveLength(1);
  });
});

describe("condition that may be true without the parameter", () => {
  test.each([
    "note = :z",
    ":x::text IS NULL OR note = :x",
    "(:x::text IS NULL OR note = :x) AND (:y::text IS NULL OR nick = :y)",
    "note IS NOT DISTINCT FROM :x",
    "note = coalesce(:x, note)",
    "note = ANY (ARRAY['a'] || :x::text)",
    "note IN (:x, :z)",
    "note NOT BETWEEN :x AND :z",
    "note = 'a' OR nick = :x",
    "CASE WHEN :x::text IS NULL THEN true ELSE note = :x END",
    "NOT EXISTS (SELECT 1 FROM pets t WHERE t.name = :x)",
    ":x::text IS NULL OR EXISTS (SELECT 1 FROM pets t WHERE t.name = :x)",
    "concat(:x::text, 'a') = note",
    "(note, id) <> (:x, 1)",
    "(note, id) < (:x, 1)",
    "(id, note) IN ((1, :x), (2, 'a'))",
    "(SELECT count(*) FILTER (WHERE :x::text IS NULL OR t.name = :x) FROM pets t) > 1",
    "CASE WHEN :x::text IS NOT NULL AND note = :x THEN true ELSE false END",
    "CASE WHEN :x::text IS NULL THEN true WHEN note = :x THEN true ELSE false END",
    "CASE WHEN :x::text IS NULL THEN true ELSE EXISTS (SELECT 1 FROM pets t WHERE t.name = :x) END",
    "CASE age WHEN 1 THEN note = :x ELSE true END",
    "(note = :x) IS NOT TRUE",
    "NOT coalesce(note = :x, false)",
  ])("does not warn of %s", async (where) => {
    expect(await neverTrue(where)).toEqual([]);
  });
});

describe("comparison with a literal NULL", () => {
  const never = "warning sql/never-true at NULL: a comparison with NULL is never true";

  test.each([
    ["note = NULL", "write `IS NULL`"],
    ["NOT NULL::text = note", "write `IS NULL`"],
    ["note <> NULL OR age > 3", "write `IS NOT NULL`"],
    ["age < NULL", "compare with a value, or remove it"],
    ["note LIKE NULL", "compare with a value, or remove it"],
    ["note IN (NULL)", "write `IS NULL`"],
    ["note NOT IN ('a', NULL)", "compare with a value, or remove it"],
    ["CASE note WHEN NULL THEN true ELSE false END", "write `IS NULL`"],
    ["(SELECT count(*) FILTER (WHERE t.name = NULL) FROM pets t) > 1", "write `IS NULL`"],
  ])("warns that it is never true: %s", async (where, help) => {
    expect(await neverTrue(where)).toEqual([`${never} (${help})`]);
  });

  test.each([
    "note IS NULL",
    "note IS NOT DISTINCT FROM NULL",
    "note IN ('a', NULL)",
    "coalesce(note, NULL) = 'a'",
    "CASE WHEN age > 3 THEN NULL ELSE true END",
  ])("does not warn of %s", async (where) => {
    expect(await neverTrue(where)).toEqual([]);
  });
});

test("the warning for a parameter of any type suggests how to exclude null", async () => {
  const query = "SELECT id FROM people WHERE note = :x";
  expect(await ask({ query, parameters: { x: true } })).toEqual([
    "warning sql/never-true at :x: `x` may be null, which makes this condition never true (write `(:x::text IS NULL OR …)`, or give the parameter a type without null)",
    "warning sql/parameter-may-not-fit at :x: `x` may be anything, and `text` takes a string (make it `type: string`)",
  ]);
});

test("the warning points at the placeholder, once for each condition, with the type to cast to", async () => {
  const found = await ask({
    query: "SELECT id FROM people WHERE mood = :how AND (note = :x OR nick = :x)",
    parameters: {
      "feeling?": { type: "string", enum: ["good", "bad"] },
      x: { type: ["string", "null"] },
    },
    binding: { parameter_mapping: { how: ":feeling" } },
  });
  expect(found).toEqual([
    "warning sql/never-true at :how: `feeling` may be absent, which makes this condition never true (write `(:how::mood IS NULL OR …)`, or make the parameter required)",
    "warning sql/never-true at :x: `x` may be null, which makes this condition never true (write `(:x::text IS NULL OR …)`, or give the parameter a type without null)",
  ]);
});
