import { createServer, type Socket } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Engine } from "../../../../src/bindings/sql/database/engine.js";
import { openServer } from "../../../../src/bindings/sql/database/server.js";
import {
  createDatabase,
  type OwnDatabase,
  postgresService,
  serverProxy,
} from "../../../support/postgres.js";
import { describeWithService } from "../../../support/service.js";

const SCHEMA = `
  CREATE TABLE people (id bigint PRIMARY KEY, name text); INSERT INTO people VALUES (1, 'Ada'); CREATE SEQUENCE numbers;
  CREATE FUNCTION renames() RETURNS int LANGUAGE plpgsql AS $$ BEGIN UPDATE people SET name = 'Bob'; RETURN 1; END $$;`;

await describeWithService(postgresService, () => {
  let database: OwnDatabase;
  let engine: Engine;
  let version: number;
  const open = async (url = database.url, timeoutMs?: number): Promise<Engine> => {
    const opened = await openServer(url, timeoutMs);
    if (opened.kind !== "open") throw new Error(opened.message);
    return opened.engine;
  };
  beforeAll(async () => {
    database = await createDatabase(SCHEMA);
    engine = await open();
    version = Number((await engine.rows("SHOW server_version_num"))[0]?.["server_version_num"]);
  });
  afterAll(async () => {
    await engine.close();
    await database.drop();
  });
  const everyone = () => engine.rows("SELECT id, name FROM people");

  test("describes a statement without executing it", async () => {
    expect(
      await engine.describe("DELETE FROM people WHERE id = $1 AND name = $2 RETURNING id"),
    ).toEqual({
      kind: "described",
      parameters: [20, 25],
      columns: [{ name: "id", type: 20 }],
    });
    expect(await engine.describe("UPDATE people SET name = $1")).toEqual({
      kind: "described",
      parameters: [25],
      columns: [],
    });
    expect(await everyone()).toEqual([{ id: "1", name: "Ada" }]);
  });

  test("reports why statements are rejected, and does not mix up concurrent answers", async () => {
    const asked = Array.from({ length: 30 }, (_, index) =>
      engine.describe(index % 2 ? `SELECT $1::int AS c${index}` : `SELECT '😀é', nope${index}`),
    );
    const expected = asked.map((_, index) =>
      index % 2
        ? { kind: "described", parameters: [23], columns: [{ name: `c${index}`, type: 23 }] }
        : {
            kind: "error",
            error: { code: "42703", message: `column "nope${index}" does not exist`, position: 14 },
          },
    );
    expect(await Promise.all(asked)).toEqual(expected);
  });

  test("rejects several statements in one text", async () => {
    const sql = "SELECT 1; DELETE FROM people";
    expect(await engine.describe(sql)).toMatchObject({ kind: "error", error: { code: "42601" } });
    expect(await engine.plan(sql)).toMatchObject({ code: "42601" });
    expect(await everyone()).toHaveLength(1);
  });

  test.each([
    ["DELETE FROM people RETURNING id", "25006"],
    ["SELECT renames()", "25006"],
    ["SELECT nextval('numbers')", "25006"],
    ["CREATE TABLE pets ()", "25006"],
    ["CREATE TEMP TABLE pets ()", "25006"],
    ["SELECT set_config('transaction_read_only', 'off', false)", "25001"],
    ["SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE; DELETE FROM people", "25006"],
  ])("changes nothing, whatever the statement is: %s", async (sql, code) => {
    await expect(engine.rows(sql)).rejects.toMatchObject({ code });
    expect(await everyone()).toEqual([{ id: "1", name: "Ada" }]);
  });

  test("plans every statement that can be planned, and marks the others as only described", async () => {
    expect(await engine.plan("DELETE FROM people WHERE id = $1")).toBeUndefined();
    expect(await engine.plan("SELECT renames(), $1::int")).toBeUndefined();
    expect(await engine.plan("SELECT 1 -- the end")).toBeUndefined();
    expect(await engine.plan("TRUNCATE people")).toBeUndefined();
    expect(await engine.plan("SELECT '😀é', nope")).toMatchObject({ code: "42703", position: 14 });
    expect(await everyone()).toEqual([{ id: "1", name: "Ada" }]);
  });

  test("from PostgreSQL 16 on, the planner finds errors that describing does not find", async ({
    skip,
  }) => {
    skip(version < 160_000, "EXPLAIN (GENERIC_PLAN) came with PostgreSQL 16");
    const upsert = "INSERT INTO people VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
    expect(await engine.describe(upsert)).toMatchObject({ kind: "described" });
    expect(await engine.plan(upsert)).toMatchObject({ code: "42P10" });
    // The planner computes what is constant.
    const divides = "SELECT '😀é', 1 / 0";
    expect(await engine.plan(divides)).toMatchObject({ code: "22012" });
    expect(await engine.plan("SELECT $1::int / 0 FROM people")).toBeUndefined();
  });

  test("literals have the meaning that they have for tools, whatever the role's settings are", async () => {
    const role = `reader_${process.pid}`;
    await database.run(`CREATE ROLE ${role} LOGIN; ALTER ROLE ${role} SET datestyle = 'ISO, DMY';
      ALTER ROLE ${role} SET standard_conforming_strings = off; ALTER ROLE ${role} SET default_transaction_isolation = 'serializable'`);
    onTestFinished(async () => void (await database.run(`DROP ROLE ${role}`)));
    const asRole = await open(database.urlAs(role));
    expect(await asRole.describe("SELECT date '31/12/2026'")).toMatchObject({ kind: "error" });
    expect(await asRole.describe("SELECT '\\' AS one")).toMatchObject({ kind: "described" });
    await asRole.close();
  });

  test("leaves the session unchanged for the next client of a pooler", async () => {
    const queries: string[] = [];
    const { url } = await serverProxy(database.url, (sent) => {
      queries.push(sent);
      return false;
    });
    const through = await open(url);
    await through.plan("SELECT 1");
    await through.close();
    const sent = queries.join("\n");
    expect(sent).toMatch(/BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY/);
    expect(sent.match(/\bSET (?!LOCAL)/g)).toBeNull();
    expect(sent.lastIndexOf("ROLLBACK")).toBeGreaterThan(sent.lastIndexOf("SELECT 1"));
  });

  test("holds no lock between queries", async () => {
    const asking = await open();
    await asking.describe("SELECT name FROM people");
    await asking.plan("SELECT name FROM people");
    await asking.describe("SELECT nope FROM people");
    await database.run("SET lock_timeout = '5s'; ALTER TABLE people ADD COLUMN age int");
    expect(await asking.describe("SELECT age FROM people")).toMatchObject({ kind: "described" });
    await database.run("SET lock_timeout = '5s'; ALTER TABLE people DROP COLUMN age");
    await asking.close();
  });

  test("a lost connection is an error of class 08 or 57, and the process lives on", async () => {
    const lost = await open();
    const [row] = await lost.rows("SELECT pg_backend_pid() AS pid");
    await database.run(`SELECT pg_terminate_backend(${row?.["pid"]})`);
    const error = { code: expect.stringMatching(/^(?:08|57)/) };
    expect(await lost.describe("SELECT 1")).toMatchObject({ kind: "error", error });
    expect(lost.connectionError?.()).toMatchObject(error);
    expect(await lost.plan("SELECT 1")).toMatchObject(error);
    await lost.close();
  });

  test("waits once for a lock that is not given", async () => {
    let asks = 0;
    const { url } = await serverProxy(database.url, (sent) => {
      asks += sent.split("SELECT name FROM people").length - 1;
      return false;
    });
    const blocked = await open(url, 300);
    const other = new pg.Client(database.url);
    await other.connect();
    await other.query("BEGIN; LOCK TABLE people IN ACCESS EXCLUSIVE MODE");
    const asked = Array.from({ length: 20 }, () => blocked.describe("SELECT name FROM people"));
    for (const error of await Promise.all(asked))
      expect(error).toMatchObject({ error: { code: expect.stringMatching(/^(?:55P03|57014)$/) } });
    expect(asks).toBe(1);
    await other.end();
    await blocked.close();
  });

  test("gives up a server that stalls, and can be closed", async () => {
    const proxy = await serverProxy(database.url);
    const stalling = await open(proxy.url, 200);
    const other = await open(proxy.url, 200);
    proxy.stall();
    const connectionError = { code: "08006", message: "no answer within 200 ms" };
    expect(await stalling.describe("SELECT 1")).toEqual({ kind: "error", error: connectionError });
    expect(stalling.connectionError?.()).toEqual(connectionError);
    await expect(stalling.rows("SELECT 1")).rejects.toMatchObject(connectionError);
    await stalling.close();
    await other.close();
  });

  test("gives up a server that stalls right after the login", async () => {
    const proxy = await serverProxy(database.url, (sent) => {
      if (sent.includes("BEGIN")) proxy.stall();
      return false;
    });
    expect(await openServer(proxy.url, 200)).toMatchObject({ kind: "unreachable" });
  });
});

