/**
 * Four processes of 64 callers each over one Redis, and over one PostgreSQL: no budget exceeded, no
 * key run twice, serial never at once, nothing missed by the ledger, also while the store is killed
 * and started again. What happened is printed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { migrateGovernance } from "../../../src/runtime/governance/store/postgres/postgres-store.js";
import { startRedis, withRedis } from "../../bindings/queue/support/redis.js";
import { absenceOfPostgres, startPostgres } from "../../support/own-postgres.js";
import { describeUnless } from "../../support/service.js";
import type { Counts } from "./races/counts.js";
import { limits } from "./races/policy.js";
import { runRaces, type Server } from "./races/races.js";

/** What no race may have done, whatever happened to the store. */
const promised: Partial<Counts> = {
  overBudget: 0,
  mostSerial: 1,
  keysRunTwice: 0,
  wrongAnswers: 0,
  missedByLedger: 0,
  endsMissedByLedger: 0,
  ledgerProblems: 0,
};

/** Half a minute where nothing else runs. */
const limitMs = 600_000;

async function race(name: string, server: Server): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "skillc-races-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const races = await runRaces(server, join(folder, "ledger"));
  console.log(`${name}\n${JSON.stringify(races, undefined, 2)}`);
  const { away, back, calm, crashed, faulty } = races;
  // While nothing happens, every budget is used up to its end, and nothing else is refused.
  expect(calm).toMatchObject({ ...promised, budgetLeft: 0, unknown: 0, leasesLost: 0, keys: 75 });
  expect(Object.keys(calm.ends).toSorted()).toEqual([
    "QUOTA.BUDGET_EXCEEDED",
    "QUOTA.RATE_LIMITED",
    "success",
  ]);
  expect(calm.mostNarrow).toBeGreaterThan(1);
  expect(calm.mostNarrow).toBeLessThanOrEqual(limits.atOnce);
  expect(crashed).toEqual({ key: "unknown-outcome", serial: "success" });

  expect(faulty).toMatchObject({ ...promised, unknown: faulty.leasesLost });
  expect(faulty.unknownInLedger).toBe(faulty.unknown);
  expect(faulty.leasesLost).toBeGreaterThan(0);
  expect(faulty.mostNarrow).toBeLessThanOrEqual(limits.atOnce);
  expect(faulty.ends["success"]).toBeGreaterThan(0);
  expect(faulty.ends["store-unavailable"]).toBeGreaterThan(0);

  expect(away.writesArrived).toBe(0);
  expect(away.writesRefused).toBe(away.writes);
  expect(away.readsMade).toBe(away.reads);
  expect(away.strictReadsRefused).toBe(away.strictReads);
  expect(Math.min(away.writes, away.reads, away.strictReads)).toBeGreaterThan(0);
  expect(Object.keys(back)).toEqual(["success"]);
}

withRedis("Redis", () => {
  test(
    "keeps its promises among many processes, and while it is killed and started",
    async () => {
      const redis = await startRedis();
      onTestFinished(() => redis.close());
      await race("Redis", redis);
    },
    limitMs,
  );
});

describeUnless(absenceOfPostgres, "a PostgreSQL of its own", () => {
  test(
    "keeps its promises among many processes, and while it is killed and started",
    async () => {
      const postgres = await startPostgres();
      onTestFinished(() => postgres.close());
      await migrateGovernance({ url: postgres.url });
      await race("PostgreSQL", postgres);
    },
    limitMs,
  );
});
