import { describe, expect, test } from "vitest";
import { diagnose } from "../../../compiler/whole/compile-untyped.js";

const acting = (signature: string, returns: string, value: string, volatility = "VOLATILE") =>
  `CREATE FUNCTION ${signature} RETURNS ${returns} LANGUAGE plpgsql ${volatility} AS $$ BEGIN RETURN ${value}; END $$;`;

const schema = `
CREATE SEQUENCE numbers;
${acting("bad(int)", "boolean", "true")}
${acting("constant(int)", "int", "1", "IMMUTABLE")}
CREATE DOMAIN d_ext AS int CHECK (bad(VALUE));
CREATE TYPE comp AS (x int, y int);
CREATE TYPE mood AS ENUM ('a', 'b');
CREATE TABLE open (id int PRIMARY KEY, tags d_ext[], c comp, m mood);
CREATE TABLE plain (id int PRIMARY KEY, n int);

${acting("comp_json(comp)", "json", "'{}'")}
CREATE CAST (comp AS json) WITH FUNCTION comp_json(comp);
${acting("mood_json(mood)", "json", "'{}'")}
CREATE CAST (mood AS json) WITH FUNCTION mood_json(mood);

${acting("left_out()", "int", "1")}
CREATE FUNCTION with_default(a int, b int DEFAULT left_out()) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
CREATE FUNCTION with_next(a int, b int DEFAULT nextval('numbers')) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
CREATE FUNCTION with_plain(a int, b int DEFAULT 1 + 2) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';

CREATE TABLE partly (id int PRIMARY KEY, n int);
CREATE INDEX ON partly (n) WHERE n > constant(1);
CREATE TABLE computed (id int PRIMARY KEY, n int);
CREATE INDEX ON computed ((n + constant(1)));
CREATE TABLE parts (id int, n int) PARTITION BY RANGE ((n + constant(1)));
CREATE TABLE parent (id int, n int);
CREATE TABLE child (CHECK (n > constant(1))) INHERITS (parent);
CREATE TABLE counted (id int, n int);
CREATE STATISTICS guesses ON (n + constant(1)), id FROM counted;
CREATE TABLE by_column (id int PRIMARY KEY, n int CHECK (constant(n) > 0 AND n > abs(-1)));
CREATE INDEX ON by_column (constant(n));

CREATE TYPE lengths;
CREATE FUNCTION canonical(lengths) RETURNS lengths LANGUAGE internal IMMUTABLE STRICT AS 'int4range_canonical';
CREATE TYPE lengths AS RANGE (subtype = int4, canonical = canonical);
CREATE OR REPLACE FUNCTION canonical(lengths) RETURNS lengths LANGUAGE plpgsql VOLATILE STRICT AS $$ BEGIN RETURN $1; END $$;

CREATE TYPE ordered AS (x int);
${acting("ordered_cmp(ordered, ordered)", "int", "0")}
CREATE OPERATOR CLASS ordered_ops DEFAULT FOR TYPE ordered USING btree AS
  OPERATOR 1 *< (record, record), OPERATOR 3 *= (record, record), FUNCTION 1 ordered_cmp(ordered, ordered);
CREATE TABLE in_order (id int, o ordered);
${acting("int_cmp(int, int)", "int", "0")}
CREATE OPERATOR CLASS my_int_ops FOR TYPE int USING btree AS
  OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 int_cmp(int, int);
CREATE TABLE indexed (id int, n int);
CREATE INDEX ON indexed (n my_int_ops);
CREATE TYPE my_range AS RANGE (subtype = int, subtype_opclass = my_int_ops);

CREATE FUNCTION same(comp, comp) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
${acting("other(comp, comp)", "boolean", "true")}
CREATE OPERATOR === (LEFTARG = comp, RIGHTARG = comp, FUNCTION = same, NEGATOR = !===);
CREATE OPERATOR !=== (LEFTARG = comp, RIGHTARG = comp, FUNCTION = other, NEGATOR = ===);

CREATE TYPE measured;
CREATE FUNCTION measured_in(cstring) RETURNS measured LANGUAGE internal IMMUTABLE STRICT AS 'int4in';
CREATE FUNCTION measured_out(measured) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'int4out';
CREATE FUNCTION measured_modifier(cstring[]) RETURNS int LANGUAGE plpgsql VOLATILE STRICT AS $$ BEGIN RETURN 1; END $$;
CREATE TYPE measured (INPUT = measured_in, OUTPUT = measured_out, TYPMOD_IN = measured_modifier, LIKE = int4);
`;

/** Reasons for which the compiler treats a statement as a write. */
async function reasons(query: string): Promise<readonly string[]> {
  const binding = { type: "sql", connection: "${DB}", query };
  const listed = ["with_default", "with_next", "with_plain", "same"];
  const { diagnostics } = await diagnose({
    "skillc.yaml": JSON.stringify({
      databases: { DB: { schema: "db.sql", harmless_functions: listed } },
    }),
    "db.sql": schema,
    "skills/desk/SKILL.md": "---\nname: desk\ndescription: Asks.\n---\n",
    "skills/desk/metadata.json": JSON.stringify({
      tools: { ask: { description: "Asks.", binding } },
    }),
  });
  expect(
    diagnostics.filter(
      ({ code, severity }) => severity === "error" && code !== "sql/undeclared-write",
    ),
  ).toEqual([]);
  return diagnostics
    .filter(({ code }) => code === "sql/undeclared-write")
    .map(({ message }) => message.replace(/, but the binding has no `read_only: false`$/, ""));
}

