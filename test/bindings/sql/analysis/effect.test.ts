import { PGlite } from "@electric-sql/pglite";
import { loadModule, parseSync } from "libpg-query";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Effect, effectOf } from "../../../../src/bindings/sql/analysis/effect/effect.js";
import {
  MACHINERY,
  SIDE_EFFECT_FREE,
  SIDE_EFFECTING,
} from "../../../../src/bindings/sql/analysis/effect/side-effects.js";
import { marksSession } from "../../../../src/bindings/sql/analysis/effect/effect-reason.js";
import type { Snapshot } from "../../../../src/bindings/sql/database/snapshot.js";
import { readSnapshot } from "./read-snapshot.js";

let db: PGlite;
let snapshot: Snapshot;
beforeAll(async () => {
  await loadModule();
  db = await PGlite.create();
  await db.exec(`
CREATE TABLE t (id int PRIMARY KEY, name text, tags text[], meta jsonb);
CREATE SEQUENCE seq;
CREATE FUNCTION act() RETURNS int LANGUAGE sql VOLATILE AS 'INSERT INTO t VALUES (1) RETURNING id';
CREATE FUNCTION act_on(t) RETURNS int LANGUAGE sql VOLATILE AS 'SELECT 1';
CREATE FUNCTION look(int) RETURNS int LANGUAGE sql STABLE AS 'SELECT 1';
CREATE FUNCTION gather(int, int) RETURNS int LANGUAGE sql VOLATILE AS 'SELECT 1';
CREATE AGGREGATE gathered(int) (SFUNC = gather, STYPE = int);
CREATE FUNCTION lower(t) RETURNS text LANGUAGE sql VOLATILE AS 'SELECT NULL';
CREATE VIEW plain AS SELECT id, upper(name) AS name FROM t;
CREATE VIEW acting AS SELECT id, act() AS a FROM t;
CREATE VIEW over_acting AS SELECT * FROM acting;
CREATE MATERIALIZED VIEW stored AS SELECT id, random() AS r FROM t;
CREATE TYPE pair AS (a int, b int);
CREATE FUNCTION pair_plus(pair, pair) RETURNS pair LANGUAGE sql VOLATILE AS 'SELECT $1';
CREATE OPERATOR + (LEFTARG = pair, RIGHTARG = pair, FUNCTION = pair_plus);
CREATE FUNCTION pair_of(int) RETURNS pair LANGUAGE sql VOLATILE AS 'SELECT NULL::pair';
CREATE CAST (int AS pair) WITH FUNCTION pair_of(int);
CREATE FUNCTION as_text(pair) RETURNS text LANGUAGE sql VOLATILE AS 'SELECT NULL::text';
CREATE CAST (pair AS text) WITH FUNCTION as_text(pair) AS IMPLICIT;
CREATE TABLE pairs (p pair NOT NULL, n int);
CREATE SCHEMA other; CREATE FUNCTION other.look(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';`);
  snapshot = await readSnapshot(db);
}, 60_000);
afterAll(() => db.close());

function effect(sql: string, listed: readonly string[] = []): Effect {
  const tree = parseSync(sql).stmts?.[0]?.stmt;
  if (tree === undefined) throw new Error(`no statement: ${sql}`);
  return effectOf(tree, snapshot, { listed: new Set(listed) });
}

