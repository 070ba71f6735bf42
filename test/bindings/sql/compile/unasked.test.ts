import { describe, expect, test } from "vitest";
import { diagnose } from "../../../compiler/whole/compile-untyped.js";

const schema = `
CREATE SEQUENCE numbers;
CREATE FUNCTION ck(int) RETURNS boolean LANGUAGE sql VOLATILE AS 'SELECT true';
CREATE FUNCTION calm(int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true';
CREATE DOMAIN d_ext AS int CHECK (ck(VALUE));
CREATE DOMAIN d_over AS d_ext;
CREATE DOMAIN d_list AS d_ext[];
CREATE DOMAIN d_calm AS int CHECK (calm(VALUE));
CREATE DOMAIN d_plain AS int CHECK (VALUE > 0 AND VALUE < 100);
CREATE DOMAIN d_seq AS int CHECK (VALUE <> nextval('numbers'));
CREATE TYPE comp AS (x d_ext, y int);
CREATE TYPE deep AS (c comp);
CREATE TYPE span AS RANGE (subtype = d_ext);
CREATE TABLE rls (id int PRIMARY KEY, tags d_ext[], one d_ext, plain d_plain);
CREATE FUNCTION rlsf(int) RETURNS boolean LANGUAGE sql VOLATILE AS 'SELECT true';
ALTER TABLE rls ENABLE ROW LEVEL SECURITY;
CREATE POLICY mine ON rls FOR SELECT USING (rlsf(id));
CREATE VIEW over_rls AS SELECT id FROM rls;
CREATE TABLE open (id int PRIMARY KEY, tags d_ext[], one d_ext, plain d_plain);
CREATE POLICY unused ON open USING (rlsf(id));
CREATE TABLE writes (id int PRIMARY KEY);
ALTER TABLE writes ENABLE ROW LEVEL SECURITY;
CREATE POLICY writing ON writes FOR UPDATE USING (rlsf(id));
CREATE POLICY reading ON writes FOR SELECT USING (id > 0);
CREATE TABLE asks (id int PRIMARY KEY);
ALTER TABLE asks ENABLE ROW LEVEL SECURITY;
CREATE POLICY asking ON asks USING (EXISTS (SELECT 1 FROM rls r WHERE r.id = asks.id));
CREATE VIEW casting AS SELECT 1::d_ext AS x;
CREATE FUNCTION takes(d_ext) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
CREATE FUNCTION gather(int, int) RETURNS int LANGUAGE sql VOLATILE AS 'SELECT 1';
CREATE AGGREGATE gathered(int) (SFUNC = gather, STYPE = int);
CREATE AGGREGATE counted(int) (SFUNC = int4pl, STYPE = int);
CREATE TABLE virtual (
  id int PRIMARY KEY, name text,
  twice int GENERATED ALWAYS AS (id * 2) VIRTUAL, loud text GENERATED ALWAYS AS (upper(name)), kept int GENERATED ALWAYS AS (calm(id)::int) STORED
);
CREATE VIEW over_virtual AS SELECT twice, loud FROM virtual;
`;

