/**
 * Four processes of 64 callers each over one Redis, and over one PostgreSQL, also while it is killed
 * and started again. What happened is printed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrateGovernance } from "../../../src/runtime/governance/store/postgres/postgres-store.js";
import { startRedis, withRedis } from "../../bindings/queue/support/redis.js";
import { absenceOfPostgres, startPostgres } from "../../support/own-postgres.js";
import { describeUnless } from "../../support/service.js";
import { limits } from "./races/policy.js";
import { type Races, runRaces, type Server } from "./races/races.js";

/** Half a minute where nothing else runs. */
const limitMs = 600_000;

interface OwnServer extends Server {
  close(): Promise<void>;
}

function holdRaces(name: string, open: () => Promise<OwnServer>): void {
  let races: Races;
  let server: OwnServer;
  const folder = mkdtempSync(join(tmpdir(), "skillc-races-"));
  beforeAll(async () => {
    server = await open();
    races = await runRaces(server, join(folder, "ledger"));
    console.log(`${name}\n${JSON.stringify(races, undefined, 2)}`);
  }, limitMs);
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("no call exceeds a budget, and each budget is fully used while the store works", () => {
    const { calm, faulty } = races;
    expect([calm.overBudget, faulty.overBudget, calm.budgetLeft]).toEqual([0, 0, 0]);
    expect(Math.max(calm.mostNarrow, faulty.mostNarrow)).toBeLessThanOrEqual(limits.atOnce);
    expect(calm.mostNarrow).toBeGreaterThan(1);
  });

  test("no key runs twice, and each answer belongs to the call that ran", () => {
    const { calm, faulty } = races;
    expect([calm.keysRunTwice, faulty.keysRunTwice]).toEqual([0, 0]);
    expect([calm.wrongAnswers, faulty.wrongAnswers]).toEqual([0, 0]);
    expect(calm.keysRun).toBe(calm.keys);
    expect(faulty.keysRun).toBeGreaterThan(0);
  });

  test("calls of a serial tool never overlap", () => {
    expect([races.calm.mostSerial, races.faulty.mostSerial]).toEqual([1, 1]);
  });

  test("the ledger misses no call", () => {
    const nothing = { missedByLedger: 0, endsMissedByLedger: 0, ledgerProblems: 0 };
    expect(races.calm).toMatchObject(nothing);
    expect(races.faulty).toMatchObject(nothing);
    expect(Math.min(races.calm.writesArrived, races.faulty.writesArrived)).toBeGreaterThan(0);
  });

  test("budgets and leases alone refuse calls while the store works", () => {
    expect(Object.keys(races.calm.ends).toSorted()).toEqual([
      "QUOTA.BUDGET_EXCEEDED",
      "QUOTA.RATE_LIMITED",
      "success",
    ]);
  });

  test("the outcome is unknown only for calls whose lease was lost or whose attempt timed out", () => {
    const { calm, faulty } = races;
    expect(calm.unknown).toBe(0);
    expect(faulty.leasesLost).toBeGreaterThan(0);
    // Where the machine has other work to do, an attempt may take too long.
    const unknown = faulty.leasesLost + (faulty.ends["PROVIDER.TIMEOUT"] ?? 0);
    expect([faulty.unknown, faulty.unknownInLedger]).toEqual([unknown, unknown]);
  });

  test("no write is sent while the store is away, and reads are made as configured", () => {
    const { away } = races;
    expect(away.writesArrived).toBe(0);
    expect(away.writesRefused).toBe(away.writes);
    expect(away.readsMade).toBe(away.reads);
    expect(away.strictReadsRefused).toBe(away.strictReads);
    expect(Math.min(away.writes, away.reads, away.strictReads)).toBeGreaterThan(0);
  });

  test("every call is made after the store is back", () => {
    expect(Object.keys(races.back)).toEqual(["success"]);
  });

  test("the key of a killed process is unknown, and its turn goes to the next process", () => {
    expect(races.crashed).toEqual({ key: "unknown-outcome", serial: "success" });
  });
}

withRedis("Redis", () => {
  holdRaces("Redis", () => startRedis());
});

describeUnless(absenceOfPostgres, "a PostgreSQL of its own", () => {
  holdRaces("PostgreSQL", async () => {
    const postgres = await startPostgres();
    await migrateGovernance({ url: postgres.url });
    return postgres;
  });
});
