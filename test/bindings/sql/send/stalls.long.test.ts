import { expect, test } from "vitest";
import { closeSql } from "../../../../src/bindings/sql/execute.js";
import { outcomeOf } from "./call-tool.js";
import { attempt, onServer, send, type TestDatabase, type Tool } from "./support.js";
import { type Fate, type Tampering, tamperingProxy } from "./tampering-proxy.js";

const one: Tool = { text: "SELECT 1 AS it", columns: { it: "int4" }, rows: "one" };
const fails: Tool = { text: "INSERT INTO events SELECT 1 / 0", effect: "write", rows: "none" };
const returning: Tool = {
  text: "INSERT INTO events VALUES (7) RETURNING id",
  columns: { id: "int4" },
  effect: "write",
  rows: "one",
};

/** Stalls the first connection of which that comes true. */
function stallsOnce(holds: (text: string) => boolean): (text: string) => Fate {
  let isDone = false;
  return (text) => {
    if (isDone || !holds(text)) return "pass";
    isDone = true;
    return "stall";
  };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function sessions(database: TestDatabase, where: string): Promise<number> {
  const [row] = await database.rows(
    `SELECT count(*)::int4 AS n FROM pg_stat_activity WHERE datname = current_database() AND ${where}`,
  );
  return Number(row?.["n"]);
}

/**
 * A server that falls silent, and says nothing of it: no call may lose its place in the pool for
 * good.
 */
onServer("CREATE TABLE events (id int4 PRIMARY KEY)", (database) => {
  const through = async (tampering: Tampering, most = 1) => {
    const proxy = await tamperingProxy(database().url, tampering);
    return { ...proxy, url: `${proxy.url}?pool_max=${most}` };
  };

  test(
    "a server that stalls right after the login frees its place in the pool",
    { timeout: 40_000 },
    async () => {
      const { url } = await through({ sent: stallsOnce((text) => text.includes("SET datestyle")) });
      const { error } = await outcomeOf(one, url, { timeoutMs: 200 });
      expect(error).toMatchObject({ code: "PROVIDER.TIMEOUT" });
      // Its turn comes when the connection was given up.
      expect(await send(one, attempt(url))).toMatchObject({ result: { data: { it: 1 } } });
      await closeSql();
    },
  );

  test(
    "a server that stalls while a failed statement is rolled back is given up",
    { timeout: 20_000 },
    async () => {
      const { url } = await through({ sent: stallsOnce((text) => text.includes("ROLLBACK")) });
      const { error } = await outcomeOf(fails, url);
      expect(error).toMatchObject({ code: "PROVIDER.PROTOCOL", outcome: "not-done" });
      expect(await send(one, attempt(url))).toMatchObject({ result: { data: { it: 1 } } });
      await closeSql();
    },
  );

  test(
    "a server that stalls with idle connections does not delay the shutdown",
    { timeout: 20_000 },
    async () => {
      const { stallAll, url } = await through({});
      await send(one, attempt(url));
      stallAll();
      await expect(closeSql()).resolves.toBeUndefined();
    },
  );

  test("a server that stalls between RETURNING and COMMIT holds its locks no longer than the attempt", async () => {
    const { url } = await through({ sent: stallsOnce((text) => text.includes("COMMIT")) });
    const { error } = await outcomeOf(returning, url, { timeoutMs: 500 });
    expect(error).toMatchObject({ code: "PROVIDER.TIMEOUT", outcome: "unknown" });
    const inTransaction =
      "state LIKE 'idle in transaction%' AND query NOT LIKE '%pg_stat_activity%'";
    await until(async () => (await sessions(database(), inTransaction)) === 0);
    expect(await database().rows("SELECT * FROM events")).toEqual([]);
  });

  test(
    "a server that stalls on every idle connection at once delays a call only once",
    { timeout: 20_000 },
    async () => {
      const { stallAll, url } = await through({}, 4);
      const slow: Tool = { ...one, text: "SELECT 1 AS it FROM pg_sleep(0.2)" };
      await Promise.all([1, 2, 3, 4].map(() => send(slow, attempt(url))));
      stallAll();
      // The second of two attempts of a second and a half: one connection is asked, the others are
      // given up with it.
      const { answer, error } = await outcomeOf(one, url, { maxAttempts: 2, timeoutMs: 1500 });
      expect(error).toBeUndefined();
      expect(answer).toMatchObject({ data: { it: 1 } });
      expect(await outcomeOf(one, url, { timeoutMs: 500 })).toMatchObject({
        answer: { data: { it: 1 } },
      });
    },
  );
});
