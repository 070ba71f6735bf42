import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { outcomeOf } from "./call-tool.js";
import { closeSql, openPglite } from "../../../../src/bindings/sql/execute.js";
import { attempt, send, type Tool } from "./support.js";

const directories: string[] = [];
function project(): string {
  const directory = mkdtempSync(join(tmpdir(), "skillc-pglite-"));
  directories.push(directory);
  return directory;
}

afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

const add: Tool = { text: "INSERT INTO kept VALUES (1)", effect: "write", rows: "none" };
const count: Tool = {
  text: "SELECT count(*)::int4 AS n FROM kept",
  columns: { n: "int4" },
  rows: "one",
};

describe("embedded database", () => {
  afterEach(() => closeSql());

  test("a relative path starts from the project's folder, and its data outlives the engine", async () => {
    const directory = project();
    const as = { ...attempt("pglite://data/db"), directory };
    const engine = await openPglite("pglite://./data/db", directory);
    await engine.exec("CREATE TABLE kept (n int4)");
    await send(add, as);
    await closeSql();
    expect((await send(count, as)).result.data).toEqual({ n: 1 });
  });

  test("calls take turns on one database", async () => {
    const url = "pglite://:memory:";
    const engine = await openPglite(url);
    expect(await openPglite(url)).toBe(engine);
    await engine.exec("CREATE TABLE kept (n int4)");
    const returning: Tool = {
      ...add,
      text: `${add.text} RETURNING n`,
      rows: "one",
      columns: { n: "int4" },
    };
    const calls = Array.from({ length: 20 }, () => send(returning, attempt(url)));
    await Promise.all([...calls, ...calls.map(() => send(count, attempt(url)))]);
    expect((await send(count, attempt(url))).result.data).toEqual({ n: 20 });
  });

  test("closing waits for the calls that wait their turn", async () => {
    const url = "pglite://:memory:";
    await (await openPglite(url)).exec("CREATE TABLE kept (n int4)");
    const calls = [add, add, count].map((tool) => send(tool, attempt(url)));
    await Promise.resolve();
    await closeSql();
    const settled = await Promise.all(calls);
    expect(settled.at(-1)?.result.data).toEqual({ n: 2 });
  });

  test("a folder that is not a database is unavailable", async () => {
    const as = { ...attempt("pglite:///dev/null/db"), directory: project() };
    await expect(send(count, as)).rejects.toMatchObject({ code: "PROVIDER.UNAVAILABLE" });
  });

  test("two paths to one folder are one database", async () => {
    const directory = project();
    const engine = await openPglite("pglite://db", directory);
    symlinkSync(join(directory, "db"), join(directory, "link"));
    expect(await openPglite("pglite://link", directory)).toBe(engine);
  });

  test("offers the compiler's extensions, also when it is opened again", async () => {
    const directory = project();
    const as = { ...attempt("pglite://db"), directory };
    const engine = await openPglite("pglite://db", directory);
    await engine.exec(`
    CREATE EXTENSION citext; CREATE EXTENSION "uuid-ossp"; CREATE EXTENSION earthdistance CASCADE;
    CREATE TABLE users (name citext); INSERT INTO users VALUES ('Ada');
  `);
    await closeSql();
    const text = "SELECT name FROM users WHERE name = 'ADA'";
    const { result } = await send({ text, columns: { name: "text" }, rows: "one" }, as);
    expect(result.data).toEqual({ name: "Ada" });
  });
});

describe("time limit of a call that can't be interrupted", () => {
  const url = "pglite://:memory:";
  const limited = { timeoutMs: 100 };
  const open = async () => {
    const engine = await openPglite(url);
    // By PostgreSQL's clock, so that it takes as long on any machine.
    await engine.exec(`
      DROP TABLE IF EXISTS kept; CREATE TABLE kept (n int4);
      CREATE OR REPLACE FUNCTION slow() RETURNS int4 VOLATILE LANGUAGE plpgsql AS $$
        DECLARE began timestamptz := clock_timestamp();
        BEGIN
          WHILE clock_timestamp() < began + interval '400 ms' LOOP END LOOP;
          RETURN 1;
        END $$`);
    return engine;
  };
  afterAll(() => closeSql());

  test("a read that takes too long fails", async () => {
    await open();
    const tool: Tool = { text: "SELECT slow() AS n", columns: { n: "int4" }, rows: "one" };
    const { error } = await outcomeOf(tool, url, limited);
    expect(error).toMatchObject({ code: "PROVIDER.TIMEOUT", outcome: "not-done" });
  });

  test("a write that returns rows is rolled back if it takes too long", async () => {
    const engine = await open();
    const text = "INSERT INTO kept SELECT slow() RETURNING n";
    const tool: Tool = { text, columns: { n: "int4" }, rows: "one", effect: "write" };
    const { error } = await outcomeOf(tool, url, limited);
    expect(error).toMatchObject({ code: "PROVIDER.TIMEOUT", outcome: "not-done" });
    expect((await engine.query("SELECT n FROM kept")).rows).toEqual([]);
  });

  test("a write that was committed is reported as done", async () => {
    const engine = await open();
    const text = "INSERT INTO kept SELECT slow()";
    const { answer } = await outcomeOf({ text, rows: "none", effect: "write" }, url, limited);
    expect(answer).toEqual({ status: "success", data: { affected_rows: 1 } });
    expect((await engine.query("SELECT n FROM kept")).rows).toHaveLength(1);
  });

  test("a write whose turn comes too late is not sent", async () => {
    const engine = await open();
    const first = outcomeOf(
      { text: "INSERT INTO kept SELECT slow()", rows: "none", effect: "write" },
      url,
    );
    const late = outcomeOf(add, url, limited);
    expect((await first).answer).toMatchObject({ status: "success" });
    expect((await late).error).toMatchObject({ code: "PROVIDER.TIMEOUT", outcome: "not-done" });
    expect((await engine.query("SELECT n FROM kept")).rows).toHaveLength(1);
  });
});
