import { describe, expect, test } from "vitest";
import { ask, askWrite } from "./ask.js";

const high = { risk_level: "high" };

describe("statement that writes", () => {
  const writes: readonly (readonly [query: string, place: string])[] = [
    ["DELETE FROM people WHERE id = 1", "DELETE"],
    ["INSERT INTO people (name) VALUES ('a') RETURNING id", "INSERT"],
    ["WITH gone AS (DELETE FROM pets WHERE id = 1 RETURNING id) SELECT id FROM gone", "DELETE"],
    ["SELECT id FROM people FOR UPDATE", "FOR UPDATE"],
    ["SELECT id FROM people p FOR SHARE OF p", "p"],
    ["SELECT pg_notify('a', 'b')::text AS n", "pg_notify"],
    ["SELECT pure(1) AS n", "pure"],
  ];

  test.each(writes)("rejects a write that is declared a read: %s", async (query, place) => {
    const [line, ...others] = await ask({ query, tool: high, binding: { read_only: true } });
    expect(line).toMatch(`error sql/write-called-read at ${place}: `);
    expect(others).toEqual([]);
  });

  test.each(writes)("rejects a write whose effect is not declared: %s", async (query, place) => {
    const [line, ...others] = await ask({ query });
    expect(line).toMatch(`error sql/undeclared-write at ${place}: `);
    expect(others).toEqual([]);
  });

  test.each(["low", "medium", undefined])("rejects the risk %s", async (risk) => {
    const tool = risk === undefined ? {} : { risk_level: risk };
    const found = await ask({
      query: "DELETE FROM people WHERE id = 1",
      tool,
      binding: { read_only: false },
    });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^error sql\/write-risk at false: /);
  });

  test.each(["high", "critical"])("accepts the risk %s, in shadow mode too", async (risk) => {
    const tool = { risk_level: risk };
    const query = "DELETE FROM people WHERE id = 1";
    expect(await ask({ query, tool, binding: { read_only: false } })).toEqual([]);
    const shadow = { read_only: false, mode: "shadow" };
    expect(await ask({ query, tool, binding: shadow })).toEqual([]);
  });

  test("treats TRUNCATE as a write", async () => {
    expect(await ask({ query: "TRUNCATE people, pets" })).toContain(
      "error sql/undeclared-write at TRUNCATE: the statement has TRUNCATE, but the binding has no `read_only: false` (if you want the change, write `read_only: false` in the binding, and `risk_level: high` in the tool beside `binding`)",
    );
  });

  test("rejects retries unless repeating does no harm", async () => {
    const query = "DELETE FROM people WHERE id = 1";
    const retry = { max_attempts: 3 };
    const [line] = await askWrite({ query, binding: { retry } });
    expect(line).toMatch(/^error retry\/unsafe-write at 3: /);
    expect(await askWrite({ query, binding: { retry, idempotency: "natural" } })).toEqual([]);
  });
});

describe("statement that reads", () => {
  test("warns of a read that is declared a write", async () => {
    expect(await askWrite({ query: "SELECT id FROM people" })).toEqual([
      "warning sql/read-called-write at false: the statement only reads (remove `read_only: false`: a read needs no high risk level and can be repeated)",
    ]);
  });

  test.each([
    "SELECT value -> 'a' AS a, hstore_to_jsonb(value) AS j FROM settings WHERE name = 'X'",
    "SELECT uuid_generate_v4() AS id, uuid_generate_v5(uuid_ns_dns(), 'a') AS other",
    "SELECT column_name::text AS name FROM information_schema.columns",
  ])("may use functions of PostgreSQL and its extensions: %s", async (query) => {
    expect(await ask({ query })).toEqual([]);
  });

  test("counts as a write if an extension's function runs a text", async () => {
    const [line] = await ask({ query: "SELECT a FROM crosstab('SELECT 1') AS t (a int)" });
    expect(line).toContain("sql/undeclared-write at crosstab: ");
  });

  test("the error for a user's function explains how to allow it", async () => {
    const write =
      "write `read_only: false` in the binding, and `risk_level: high` in the tool beside `binding`";
    expect(await ask({ query: "SELECT pure(1) AS n" })).toEqual([
      `error sql/undeclared-write at pure: the statement calls \`pure\`, which may change something, but the binding has no \`read_only: false\` (if it changes nothing, list it under the database in skillc.yaml: \`harmless_functions: [public.pure]\`; otherwise ${write})`,
    ]);
    expect(await ask({ query: "SELECT pure(1) + counted() AS n" })).toEqual([
      `error sql/undeclared-write at pure: the statement calls \`pure\`, which may change something, but the binding has no \`read_only: false\` (if they change nothing, declare them STABLE or IMMUTABLE in the schema, and list them under the database in skillc.yaml: \`harmless_functions: [public.pure, public.counted]\`; otherwise ${write})`,
    ]);
    const settings = { harmless_functions: ["counted"] };
    expect(await ask({ query: "SELECT counted() AS n", settings })).toEqual([
      `error sql/undeclared-write at counted: the statement calls \`counted\`, which is declared VOLATILE, but the binding has no \`read_only: false\` (if it changes nothing, declare it STABLE or IMMUTABLE in the schema; otherwise ${write})`,
    ]);
    expect(await ask({ query: "SELECT pure(1) AS n FROM people FOR UPDATE" })).toEqual([
      expect.stringContaining(`(if you want the change, ${write})`),
    ]);
  });

  test("may call functions that skillc.yaml lists", async () => {
    const settings = { harmless_functions: ["pure"] };
    expect(await ask({ query: "SELECT pure(1) AS n", settings })).toEqual([]);
  });

  test("accepts retries", async () => {
    const retry = { max_attempts: 5 };
    expect(
      await ask({ query: "SELECT random() AS n", binding: { retry, read_only: true } }),
    ).toEqual([]);
  });
});