/** Reasons for which the compiler treats a statement as a write. */
async function reasons(query: string, parameters: object = {}): Promise<readonly string[]> {
  const metadata = {
    tools: {
      ask: {
        description: "Asks.",
        ...parameters,
        binding: { type: "sql", connection: "${DB}", query },
      },
    },
  };
  const settings = { schema: "db.sql", harmless_functions: ["takes", "gathered", "counted"] };
  const { diagnostics } = await diagnose({
    "skillc.yaml": JSON.stringify({ databases: { DB: settings } }),
    "db.sql": schema,
    "skills/desk/SKILL.md": "---\nname: desk\ndescription: Asks.\n---\n",
    "skills/desk/metadata.json": JSON.stringify(metadata),
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

const check =
  "the statement needs the check of the domain `public.d_ext`, which calls `ck`, which may change something";

describe("SELECT that evaluates the check of a domain with a volatile function", () => {
  test.each([
    "SELECT 1::d_ext AS x",
    "SELECT CAST(:n AS d_ext) AS x",
    "SELECT array[1]::d_ext[] AS x",
    "SELECT 1::d_over AS x",
    "SELECT '{1}'::d_list AS x",
    "SELECT ROW(1, 2)::comp AS x",
    "SELECT ROW(ROW(1, 2))::deep AS x",
    "SELECT '[1,2)'::span AS x",
    "SELECT x FROM jsonb_populate_record(null::comp, '{}')",
    "SELECT x FROM jsonb_populate_recordset(null::comp, '[]')",
    "SELECT x FROM jsonb_to_record('{}') AS z (x d_ext)",
    "SELECT x FROM json_to_recordset('[]') AS z (y int, x d_over)",
    "SELECT json_value('{}', '$.a' RETURNING d_ext) AS x",
    "SELECT x FROM json_table('{}', '$' COLUMNS (x d_ext PATH '$.a')) AS t",
    "SELECT x FROM xmltable('/a' PASSING '<a/>' COLUMNS x d_ext) AS t",
    "SELECT takes(1) AS x",
    "SELECT array_append(tags, 1) AS x FROM open",
    "SELECT ARRAY[one, 3] AS x FROM open",
    "SELECT x.one FROM open o, jsonb_populate_record(o, '{}') AS x",
    "SELECT id FROM open WHERE tags = '{1}'",
    "SELECT coalesce(tags, '{1}') AS x FROM open o",
    "SELECT id FROM open AS o WHERE o.tags IN ('{1}', '{2}')",
    "SELECT x FROM casting",
    "SELECT id FROM writes ORDER BY 1::d_ext",
  ])("counts as a write: %s", async (query) => {
    const n = query.includes(":n") ? { n: { type: "integer", minimum: 1, maximum: 9 } } : {};
    expect(await reasons(query, n)).toContain(check);
  });
});

test("a check that calls a volatile function of PostgreSQL itself makes the statement a write", async () => {
  expect(await reasons("SELECT 1::d_seq AS x")).toEqual([
    "the statement needs the check of the domain `public.d_seq`, which calls `nextval`, which may change something",
  ]);
});

test("a check that calls an unlisted function makes the statement a write", async () => {
  expect(await reasons("SELECT 1::d_calm AS x")).toHaveLength(1);
});

describe("SELECT of rows with a policy that calls a volatile function", () => {
  test.each([
    "SELECT id FROM rls",
    "SELECT count(*) AS n FROM rls",
    "SELECT id FROM over_rls",
    "SELECT id FROM asks",
    "SELECT (SELECT max(id) FROM rls) AS n",
  ])("counts as a write: %s", async (query) => {
    expect(await reasons(query)).toEqual([
      "the statement reads `public.rls`, which calls `rlsf`, which may change something in a policy or a generated column",
    ]);
  });
});

test("a volatile aggregate makes the statement a write, even if it is listed", async () => {
  expect(await reasons("SELECT gathered(id) AS n FROM writes")).toEqual([
    "the statement calls `gathered`, which is declared VOLATILE",
  ]);
  expect(await reasons("SELECT counted(id) AS n FROM writes")).toEqual([]);
});

describe("SELECT without side effects", () => {
  test.each([
    "SELECT one, tags, plain FROM open",
    "SELECT * FROM open",
    "SELECT coalesce(one, 3) AS x FROM open WHERE one IN (1, 2)",
    "SELECT one + 1 AS n FROM open WHERE one > 3",
    "SELECT 5::d_plain AS x",
    "SELECT id FROM writes",
    "SELECT count(*) AS n, max(one) AS m FROM open",
    "SELECT twice, loud, kept FROM virtual",
    "SELECT id FROM virtual WHERE twice > 3",
    "SELECT twice FROM over_virtual",
  ])("counts as a read: %s", async (query) => {
    expect(await reasons(query)).toEqual([]);
  });
});

test("PostgreSQL accepts no user's function in a generated column that is not stored", async () => {
  for (const volatility of ["IMMUTABLE", "VOLATILE"]) {
    const { diagnostics } = await diagnose({
      "skillc.yaml": "databases: { DB: { schema: db.sql } }\n",
      "db.sql": `CREATE FUNCTION f(int) RETURNS int LANGUAGE sql ${volatility} AS 'SELECT 1';\nCREATE TABLE t (id int, v int GENERATED ALWAYS AS (f(id)) VIRTUAL);\n`,
      "skills/desk/SKILL.md":
        '---\nname: desk\ndescription: Asks.\ntools:\n  ask: { description: Asks., binding: { type: sql, connection: "${DB}", query: SELECT v FROM t } }\n---\n',
    });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "sql/schema-does-not-load", span: { file: "db.sql" } },
    ]);
  }
});
