import { describe, expect, test } from "vitest";
import { attempt, onServer, send, type Tool } from "./support.js";

const schema = `
  CREATE TABLE events (id int4);
  CREATE FUNCTION in_german() RETURNS int4 LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('datestyle', 'German', false); RETURN 1; END $$;
  CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('timezone', 'Asia/Tokyo', false); RETURN NEW; END $$;
  CREATE TABLE watched (id int4);
  CREATE TRIGGER noted BEFORE INSERT ON watched FOR EACH ROW EXECUTE FUNCTION noted();
`;

const date: Tool = {
  text: "SELECT '2026-02-01'::date AS it",
  columns: { it: "date" },
  rows: "one",
};
const zone: Tool = {
  text: "SELECT current_setting('timezone') AS it",
  columns: { it: "text" },
  rows: "one",
};
const pid: Tool = { text: "SELECT pg_backend_pid() AS it", columns: { it: "int4" }, rows: "one" };

const write = (expression: string, more: Partial<Tool> = {}): Tool => ({
  text: `SELECT ${expression}::text AS it`,
  columns: { it: "text" },
  rows: "one",
  effect: "write",
  ...more,
});

onServer(schema, (database) => {
  const url = () => `${database().url}?pool_max=1`;
  const valueOf = async (tool: Tool) => (await send(tool, attempt(url()))).result.data;
  const locks = async () => {
    // `pg_locks` lists those of every database of the server, where other tests run.
    const found =
      "SELECT count(*)::int4 AS n FROM pg_locks JOIN pg_database ON pg_database.oid = database " +
      "WHERE locktype = 'advisory' AND datname = current_database()";
    return (await database().rows(found))[0]?.["n"];
  };

  describe("write that the compiler marked because it changes the session", () => {
    const marking = { marksSession: true };

    test.each([
      [
        "a setting that the server reports",
        "set_config('datestyle', 'German', false)",
        date,
        "2026-02-01",
      ],
      [
        "a setting that the server does not report",
        "set_config('bytea_output', 'escape', false)",
        { ...date, text: "SELECT '\\xff'::bytea AS it", columns: { it: "bytea" } },
        "/w==",
      ],
    ] as const)("the session loses %s", async (_, expression, read, expected) => {
      const before = await valueOf(pid);
      await send(write(expression, marking), attempt(url()));
      expect(await valueOf(read)).toEqual({ it: expected });
      // The session is cleaned, not given up.
      expect(await valueOf(pid)).toEqual(before);
    });

    test("the session keeps no lock", async () => {
      await send(write("pg_advisory_lock(1)", marking), attempt(url()));
      // The answer does not wait for it; the next call does.
      await valueOf(pid);
      expect(await locks()).toBe(0);
    });

    test("the session keeps no other role", async () => {
      const text = "SELECT set_config('role', 'pg_monitor', false) AS it";
      await send(write("1", { ...marking, text }), attempt(url()));
      expect(await valueOf({ ...zone, text: "SELECT current_setting('role') AS it" })).toEqual({
        it: "none",
      });
    });
  });

  describe("write that the compiler can't recognize", () => {
    test("a function's change of a reported setting is undone", async () => {
      await send(write("in_german()"), attempt(url()));
      expect(await valueOf(date)).toEqual({ it: "2026-02-01" });
    });

    test("a trigger's change of a setting is undone too", async () => {
      const text = "INSERT INTO watched VALUES (1)";
      await send({ text, effect: "write", rows: "none" }, attempt(url()));
      expect(await valueOf(zone)).toEqual({ it: "UTC" });
    });

    test("a write that changes no setting keeps its session", async () => {
      const before = await valueOf(pid);
      await send(
        { text: "INSERT INTO events VALUES (1)", effect: "write", rows: "none" },
        attempt(url()),
      );
      expect(await valueOf(pid)).toEqual(before);
    });
  });
});

const otherSettings = `
  CREATE TABLE kv (k text); INSERT INTO kv VALUES ('public');
  CREATE SCHEMA other; CREATE TABLE other.kv (k text); INSERT INTO other.kv VALUES ('other');
  CREATE FUNCTION elsewhere() RETURNS int4 LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('search_path', 'other', false); RETURN 1; END $$;
  DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET search_path = other, public', current_database());
    EXECUTE format('ALTER DATABASE %I SET array_nulls = off', current_database());
    EXECUTE format('ALTER DATABASE %I SET transform_null_equals = on', current_database());
    EXECUTE format('ALTER DATABASE %I SET xmloption = document', current_database());
  END $$;
`;

onServer(otherSettings, (database) => {
  const url = () => `${database().url}?pool_max=1`;
  const read = async (tool: Partial<Tool>, at = url()) => {
    const text = "SELECT k FROM kv";
    return (await send({ text, columns: { k: "text" }, rows: "one", ...tool }, attempt(at))).result
      .data;
  };

  describe("database whose settings differ from the compiler's", () => {
    test("names are resolved by the compiler's search path", async () => {
      expect(await read({})).toEqual({ k: "public" });
      expect(await read({ searchPath: ["other", "public"] })).toEqual({ k: "other" });
      expect(await read({})).toEqual({ k: "public" });
      await expect(read({ searchPath: [] })).rejects.toThrow("a table does not exist");
    });

    test("names are resolved by it again after a call that changed the search path", async () => {
      const text = "SELECT elsewhere()::text AS k";
      await read({ text, effect: "write", marksSession: true });
      expect(await read({})).toEqual({ k: "public" });
    });

    test("a search path in the URL takes precedence over the compiler's", async () => {
      const options = encodeURIComponent("-c search_path=other");
      expect(await read({}, `${database().url}?options=${options}`)).toEqual({ k: "other" });
    });

    test("NULL in an array is NULL", async () => {
      const array = { values: [["a", null]], parameters: ["text[]"] } as const;
      const text = "SELECT ($1::text[])[2] IS NULL AS k";
      expect(await read({ text, ...array, columns: { k: "bool" } })).toEqual({ k: true });
    });

    test("`= NULL` is never true", async () => {
      const text = "SELECT count(*)::int4 AS k FROM (VALUES (NULL::int4)) v (x) WHERE x = NULL";
      expect(await read({ text, columns: { k: "int4" } })).toEqual({ k: 0 });
    });

    test("XML does not have to be a document", async () => {
      expect(await read({ text: "SELECT 'a<b/>'::xml AS k" })).toEqual({ k: "a<b/>" });
    });
  });
});
