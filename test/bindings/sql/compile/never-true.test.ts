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

describe("a condition that NULL keeps from coming true", () => {
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
  ])("%s", async (where) => {
    expect(await neverTrue(where)).toHaveLength(1);
  });
});

describe("a condition that may come true without the parameter", () => {
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
    "(note = :x) IS NOT TRUE",
    "NOT coalesce(note = :x, false)",
  ])("%s", async (where) => {
    expect(await neverTrue(where)).toEqual([]);
  });
});

test("is said at the placeholder, once a condition, with the type to cast to", async () => {
  const found = await ask({
    query: "SELECT id FROM people WHERE mood = :how AND (note = :x OR nick = :x)",
    parameters: {
      "feeling?": { type: "string", enum: ["good", "bad"] },
      x: { type: ["string", "null"] },
    },
    binding: { parameter_mapping: { how: ":feeling" } },
  });
  expect(found).toEqual([
    "warning sql/never-true at :how: `feeling` may be absent, and then this condition is never true (write `(:how::mood IS NULL OR …)`, or make the parameter required)",
    "warning sql/never-true at :x: `x` may be null, and then this condition is never true (write `(:x::text IS NULL OR …)`, or make the parameter required)",
  ]);
});
