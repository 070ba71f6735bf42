import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { closeSql, openPglite } from "../../../../src/bindings/sql/execute.js";
import { attempt, send, type Tool } from "./support.js";

const directories: string[] = [];
function project(): string {
  const directory = mkdtempSync(join(tmpdir(), "skillc-pglite-"));
  directories.push(directory);
  return directory;
}

afterEach(async () => {
  await closeSql();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

const add: Tool = { text: "INSERT INTO kept VALUES (1)", effect: "write", rows: "none" };
const count: Tool = {
  text: "SELECT count(*)::int4 AS n FROM kept",
  columns: { n: "int4" },
  rows: "one",
};

test("a relative path starts from the project's folder, and its data outlives the engine", async () => {
  const directory = project();
  const as = { ...attempt("pglite://data/db"), directory };
  const engine = await openPglite("pglite://./data/db", directory);
  await engine.exec("CREATE TABLE kept (n int4)");
  await send(add, as);
  await closeSql();
  expect((await send(count, as)).result.data).toEqual({ n: 1 });
});

test("calls take turns on one engine", async () => {
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

test("a folder that is no database is unavailable", async () => {
  const as = { ...attempt("pglite:///dev/null/db"), directory: project() };
  await expect(send(count, as)).rejects.toMatchObject({ code: "PROVIDER.UNAVAILABLE" });
});
