import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EmbeddedEngine } from "../../../../src/bindings/sql/database/engine.js";
import { openEmbedded } from "../../../../src/bindings/sql/database/pglite.js";
import { embedded } from "./engines.js";

const SCHEMA = `
SELECT pg_catalog.set_config('search_path', '', false);
SET default_tablespace = '';
CREATE EXTENSION IF NOT EXISTS "uuid-ossp" WITH SCHEMA public;
CREATE SCHEMA audit AUTHORIZATION auditor;
CREATE TYPE public.mood AS ENUM ('happy', 'sad');
CREATE TABLE public.people (id bigint PRIMARY KEY, name text, mood public.mood);
ALTER TABLE public.people OWNER TO nobody_here;
GRANT SELECT ON public.people TO reader;
ALTER TABLE public.people ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON public.people TO reader USING (true);
CREATE ROLE reader;
CREATE SUBSCRIPTION s CONNECTION 'host=nowhere' PUBLICATION p;
BEGIN;
INSERT INTO public.people VALUES (1, 'Ada', 'happy');
COMMIT;
`;

describe("embedded engine", () => {
  let engine: EmbeddedEngine;
  beforeAll(async () => {
    engine = await embedded(SCHEMA);
  });
  afterAll(() => engine.close());

  const describeFault = async (sql: string) => {
    const described = await engine.describe(sql);
    if (described.kind === "described") throw new Error(`PostgreSQL takes ${sql}`);
    return described.error;
  };

  test("its version is the one that the documentation names", async () => {
    const [row] = await engine.rows("SELECT current_setting('server_version_num') AS version");
    const docs = await readFile("docs/sql/connect-a-database.md", "utf8");
    expect(docs).toContain(
      `The embedded PostgreSQL has version ${Math.floor(Number(row?.["version"]) / 10_000)},`,
    );
  });

  test("describes parameters and columns on the search path of the connection", async () => {
    expect(
      await engine.describe("SELECT id, name FROM people WHERE id = $1 AND name = $2"),
    ).toEqual({
      kind: "described",
      parameters: [20, 25],
      columns: [
        { name: "id", type: 20 },
        { name: "name", type: 25 },
      ],
    });
    expect(await engine.rows("SHOW search_path")).toEqual([{ search_path: "public" }]);
  });

  test("keeps U+FEFF at the start of names and texts", async () => {
    expect(await engine.describe(`SELECT 1 AS "\ufeffmark"`)).toMatchObject({
      columns: [{ name: "\ufeffmark" }],
    });
    expect(await engine.rows("SELECT U&'\\FEFFtext' AS it")).toEqual([{ it: "\ufefftext" }]);
  });

  test("reports the reason and the position of a rejected statement, in code points", async () => {
    expect(await describeFault("SELECT '😀é', nam FROM people")).toEqual({
      code: "42703",
      message: 'column "nam" does not exist',
      position: 14,
      hint: 'Perhaps you meant to reference the column "people.name".',
    });
    expect(await describeFault("SELECT 1; DELETE FROM people")).toMatchObject({ code: "42601" });
    expect(await describeFault("INSERT INTO people (mood) VALUES ('angry')")).toMatchObject({
      code: "22P02",
    });
  });

  test("finds errors that only the planner reports", async () => {
    const upsert = "INSERT INTO people (name) VALUES ($1) ON CONFLICT (name) DO NOTHING";
    expect(await engine.describe(upsert)).toMatchObject({ kind: "described" });
    expect(await engine.plan(upsert)).toMatchObject({ code: "42P10" });
    expect(await engine.plan("SELECT nope FROM people")).toMatchObject({
      code: "42703",
      position: 8,
    });
    expect(await engine.plan("UPDATE people SET name = $1 WHERE id = $2")).toBeUndefined();
    expect(await engine.plan("TRUNCATE people")).toBeUndefined();
  });

  test("plans without running functions of the schema, which may never end", async () => {
    const endless = await embedded(`
      CREATE TABLE notes (id int, body text);
      CREATE FUNCTION forever(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN LOOP END LOOP; END';
      CREATE FUNCTION everlasting(int) RETURNS bigint STABLE LANGUAGE sql AS
        'WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT 1 FROM r) SELECT count(*) FROM r';
      CREATE FUNCTION slug(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT lower($1)';
      CREATE UNIQUE INDEX ON notes (slug(body)) WHERE slug(body) <> '';`);
    expect(await endless.plan("SELECT forever(1)")).toBeUndefined();
    expect(await endless.plan("SELECT id FROM notes WHERE id > everlasting(1)")).toBeUndefined();
    const upsert =
      "INSERT INTO notes VALUES (1, $1) ON CONFLICT (slug(body)) WHERE slug(body) <> '' DO NOTHING";
    expect(await endless.plan(upsert)).toBeUndefined();
    expect(await endless.plan(upsert.replace("slug(body) <> ''", "id > 0"))).toMatchObject({
      code: "42P10",
    });
    const volatility =
      "SELECT provolatile::text AS v FROM pg_proc WHERE proname IN ('forever', 'slug')";
    expect(await endless.rows(volatility)).toEqual([{ v: "i" }, { v: "i" }]);
    await endless.close();
  });

  test("changes nothing, whatever the statement is", async () => {
    for (const sql of [
      "DELETE FROM people",
      "TRUNCATE people",
      "SELECT 1; DELETE FROM people",
      "DELETE FROM people; SELECT 1",
      "BEGIN",
      "PREPARE p AS SELECT 1",
    ]) {
      await engine.describe(sql);
      await engine.plan(sql);
    }
    await expect(engine.rows("DELETE FROM people RETURNING id")).rejects.toMatchObject({
      code: "25006",
    });
    expect(await engine.rows("SELECT count(*) FROM people")).toEqual([{ count: "1" }]);
    expect(await engine.rows("SELECT name FROM pg_prepared_statements WHERE name <> ''")).toEqual(
      [],
    );
    // Inside of one transaction it would stand still.
    const before = await engine.rows("SELECT now()");
    await expect.poll(() => engine.rows("SELECT now()")).not.toEqual(before);
  });

  test("returns every value as text", async () => {
    const sql =
      "SELECT id, name, mood, true AS yes, NULL::int AS none, '{1,2}'::int[] AS list FROM people";
    expect(await engine.rows(sql)).toEqual([
      { id: "1", name: "Ada", mood: "happy", yes: "t", none: null, list: "{1,2}" },
    ]);
  });

  test("answers concurrent queries correctly", async () => {
    const asked = Array.from({ length: 20 }, (_, index) =>
      engine.describe(`SELECT 1 AS c${index}`),
    );
    const names = (await Promise.all(asked)).map(
      (one) => one.kind === "described" && one.columns[0]?.name,
    );
    expect(names).toEqual(asked.map((_, index) => `c${index}`));
  });

  test("answers the next statement after one that broke the engine", async () => {
    const nested = `SELECT '${"[".repeat(100_000)}'::json`;
    const errors = [await engine.describe(nested), await engine.describe(nested)];
    expect(errors).toEqual(
      errors.map(() => ({ kind: "error", error: expect.objectContaining({ code: "54001" }) })),
    );
    expect(await describeFault("SELECT nam FROM people")).toMatchObject({
      code: "42703",
      position: 8,
    });
    await expect(engine.rows("DELETE FROM people RETURNING id")).rejects.toMatchObject({
      code: "25006",
    });
  });

  test("restarts from its image", async () => {
    const files = [{ path: "schema.sql", text: SCHEMA }];
    const opened = await openEmbedded(files, { image: await engine.image() });
    if (opened.kind !== "open") throw new Error("no engine");
    const again = opened.engine;
    expect(await again.describe("SELECT uuid_generate_v4(), name FROM people")).toMatchObject({
      kind: "described",
    });
    await expect(again.rows("DELETE FROM people RETURNING id")).rejects.toMatchObject({
      code: "25006",
    });
    await again.close();
  });
});

