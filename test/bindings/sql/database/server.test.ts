import { createServer } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine } from "../../../../src/bindings/sql/database/engine.js";
import { openServer } from "../../../../src/bindings/sql/database/server.js";
import { hasServer, SERVER_URL } from "./engines.js";

const schema = `skillc_server_${process.pid}`;

describe.skipIf(!(await hasServer()))("the engine on a server", () => {
  const admin = new pg.Client(SERVER_URL);
  let engine: Engine;
  beforeAll(async () => {
    await admin.connect();
    await admin.query(
      `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.people (id bigint PRIMARY KEY, name text)`,
    );
    await admin.query(`INSERT INTO ${schema}.people VALUES (1, 'Ada')`);
    const opened = await openServer(SERVER_URL);
    if (opened.kind !== "open") throw new Error(opened.message);
    engine = opened.engine;
  });
  afterAll(async () => {
    await engine.close();
    await admin.query(`DROP SCHEMA ${schema} CASCADE`);
    await admin.end();
  });

  test("describes without executing", async () => {
    expect(
      await engine.describe(
        `DELETE FROM ${schema}.people WHERE id = $1 AND name = $2 RETURNING id`,
      ),
    ).toEqual({
      kind: "described",
      parameters: [20, 25],
      columns: [{ name: "id", type: 20 }],
    });
    expect(await engine.describe(`UPDATE ${schema}.people SET name = $1`)).toEqual({
      kind: "described",
      parameters: [25],
      columns: [],
    });
    expect(await engine.rows(`SELECT id, name FROM ${schema}.people`)).toEqual([
      { id: "1", name: "Ada" },
    ]);
  });

  test("says why not, again and again, and keeps answers apart", async () => {
    const asked = Array.from({ length: 30 }, (_, index) =>
      engine.describe(index % 2 ? `SELECT $1::int AS c${index}` : `SELECT '😀é', nope${index}`),
    );
    const expected = asked.map((_, index) =>
      index % 2
        ? { kind: "described", parameters: [23], columns: [{ name: `c${index}`, type: 23 }] }
        : {
            kind: "fault",
            fault: { code: "42703", message: `column "nope${index}" does not exist`, position: 14 },
          },
    );
    expect(await Promise.all(asked)).toEqual(expected);
  });

  test("refuses several statements, and changes nothing", async () => {
    const sql = `SELECT 1; DELETE FROM ${schema}.people`;
    expect(await engine.describe(sql)).toMatchObject({ kind: "fault", fault: { code: "42601" } });
    expect(await engine.plan(sql)).toMatchObject({ code: "42601" });
    expect(await engine.plan(`DELETE FROM ${schema}.people`)).toBeUndefined();
    await expect(engine.rows(`DELETE FROM ${schema}.people RETURNING id`)).rejects.toMatchObject({
      code: "25006",
    });
    expect(await engine.rows(`SELECT count(*) FROM ${schema}.people`)).toEqual([{ count: "1" }]);
  });

  test("a connection that is lost is a fault of class 08 or 57, not the end of the process", async () => {
    const opened = await openServer(SERVER_URL);
    if (opened.kind !== "open") throw new Error(opened.message);
    const [row] = await opened.engine.rows("SELECT pg_backend_pid() AS pid");
    await admin.query("SELECT pg_terminate_backend($1)", [row?.["pid"]]);
    const described = await opened.engine.describe("SELECT 1");
    expect(described).toMatchObject({
      kind: "fault",
      fault: { code: expect.stringMatching(/^(?:08|57)/) },
    });
    await opened.engine.close();
  });
});

describe("a server that can't be reached", () => {
  test.each([
    ["nobody listens", "postgres://user:hunter2@127.0.0.1:1/db"],
    ["no such host", "postgres://user:hunter2@host.invalid/db"],
    ["no URL", "postgres://user:hunter2@[/db"],
  ])("%s: a reason without the password", async (_, url) => {
    const opened = await openServer(url);
    if (opened.kind === "open") throw new Error("it is reached");
    expect(opened.message).not.toBe("");
    expect(opened.message).not.toContain("hunter2");
  });

  test("a server that hangs up", async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    expect(await openServer(`postgres://user@127.0.0.1:${port}/db`)).toMatchObject({
      kind: "unreachable",
    });
    server.close();
  });
});
