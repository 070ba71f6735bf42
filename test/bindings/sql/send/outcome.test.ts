import { expect, test } from "vitest";
import { outcomeOf } from "./call-tool.js";
import { attempt, onServer, prepare, type TestDatabase, type Tool } from "./support.js";
import { type Tampering, tamperingProxy } from "./tampering-proxy.js";

const schema = `
  CREATE TABLE events (id int4 PRIMARY KEY);
  INSERT INTO events VALUES (1);
  CREATE FUNCTION fails(code text) RETURNS int4 LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = code; END $$;
`;

const insert = (id: number): Tool => ({
  text: `INSERT INTO events VALUES (${id})`,
  effect: "write",
  rows: "none",
});

const returning = (id: number): Tool => ({
  text: `INSERT INTO events VALUES (${id}) RETURNING id`,
  columns: { id: "int4" },
  effect: "write",
  rows: "one",
});

async function has(database: TestDatabase, id: number): Promise<boolean> {
  const rows = await database.rows(`SELECT 1 FROM events WHERE id = ${id}`);
  return rows.length > 0;
}

/** True if a session runs a statement with this text in it. */
async function isRunning(database: TestDatabase, part: string): Promise<boolean> {
  const rows = await database.rows(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%${part}%' AND pid <> pg_backend_pid()`,
  );
  return rows.length > 0;
}

const cutAnswer = (part: string): Tampering => ({
  answered: (text) => (text.includes(part) ? "cut" : "pass"),
});

onServer(schema, (database) => {
  const through = async (tampering: Tampering) =>
    (await tamperingProxy(database().url, tampering)).url;

  test("a statement that loses its turn before it is connected is not sent", async () => {
    const requireTurn = () => {
      throw new Error("the turn is over");
    };
    const { url } = database();
    await expect(prepare(insert(90)).send({ ...attempt(url), requireTurn })).rejects.toThrow(
      "the turn is over",
    );
    expect(await has(database(), 90)).toBe(false);
    expect(await prepare(insert(90)).send(attempt(url))).toMatchObject({
      result: { status: "success" },
    });
  });

  test.each([
    ["in one message", insert(10)],
    ["with rows", returning(11)],
  ])("a lost answer to COMMIT leaves the outcome unknown: %s", async (_, tool) => {
    const url = await through(cutAnswer("COMMIT\0"));
    const { error, records } = await outcomeOf(tool, url);
    expect(error).toMatchObject({ code: "PROVIDER.UNAVAILABLE", outcome: "unknown" });
    expect(records.at(-1)).toMatchObject({
      type: "end",
      status: "unknown",
      error: { code: "PROVIDER.UNAVAILABLE" },
    });
    expect(await has(database(), Number(/\d+/.exec(tool.text)?.[0]))).toBe(true);
  });

  test("a connection that is lost before COMMIT changes nothing", async () => {
    const url = await through(cutAnswer("INSERT 0 1\0"));
    const { error, records } = await outcomeOf(returning(20), url);
    expect(error).toMatchObject({ code: "PROVIDER.UNAVAILABLE", outcome: "not-done" });
    expect(records.at(-1)).toMatchObject({ type: "end", status: "failed" });
    expect(await has(database(), 20)).toBe(false);
  });

  test("an unreachable server changes nothing", async () => {
    const { error } = await outcomeOf(insert(21), "postgres://user@127.0.0.1:1/db");
    expect(error).toMatchObject({ code: "PROVIDER.UNAVAILABLE", outcome: "not-done" });
  });

  test.each(["40001", "40P01", "55P03", "57014", "25P02", "P0001"])(
    "%s means that the transaction failed",
    async (code) => {
      const tool = { ...insert(0), text: `INSERT INTO events SELECT fails('${code}')` };
      const { error, records } = await outcomeOf(tool, database().url);
      expect(error).toMatchObject({ outcome: "not-done" });
      expect(records.at(-1)).toMatchObject({ status: "failed" });
    },
  );

  test.each(["08006", "57P01", "40003"])(
    "%s means that the outcome of a sent COMMIT is unknown",
    async (code) => {
      const tool = { ...insert(0), text: `INSERT INTO events SELECT fails('${code}')` };
      const { error, records } = await outcomeOf(tool, database().url);
      expect(error).toMatchObject({ outcome: "unknown" });
      expect(records.at(-1)).toMatchObject({ status: "unknown" });
    },
  );

  test("a write that is aborted while it runs may be committed, but not while it waits for its turn", async () => {
    const slow = { ...insert(0), text: "INSERT INTO events SELECT 30 FROM pg_sleep(60)" };
    const url = `${database().url}?pool_max=1`;
    const caller = new AbortController();
    const running = outcomeOf(slow, url, { signal: caller.signal });
    await expect.poll(() => isRunning(database(), "SELECT 30 FROM")).toBe(true);
    const waiting = outcomeOf(insert(31), url, { timeoutMs: 200 });
    expect((await waiting).error).toMatchObject({ code: "PROVIDER.TIMEOUT", outcome: "not-done" });
    caller.abort();
    // It was told to stop, and may have been too late.
    expect((await running).error).toMatchObject({ code: "UNKNOWN.INTERNAL", outcome: "unknown" });
    expect(await has(database(), 31)).toBe(false);
  });

  test("a write that still returns rows is stopped before COMMIT", async () => {
    const slow = {
      ...returning(0),
      text: "INSERT INTO events SELECT 32 FROM pg_sleep(1) RETURNING id",
    };
    const { error } = await outcomeOf(slow, database().url, { timeoutMs: 300 });
    expect(error).toMatchObject({ code: "PROVIDER.TIMEOUT", outcome: "not-done" });
  });

  test("a read changes nothing, whatever fails", async () => {
    const url = await through(cutAnswer("ROLLBACK\0"));
    const read: Tool = { text: "SELECT id FROM events", columns: { id: "int4" } };
    const { error, records } = await outcomeOf(read, url);
    expect(error).toMatchObject({ code: "PROVIDER.UNAVAILABLE", outcome: "not-done" });
    expect(records).toMatchObject([{ status: "failed" }]);
  });

  test("the outcome stays unknown if a later attempt fails for certain", async () => {
    let cuts = 0;
    const url = await through({
      answered: (text) => (text.includes("COMMIT\0") && ++cuts === 1 ? "cut" : "pass"),
    });
    const tool = {
      ...insert(0),
      text: "INSERT INTO events SELECT 40 + 1 / (1 - count(*)) FROM events WHERE id = 41",
    };
    const { error } = await outcomeOf(tool, url, { maxAttempts: 2 });
    // The second attempt divides by zero: the first had made the row.
    expect(error).toMatchObject({ code: "PROVIDER.PROTOCOL", attempts: 2, outcome: "unknown" });
    expect(await has(database(), 41)).toBe(true);
  });
});
