/**
 * One pool for a URL and a search path, kept while it has a connection: of a password that changes
 * each hour there would be as many as hours else.
 */
import { expect, test, vi } from "vitest";
import { databaseAt } from "../../../../src/bindings/sql/send/databases.js";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import { createRuntime } from "../../../../src/runtime/runtime.js";
import { stopClock } from "../../../support/stopped-clock.js";
import { contractOf } from "./call-tool.js";
import { onServer, type Tool } from "./support.js";

const name: Tool = {
  text: "SELECT current_setting('application_name') AS name",
  columns: { name: "text" },
  rows: "one",
};

const quiet = { inherit: false, ledger: false } as const;

onServer("SELECT 1", (database) => {
  const urlOf = (application: string) => `${database().url}?application_name=${application}`;
  const at = (url: string) => databaseAt(url, ".", ["public"]);
  const call = (TEST_URL: string | (() => string)) =>
    callTool(
      contractOf(name),
      {},
      { runtime: createRuntime({ ...quiet, credentials: { TEST_URL } }) },
    );

  test("a new URL from a function gets a new pool", async () => {
    let round = 0;
    const TEST_URL = () => urlOf(`round-${(round += 1)}`);
    const runtime = createRuntime({ ...quiet, credentials: { TEST_URL } });
    const names = [1, 2].map(() => callTool(contractOf(name), {}, { runtime }));
    expect((await Promise.all(names)).map(({ data }) => data)).toEqual(
      expect.arrayContaining([{ name: "round-1" }, { name: "round-2" }]),
    );
  });

  test("a pool whose connections were idle and closed is forgotten", async () => {
    stopClock();
    const url = urlOf("forgotten");
    const pool = at(url);
    await call(url);
    expect(at(url)).toBe(pool);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(at(url)).toBe(pool);
    await vi.advanceTimersByTimeAsync(1);
    await expect.poll(() => at(url) === pool).toBe(false);
    expect(await call(url)).toMatchObject({ data: { name: "forgotten" } });
  });

  test("a pool that got no connection is forgotten", async () => {
    const url = urlOf("refused").replace(/skillc_\w+/, "there_is_no_such_database");
    const pool = at(url);
    await expect(call(url)).rejects.toMatchObject({ outcome: "not-done" });
    await expect.poll(() => at(url) === pool).toBe(false);
  });
});