describe("schema that does not load", () => {
  test("the error points at the word in the right file", async () => {
    const first = "CREATE TABLE a (id int);";
    const second = "-- größe 😀\nCREATE TABLE b (\n  a_id bigint,\n  c nosuchtype\n);\n";
    const files = [
      { path: "1.sql", text: first },
      { path: "2.sql", text: second },
    ];
    const at = { start: second.indexOf("nosuchtype"), end: second.indexOf("nosuchtype") + 10 };
    expect(await openEmbedded(files)).toEqual({
      kind: "errors",
      errors: [{ path: "2.sql", at, code: "42704", message: 'type "nosuchtype" does not exist' }],
    });
  });

  test.each([
    ["the word that it names", "CREATE TABLE a (id int)", "a"],
    ["its first line, when it names none", "DO $$\nBEGIN RAISE 'no'; END $$", "DO $$"],
  ])(
    "the error points at the statement if PostgreSQL gives no position: %s",
    async (_, sql, place) => {
      const text = `CREATE TABLE a (id int);\n\n-- again\n${sql};`;
      const opened = await openEmbedded([{ path: "1.sql", text }]);
      const [error] = opened.kind === "open" ? [] : opened.errors;
      const start = text.lastIndexOf(sql) + sql.indexOf(place === "a" ? "a (" : place);
      expect(error?.at).toEqual({ start, end: start + place.length });
    },
  );

  test("the error lists the extensions of the embedded engine", async () => {
    const opened = await openEmbedded([{ path: "1.sql", text: "CREATE EXTENSION postgis;" }]);
    expect(opened).toMatchObject({
      kind: "errors",
      errors: [
        {
          message: "the extension `postgis` is not available",
          help: expect.stringContaining("citext, cube"),
        },
      ],
    });
  });

  test("every file that can't be parsed is named, without starting PostgreSQL", async () => {
    const files = ["SELEKT 1", "SELECT 1", "SELECT 'open"].map((text, index) => ({
      path: `${index}.sql`,
      text,
    }));
    const opened = await openEmbedded(files);
    if (opened.kind === "open") throw new Error("it loads");
    expect(opened.errors.map(({ path }) => path)).toEqual(["0.sql", "2.sql"]);
  });
});
