import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { openEmbedded } from "../../../../src/bindings/sql/database/pglite.js";
import { startThread } from "../../../../src/bindings/sql/database/start-thread.js";
import { createSqlBinding } from "../../../../src/bindings/sql/index.js";
import { createRegistry } from "../../../../src/bindings/registry.js";
import { compileUntyped } from "../../../compiler/whole/compile-untyped.js";

const databases = ["A", "B", "C", "D"];

/** A skill whose tools ask one database after the other, twice. */
const metadata = {
  tools: Object.fromEntries(
    ["first", "second"].flatMap((round) =>
      databases.map((name) => [
        `${round}-${name.toLowerCase()}`,
        {
          description: "Asks.",
          parameters: { type: "object", additionalProperties: false, properties: {} },
          binding: { type: "sql", connection: `\${${name}}`, query: `SELECT id FROM ${name}` },
        },
      ]),
    ),
  ),
};

/**
 * The threads started from here on, and how many of them ran when one was started, that one
 * included.
 */
function watchThreads() {
  const mock = vi.mocked(startThread);
  const start = mock.getMockImplementation();
  if (start === undefined) throw new Error("threads are started by something else");
  onTestFinished(() => void mock.mockImplementation(start));
  const threads: Worker[] = [];
  const atOnce: number[] = [];
  mock.mockImplementation(() => {
    threads.push(start());
    atOnce.push(running(threads));
    return threads.at(-1)!;
  });
  return { threads, atOnce };
}

/** A thread that has ended has the id -1. */
function running(threads: readonly Worker[]): number {
  return threads.filter(({ threadId }) => threadId !== -1).length;
}

test("the compiler runs one PostgreSQL at a time, and starts one for each database", async () => {
  const { atOnce, threads } = watchThreads();
  const { diagnostics, files } = await compileUntyped(
    {
      "skillc.yaml": JSON.stringify({
        databases: Object.fromEntries(databases.map((name) => [name, { schema: `${name}.sql` }])),
      }),
      ...Object.fromEntries(
        databases.map((name) => [`${name}.sql`, `CREATE TABLE ${name} (id int NOT NULL);`]),
      ),
      "skills/asks/SKILL.md": "---\nname: asks\ndescription: Asks.\n---\n",
      "skills/asks/metadata.json": JSON.stringify(metadata),
    },
    createRegistry([createSqlBinding(openEmbedded)]),
  );
  expect(diagnostics).toEqual([]);
  expect(files.filter(({ path }) => /^asks\/(?:first|second)-.\.ts$/.test(path))).toHaveLength(8);
  expect(atOnce).toEqual([1, 1, 1, 1]);
  expect(running(threads)).toBe(0);
});

test("the compiler restarts a database from its image after another database was used", async () => {
  const { atOnce } = watchThreads();
  const opened = await openEmbedded([{ path: "db.sql", text: "CREATE TABLE a (id int);" }]);
  if (opened.kind !== "open") throw new Error(JSON.stringify(opened.errors));
  const { engine } = opened;
  const before = await engine.rows("SELECT 'a'::regclass::oid AS oid");
  await engine.image();
  await engine.rest();
  await engine.rest();
  expect(await engine.rows("SELECT 'a'::regclass::oid AS oid")).toEqual(before);
  await engine.close();
  expect(atOnce).toEqual([1, 1]);
});