describe("statement that only reads", () => {
  test.each([
    "SELECT * FROM t",
    "SELECT count(*), max(id), array_agg(name ORDER BY id) FILTER (WHERE id > 1) FROM t GROUP BY lower(name) HAVING count(*) > 1",
    "SELECT row_number() OVER (PARTITION BY name ORDER BY id) FROM t",
    "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 9) SELECT * FROM r",
    "SELECT * FROM plain JOIN stored USING (id) WHERE name LIKE 'a%' ORDER BY 1 LIMIT 3",
    "SELECT now(), random(), gen_random_uuid(), clock_timestamp(), current_date, pg_typeof(1)",
    "SELECT id + 1, name || 'x', id::text, id BETWEEN 1 AND 2, name IS DISTINCT FROM 'x', (id, name) = (1, 'x'), id IN (1, 2), id = ANY ($1) FROM t",
    "SELECT tags[1], meta ->> 'a', (SELECT max(x.id) FROM t x WHERE x.id = t.id), CASE id WHEN 1 THEN 2 END, coalesce(name, ''), EXISTS (SELECT 1) FROM t",
    "SELECT * FROM unnest(ARRAY[1, 2]) WITH ORDINALITY, generate_series(1, 3), jsonb_each('{}'), LATERAL (VALUES (1)) v",
    "VALUES (1, 'a')",
    "SELECT date('2020-01-01'), text(id), extract(year from now()), trim(name), json_object('a': 1), json_value('{}', '$.a') FROM t",
    "SELECT * FROM t TABLESAMPLE system (10)",
    "SELECT t.id, t.name, t, t.* FROM t",
    "SELECT * FROM t UNION SELECT * FROM t ORDER BY 1 FETCH FIRST 3 ROWS ONLY",
    "SELECT last_value FROM seq",
    "SELECT table_name, data_type FROM information_schema.columns",
    "SELECT json_arrayagg(name) AS q, json_objectagg('k' VALUE 1) AS q2 FROM t",
    "SELECT '1'::pair, n + 1, n = n FROM pairs WHERE false",
  ])("counts as a read: %s", (sql) => {
    const found = effect(sql, sql.includes("pairs") ? ["as_text"] : []);
    expect(found.reasons.filter(({ kind }) => !(kind === "cast" && sql.includes("pairs")))).toEqual(
      [],
    );
  });
});

describe("statement that may change something", () => {
  test.each<[sql: string, ...reasons: string[]]>([
    ["INSERT INTO t VALUES (1)", "modifies INSERT @12"],
    ["UPDATE t SET id = 1", "modifies UPDATE @7"],
    ["DELETE FROM t", "modifies DELETE @12"],
    ["MERGE INTO t USING plain p ON p.id = t.id WHEN MATCHED THEN DELETE", "modifies MERGE @11"],
    ["WITH d AS (DELETE FROM t RETURNING id) SELECT * FROM d", "modifies DELETE @23"],
    ["SELECT * INTO copy FROM t", "into INTO @14"],
    ["SELECT * FROM t FOR UPDATE", "lock FOR UPDATE"],
    ["SELECT * FROM t FOR KEY SHARE OF t", "lock FOR KEY SHARE @33"],
    ["SELECT * FROM (SELECT id FROM t FOR SHARE) x", "lock FOR SHARE"],
    ["TRUNCATE t", "modifies TRUNCATE"],
    ["CALL act()", "not-understood CallStmt"],
    ["SELECT act()", "function act @7"],
    ["SELECT look(1)", "function look @7"],
    ["SELECT other.look(1)", "function other.look @7"],
    ["SELECT no_such(1)", "function no_such @7"],
    ["SELECT nextval('seq')", "function nextval @7"],
    ["SELECT 1 FROM t ORDER BY setval('seq', 1)", "function setval @25"],
    ["SELECT 1 LIMIT (SELECT act())", "function act @23"],
    ["SELECT * FROM act()", "function act @14"],
    ["SELECT * FROM t, LATERAL (VALUES (act())) v", "function act @34"],
    [
      "SELECT count(*) FILTER (WHERE act() = 1) OVER (ORDER BY act()) FROM t",
      "function act @30",
      "function act @56",
    ],
    ["SELECT gathered(id) FROM t", "function gathered @7"],
    ["SELECT t.act_on FROM t", "function act_on @7"],
    ["SELECT act_on(t) FROM t", "function act_on @7"],
    ["SELECT (x).act_on FROM (SELECT t AS x FROM t) y", "function act_on"],
    ["SELECT lower(t) FROM t", "function lower @7"],
    ["SELECT * FROM acting", "function act @14 in public.acting"],
    ["SELECT * FROM over_acting o", "function act @14 in public.acting"],
    ["SELECT p + p FROM pairs", "operator + @9", "cast pair as text"],
    ["SELECT n::pair FROM pairs", "cast pair @8", "cast pair as text"],
    ["SELECT p FROM pairs", "cast pair as text"],
    ["SELECT * FROM t TABLESAMPLE odd (1)", "sample odd @28"],
    ["SELECT set_config('a.b', 'c', false)", "function set_config @7"],
    [
      "SELECT pg_advisory_lock(1), pg_notify('a', 'b'), pg_sleep(1)",
      "function pg_advisory_lock @7",
      "function pg_notify @28",
      "function pg_sleep @49",
    ],
    [
      "SELECT lo_get(1), pg_read_file('/etc/passwd'), pg_terminate_backend(1)",
      "function lo_get @7",
      "function pg_read_file @18",
      "function pg_terminate_backend @47",
    ],
    ["SELECT query_to_xml('DELETE FROM t', true, true, '')", "function query_to_xml @7"],
    ["SELECT table_to_xml('acting', true, true, '')", "function table_to_xml @7"],
    ["SELECT * FROM dblink('x', 'y') AS d (a int)", "function dblink @14"],
    ["SELECT pg_catalog.setseed(0.5)", "function pg_catalog.setseed @7"],
    ["SELECT $1::regclass, nextval($1)", "function nextval @21"],
  ])("counts as a write, with its reasons: %s", (sql, ...reasons) => {
    const found = effect(sql);
    expect(found.effect).toBe("write");
    expect(
      found.reasons.map(({ kind, name, location, view }) =>
        [
          kind,
          name,
          ...(location === undefined ? [] : [`@${location}`]),
          ...(view === undefined ? [] : ["in", view]),
        ].join(" "),
      ),
    ).toEqual(reasons);
  });
});