const typed = (type: string, called: string) =>
  `the statement has values of the type \`public.${type}\`, which calls \`public.${called}\`, which may change something`;
const planned = (table: string, called: string) =>
  `the statement reads \`public.${table}\`, which calls \`${called}\`, which may change something in an index, a check or a partition key`;
const checked =
  "the statement needs the check of the domain `public.d_ext`, which calls `bad`, which may change something";

describe("SELECT that writes JSON of a type with a user's cast to json", () => {
  test.each([
    ["SELECT to_json(c) AS x FROM open", typed("comp", "comp_json")],
    ["SELECT json_agg(m) AS x FROM open", typed("mood", "mood_json")],
    ["SELECT jsonb_build_object('a', m) AS x FROM open", typed("mood", "mood_json")],
    ["SELECT JSON_OBJECT('a': m) AS x FROM open", typed("mood", "mood_json")],
    ["SELECT row_to_json(o) AS x FROM (SELECT m FROM open) o", typed("mood", "mood_json")],
    ["SELECT to_jsonb(array_agg(m)) AS x FROM open", typed("mood", "mood_json")],
  ])("counts as a write: %s", async (query, reason) => {
    expect(await reasons(query)).toContain(reason);
  });
});

test("a call of a listed function counts as a write if the default of an omitted argument may change something", async () => {
  expect(await reasons("SELECT with_default(1) AS x")).toEqual([
    "the statement leaves out an argument of `public.with_default`, whose default calls `left_out`, which may change something",
  ]);
  expect(await reasons("SELECT with_next(a => 1) AS x")).toEqual([
    "the statement leaves out an argument of `public.with_next`, whose default calls `nextval`, which may change something",
  ]);
});

describe("SELECT whose planning calls a user's function of a constant", () => {
  test.each(["partly", "computed", "parts", "parent", "counted"])(
    "counts as a write: %s",
    async (table) => {
      expect(await reasons(`SELECT id FROM ${table}`)).toEqual([planned(table, "constant")]);
    },
  );
});

test("a SELECT from a table counts as a write if a user's function orders its index", async () => {
  expect(await reasons("SELECT id FROM indexed WHERE n = 5")).toEqual([
    planned("indexed", "public.int_cmp"),
  ]);
});

describe("SELECT with values of a type that a user's function reads or orders", () => {
  test.each([
    ["SELECT '[1,2)'::lengths AS x", typed("lengths", "canonical")],
    ["SELECT '{[1,2)}'::lengths_multirange AS x", typed("lengths_multirange", "canonical")],
    ["SELECT '[1,2)'::my_range AS x", typed("my_range", "int_cmp")],
    ["SELECT DISTINCT o FROM in_order", typed("ordered", "ordered_cmp")],
    ["SELECT id FROM in_order GROUP BY id, o", typed("ordered", "ordered_cmp")],
    ["SELECT ARRAY[o] = ARRAY[o] AS x FROM in_order", typed("ordered", "ordered_cmp")],
    ["SELECT '5'::measured(3) AS x", typed("measured", "measured_modifier")],
  ])("counts as a write: %s", async (query, reason) => {
    expect(await reasons(query)).toContain(reason);
  });
});

test("an operator counts as a write if its negator may change something, because a plan may use the negator", async () => {
  expect(await reasons("SELECT NOT (c === c) AS x FROM open")).toEqual([
    "the statement uses the operator `===`, whose function `public.other` may change something",
  ]);
});

describe("SELECT that makes values of a domain without naming it", () => {
  test.each([
    "SELECT tags FROM open UNION SELECT '{1}'",
    "SELECT v.x FROM open, LATERAL (VALUES (tags), ('{1}')) AS v (x)",
    "SELECT o.a FROM open AS o (a, b) WHERE o.b = '{1}'",
    "SELECT j.b FROM (open o CROSS JOIN plain) AS j (a, b) WHERE j.b = '{1}'",
    "SELECT pg_input_is_valid('5', 'd_ext') AS x",
    "SELECT message FROM pg_input_error_info('{5}', 'd_ext[]')",
  ])("counts as a write: %s", async (query) => {
    expect(await reasons(query)).toContain(checked);
  });
});

test("a call that reads text as a type named in a column counts as a write", async () => {
  expect(await reasons("SELECT pg_input_is_valid('5', m::text) AS x FROM open")).toEqual([
    "the statement calls `pg_input_is_valid`, which may change something",
  ]);
});

describe("SELECT without side effects", () => {
  test.each([
    "SELECT id, m, c FROM open WHERE m = 'a' ORDER BY m",
    "SELECT json_agg(id) AS x FROM open",
    "SELECT with_default(1, 2) AS x, with_plain(1) AS y",
    "SELECT id FROM by_column WHERE n > 3",
    "SELECT pg_input_is_valid('5', 'integer') AS x, pg_input_is_valid('5', 'numeric(3, 1)[]') AS y",
    "SELECT id FROM plain UNION SELECT 5",
    "SELECT '[1,2)'::int4range AS x",
  ])("counts as a read: %s", async (query) => {
    expect(await reasons(query)).toEqual([]);
  });
});
