import { type AddressInfo, createServer, type Socket } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { closeSql } from "../../../../src/bindings/sql/execute.js";
import { attempt, failure, onServer, send, type TestDatabase, type Tool } from "./support.js";

const schema = `
  CREATE TABLE numbers AS SELECT n FROM generate_series(1, 10000) n;
  CREATE TABLE events (id int4 PRIMARY KEY);
  CREATE TABLE seen (n int4);
  CREATE FUNCTION noted(n int4) RETURNS int4 LANGUAGE plpgsql VOLATILE
    AS $$ BEGIN RAISE NOTICE 'read %', n; RETURN n; END $$;
`;

const one: Tool = { text: "SELECT 1 AS it", columns: { it: "int4" }, rows: "one" };
const sleep: Tool = {
  text: "SELECT pg_sleep(60)::text AS it",
  columns: { it: "text" },
  rows: "one",
};
const slowWrite: Tool = {
  text: "INSERT INTO events SELECT 1 FROM pg_sleep(60)",
  effect: "write",
  rows: "none",
};

/** Number of sessions that run a statement with this text in it. */
async function running(database: TestDatabase, part: string): Promise<number> {
  const [row] = await database.rows(
    `SELECT count(*)::int4 AS n FROM pg_stat_activity
     WHERE datname = current_database() AND state <> 'idle' AND query LIKE '%${part}%' AND pid <> pg_backend_pid()`,
  );
  return Number(row?.["n"]);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

onServer(schema, (database) => {
  const run = (tool: Tool, options = {}) => send(tool, attempt(database().url, options));
  const pooled = (most: number) => `${database().url}?pool_max=${most}`;

  describe("stopping a call", () => {
    test.each([
      ["read", sleep],
      ["write", slowWrite],
    ])("an aborted %s is cancelled on the server", async (_, tool) => {
      const controller = new AbortController();
      const url = pooled(1);
      const call = send(tool, attempt(url, { signal: controller.signal }));
      const failed = failure(call);
      await until(async () => (await running(database(), "pg_sleep(60)")) === 1);
      controller.abort();
      await failed;
      await until(async () => (await running(database(), "pg_sleep(60)")) === 0);
      // Its only connection was given up: this is another, and in order.
      expect(await send(one, attempt(url))).toMatchObject({ result: { data: { it: 1 } } });
      expect(await database().rows("SELECT * FROM events")).toEqual([]);
    });

    test("the server stops by itself if it gets no cancel request", async () => {
      const { failure: why } = await failure(run(sleep, { timeoutMs: 200 }));
      expect(why).toEqual({ code: "PROVIDER.TIMEOUT", timeoutMs: 200 });
    });

    test("a lock that is not given in time is worth a retry", async () => {
      const rows = database().rows("BEGIN; LOCK TABLE events; SELECT pg_sleep(0.6); ROLLBACK");
      await until(async () => (await running(database(), "LOCK TABLE")) === 1);
      const text = "SELECT id FROM events";
      const { failure: why } = await failure(
        run({ text, columns: { id: "int4" } }, { timeoutMs: 200 }),
      );
      expect(why).toEqual({ code: "PROVIDER.UNAVAILABLE", reason: "SQLSTATE 55P03" });
      await rows;
    });

    test("a call that waits for a connection ends when it is aborted", async () => {
      const url = pooled(1);
      const [first, second] = [new AbortController(), new AbortController()];
      const holding = failure(send(sleep, attempt(url, { signal: first.signal })));
      await until(async () => (await running(database(), "pg_sleep(60)")) === 1);
      const waiting = failure(send(slowWrite, attempt(url, { signal: second.signal })));
      second.abort();
      first.abort();
      await Promise.all([holding, waiting]);
      expect(await send(one, attempt(url))).toMatchObject({ result: { data: { it: 1 } } });
      expect(await running(database(), "pg_sleep(60)")).toBe(0);
    });
  });

  describe("lost connection", () => {
    const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()`;

    test("fails its call with PROVIDER.UNAVAILABLE, and the next call gets a new connection", async () => {
      const url = pooled(1);
      const failed = failure(send(sleep, attempt(url)));
      await until(async () => (await running(database(), "pg_sleep(60)")) === 1);
      await database().rows(terminate);
      expect((await failed).failure).toEqual({
        code: "PROVIDER.UNAVAILABLE",
        reason: "SQLSTATE 57P01",
      });
      expect(await send(one, attempt(url))).toMatchObject({ result: { data: { it: 1 } } });
    });

    test("leaves the pool if it is lost while idle", async () => {
      const url = pooled(1);
      const pid: Tool = {
        text: "SELECT pg_backend_pid() AS it",
        columns: { it: "int4" },
        rows: "one",
      };
      const { result } = await send(pid, attempt(url));
      const { it } = result.data as { readonly it: number };
      await database().rows(`SELECT pg_terminate_backend(${it}, 5000)`);
      // Until the news of it has come, a call may still be given the connection.
      const next = () =>
        send(pid, attempt(url)).then(
          (after) => after.result.data,
          () => ({ it }),
        );
      await until(async () => !isDeepStrictEqual(await next(), { it }));
      expect(await next()).toEqual({ it: expect.any(Number) });
    });

    test.each([
      ["40001", "a serialization failure"],
      ["40P01", "a deadlock"],
    ])("%s, %s, is worth a retry", async (code) => {
      const text = `SELECT raise_${code}() AS it`.toLowerCase();
      await database().rows(
        `CREATE FUNCTION raise_${code}() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE SQLSTATE '${code}'; END $$`,
      );
      const { failure: why } = await failure(run({ text, columns: { it: "text" } }));
      expect(why).toEqual({ code: "PROVIDER.UNAVAILABLE", reason: `SQLSTATE ${code}` });
    });
  });

  describe("pool of connections", () => {
    test("never opens more connections than its limit, and serves all calls", async () => {
      const url = `${pooled(2)}&application_name=crowd`;
      const text =
        "SELECT count(*)::int4 AS it FROM pg_stat_activity, pg_sleep(0.02) " +
        "WHERE datname = current_database() AND application_name = 'crowd'";
      const busy: Tool = { text, columns: { it: "int4" }, rows: "one" };
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () => send(busy, attempt(url))),
      );
      const counts = outcomes.map(({ result }) => (result.data as { readonly it: number }).it);
      expect(Math.max(...counts)).toBeLessThanOrEqual(2);
    });

    test("keeps a connection after a failed statement", async () => {
      const url = pooled(1);
      const pid: Tool = {
        text: "SELECT pg_backend_pid() AS it",
        columns: { it: "int4" },
        rows: "one",
      };
      const before = await send(pid, attempt(url));
      await failure(send({ text: "SELECT 1/0 AS it", columns: { it: "int4" } }, attempt(url)));
      expect(await send(pid, attempt(url))).toEqual(before);
    });

    test("waits for running and waiting calls at a shutdown", async () => {
      const url = pooled(1);
      const text = "SELECT 1 AS it FROM pg_sleep(0.1)";
      const calls = [1, 2, 3].map(() => send({ ...one, text }, attempt(url)));
      await until(async () => (await running(database(), "pg_sleep(0.1)")) === 1);
      await closeSql();
      const settled = await Promise.all(calls);
      expect(settled.map(({ result }) => result.status)).toEqual(["success", "success", "success"]);
      // A server process ends some time after its client has left.
      await until(async () => {
        const [row] = await database().rows(
          "SELECT count(*)::int4 AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'skillc'",
        );
        return row?.["n"] === 0;
      });
      expect(await send(one, attempt(url))).toMatchObject({ result: { data: { it: 1 } } });
    });
  });

  test("the error for a rejected login says so and does not blame the statement", async () => {
    const url = `${database().url}?options=-c%20no_such_setting%3D1`;
    const error = await failure(send(one, attempt(url)));
    expect(error.failure).toEqual({
      code: "PROVIDER.PROTOCOL",
      reason:
        "PostgreSQL refused the login: the URL has a setting that the server doesn't know or rejects (42704)",
    });
  });

  test("the error distinguishes a server without writes from a read that writes", async () => {
    const url = `${database().url}?options=-c%20default_transaction_read_only%3Don`;
    const tool: Tool = { text: "INSERT INTO seen VALUES (1)", effect: "write", rows: "none" };
    const error = await failure(send(tool, attempt(url)));
    expect(error).toMatchObject({ outcome: "not-done" });
    expect(error.failure).toEqual({
      code: "PROVIDER.PROTOCOL",
      reason:
        "PostgreSQL refused the statement: the server accepts no writes: it is a standby, or `default_transaction_read_only` is on (25006)",
    });
  });

  test("the error for a missing permission names the setting whose role lacks it", async () => {
    const asMonitor = attempt(`${database().url}?options=-c%20role%3Dpg_monitor`);
    const { message } = await failure(
      send({ text: "SELECT id FROM events", columns: { id: "int4" } }, asMonitor),
    );
    expect(message).toMatch(
      /permission denied \(42501\): the role of `\$\{TEST_URL\}` needs a GRANT/,
    );
  });

  test("reads 11 of 10,000 rows for `max_rows: 10`", async () => {
    const text = "SELECT n, 1 / (12 - n) AS it FROM numbers";
    const tool: Tool = { text, columns: { n: "int4", it: "int4" }, rows: "many", maxRows: 10 };
    const { result } = await run(tool);
    expect(result).toMatchObject({ truncated: true, data: { length: 10 } });
    const { failure: why } = await failure(run({ ...tool, maxRows: 11 }));
    expect(why).toMatchObject({ reason: expect.stringContaining("division by zero") });
  });

  test("a write reads all its rows, because it has side effects", async () => {
    // A sequence goes on in a transaction that is rolled back.
    await database().rows("CREATE SEQUENCE reads");
    const text = "SELECT n FROM (SELECT n, nextval('reads') FROM numbers OFFSET 0) s";
    const tool: Tool = { text, columns: { n: "int4" }, rows: "many", maxRows: 10, effect: "write" };
    const { result } = await run(tool);
    expect(result).toMatchObject({ truncated: true, data: { length: 10 } });
    expect(await database().rows("SELECT last_value::int4 AS n FROM reads")).toEqual([
      { n: 10_000 },
    ]);
  });

  test("text forms do not depend on the server's settings", async () => {
    const [row] = await database().rows("SELECT current_database() AS name");
    await database().rows(`
      ALTER DATABASE "${String(row?.["name"])}" SET timezone = 'Asia/Kolkata';
      ALTER DATABASE "${String(row?.["name"])}" SET datestyle = 'German';
      ALTER DATABASE "${String(row?.["name"])}" SET bytea_output = 'escape';
    `);
    const url = `${database().url}?pool_max=3`;
    const text = "SELECT '2026-01-02 03:04:05+00'::timestamptz AS a, '\\x00'::bytea AS b";
    const { result } = await send(
      { text, columns: { a: "timestamptz", b: "bytea" }, rows: "one" },
      attempt(url),
    );
    expect(result.data).toEqual({ a: "2026-01-02T03:04:05Z", b: "AA==" });
  });
});

describe("unreachable server", () => {
  test("fails as unavailable if nothing listens", async () => {
    const url = "postgres://user:hunter2@127.0.0.1:1/db";
    const error = await failure(send(one, attempt(url)));
    expect(error.failure).toEqual({ code: "PROVIDER.UNAVAILABLE", reason: "ECONNREFUSED" });
    expect(error.message).toContain("${TEST_URL}");
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toMatch(/hunter2|127\.0/);
  });

  test("fails as unavailable if the server hangs up", async () => {
    const error = await failure(send(one, attempt(await listening((socket) => socket.destroy()))));
    expect(error.code).toBe("PROVIDER.UNAVAILABLE");
  });

  test("fails as unavailable if the server is not PostgreSQL", async () => {
    const url = await listening((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    expect((await failure(send(one, attempt(url)))).code).toBe("PROVIDER.UNAVAILABLE");
  });

  test("rejects a server without TLS if the URL requires TLS", async () => {
    const url = await listening((socket) => socket.once("data", () => socket.end("N")));
    const { failure: why } = await failure(send(one, attempt(`${url}?sslmode=require`)));
    expect(why).toEqual({
      code: "PROVIDER.PROTOCOL",
      reason: "`${TEST_URL}` requires TLS (`sslmode`), which the server doesn't offer",
    });
  });

  test.each([
    ["SCRAM-SHA-256", "`${TEST_URL}` has no password, but the server requires one"],
    ["SCRAM-OF-TOMORROW", "`${TEST_URL}` can't be used to log in: the SASL exchange failed"],
  ])("reports a login method that can't be used: %s", async (mechanism, reason) => {
    const url = await listening((socket) => {
      socket.once("data", () => {
        socket.write(authentication(10, `${mechanism}\0\0`));
        socket.once("data", () => socket.write(authentication(11, "r=x,s=eA==,i=4096")));
      });
    });
    const { failure: why } = await failure(send(one, attempt(url)));
    expect(why).toEqual({ code: "PROVIDER.PROTOCOL", reason });
  });
});

/** A message by which a server asks for a login. */
function authentication(kind: number, text: string): Buffer {
  const message = Buffer.alloc(9 + text.length);
  message.write("R");
  message.writeInt32BE(8 + text.length, 1);
  message.writeInt32BE(kind, 5);
  message.write(text, 9);
  return message;
}

/** A server that does that with every connection. */
async function listening(serve: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // A TCP server's address has a port.
  return `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/db`;
}