describe("function of the user", () => {
  test("counts as a read if it is listed and not volatile", () => {
    expect(effect("SELECT look(1)", ["look"]).effect).toBe("read");
    expect(effect("SELECT look(1)", ["public.look"]).effect).toBe("read");
    expect(effect("SELECT look(1)", ["other.look"]).effect).toBe("write");
    expect(effect("SELECT act()", ["act"]).effect).toBe("write");
  });
});

test("the reason names the function behind an operator", () => {
  const [reason] = effect("SELECT p + p FROM pairs", ["as_text"]).reasons;
  expect(reason).toEqual({
    kind: "operator",
    name: "+",
    functions: ["public.pair_plus"],
    remedy: { functions: ["public.pair_plus"], list: true, declare: true },
    location: 9,
  });
});

test("every volatile function of pg_catalog is classified", async () => {
  const { rows } = await db.query<{ name: string }>(
    "SELECT DISTINCT proname AS name FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND provolatile = 'v'",
  );
  const names = rows.map(({ name }) => name);
  const ways = (name: string) =>
    [SIDE_EFFECTING.has(name), SIDE_EFFECT_FREE.has(name), MACHINERY.test(name)].filter(Boolean)
      .length;
  expect(names.filter((name) => ways(name) !== 1)).toEqual([]);
});

describe("statement that may leave something in its session", () => {
  const marks = (sql: string) => marksSession(effect(sql).reasons);

  test.each([
    "SELECT set_config('datestyle', 'German', false)",
    "SELECT pg_catalog.pg_advisory_lock(1)",
    "INSERT INTO t (id) SELECT 1 WHERE pg_try_advisory_lock_shared(1)",
    "SELECT setseed(0.5)",
    "SELECT act()",
    "UPDATE t SET id = act()",
    "SELECT * FROM over_acting",
    "INSERT INTO t (id) VALUES (unknown_function())",
    "SELECT p + p FROM pairs",
    "SELECT query_to_xml('SELECT 1', true, true, '')",
  ])("reports the session state that it leaves: %s", (sql) => {
    expect(marks(sql)).toBe(true);
  });

  test.each([
    "SELECT 1",
    "INSERT INTO t (id) VALUES (nextval('seq')) RETURNING id",
    "DELETE FROM t",
    "SELECT * FROM t FOR UPDATE",
    "SELECT pg_advisory_xact_lock(1)",
    "SELECT pg_notify('a', 'b')",
    "INSERT INTO t (id) SELECT random()::int",
  ])("a statement that leaves nothing in its session is not marked: %s", (sql) => {
    expect(marks(sql)).toBe(false);
  });
});

test("reading a foreign table that runs a program on the server is a write", () => {
  const relations = snapshot.relations.map((each) =>
    each.name === "pairs" ? ({ ...each, kind: "foreign", program: true } as const) : each,
  );
  const tree = parseSync("SELECT n FROM pairs").stmts?.[0]?.stmt;
  if (tree === undefined) throw new Error("no statement");
  expect(effectOf(tree, { ...snapshot, relations }).reasons).toContainEqual({
    kind: "program",
    name: "public.pairs",
    location: 14,
  });
});