describe("unreachable server", () => {
  const password = "hunter2&%2F";
  const encoded = "hunter2%26%252F";
  test.each([
    ["nobody listens", `postgres://user:${encoded}@127.0.0.1:1/db`, /ECONNREFUSED/],
    ["no such host", `postgres://user:${encoded}@host.invalid/db`, /host\.invalid/],
    ["no URL", `postgres://user:${encoded}@[/db`, /^it is not a valid URL/],
    ["no port", `postgres://user:${encoded}@localhost:http/db`, /^it is not a valid URL/],
    ["another database", `mysql://user:${encoded}@localhost/db`, /^it is not a postgres:\/\/ URL$/],
    ["the embedded engine", "pglite://./data", /^it is not a postgres:\/\/ URL$/],
    ["a slash in the password", "postgres://user:12/hunter2@localhost/db", /`\/` %2F/],
    ["a question mark", "postgres://user:12?hunter2@localhost/db", /`\?` %3F/],
    ["a hash", "postgres://user:12#hunter2@localhost/db", /`#` %23/],
    ["a percent sign", "postgres://user:100%hunter2@127.0.0.1:1/db", /./],
    ["a password in the query", "postgres://user@127.0.0.1:1/db?password=hunter2", /ECONNREFUSED/],
    ["no such certificate", `postgres://u:${encoded}@127.0.0.1:1/db?sslrootcert=none.pem`, /none/],
  ])("the reason does not show the password: %s", async (_, url, reason) => {
    const opened = await openServer(url);
    if (opened.kind === "open") throw new Error("it is reached");
    expect(opened.message).toMatch(reason);
    expect(opened.message).not.toContain("hunter2");
    expect(opened.message).not.toContain(password);
  });

  test.each<[string, (socket: Socket) => void, RegExp]>([
    ["hangs up", (socket) => socket.destroy(), /ECONNRESET|terminated/],
    ["says nothing", () => {}, /^no answer within 300 ms$/],
    ["is no PostgreSQL", (socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"), /./],
    [
      "wants a password",
      (socket) => socket.once("data", () => askForPassword(socket)),
      /^password authentication failed for user "user" \(SQLSTATE 28P01\)$/,
    ],
  ])("gives up a server that %s", async (_, serve, reason) => {
    const url = await listening(serve);
    const opened = await openServer(url, 300);
    if (opened.kind === "open") throw new Error("it is reached");
    expect(opened.message).toMatch(reason);
    expect(opened.message).not.toContain("hunter2");
  });

  test("rejects a server without TLS if the URL requires TLS", async () => {
    const url = await listening((socket) => socket.once("data", () => socket.end("N")));
    expect(await openServer(`${url}?sslmode=verify-full`)).toEqual({
      kind: "unreachable",
      message: "The server does not support SSL connections",
    });
  });
});

/** As a server does that was told the wrong one. */
function askForPassword(socket: Socket): void {
  socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
  socket.once("data", () => {
    const text = 'SFATAL\0C28P01\0Mpassword authentication failed for user "user"\0\0';
    const head = Buffer.alloc(5);
    head.write("E");
    head.writeInt32BE(text.length + 4, 1);
    socket.end(Buffer.concat([head, Buffer.from(text)]));
  });
}

/** A server that does that with every connection. */
async function listening(serve: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return `postgres://user:hunter2@127.0.0.1:${port}/db`;
}
