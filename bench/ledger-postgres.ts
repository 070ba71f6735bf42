/**
 * Compares a ledger record in PostgreSQL, and one in synced files, with a bare loop of the same
 * writes. Both sides have the same durability: a committed INSERT, or a synced line.
 */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createFileLedger, entryOf, type LedgerStore } from "@skillc/runtime";
import { createPostgresLedger, migratePostgresLedger } from "@skillc/runtime/ledger/postgres";
import { ledgerRecords } from "./ledger.js";
import { compareTasks, type Measurement } from "./measurement.js";

const server = process.env["SKILLC_TEST_POSTGRES"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const schema = `bench_${process.pid}`;
/** Number of concurrent calls. */
const callers = 64;

const { begin, write } = ledgerRecords;
const line = JSON.stringify(write);

async function one(ledger: LedgerStore): Promise<void> {
  await ledger.append(entryOf(write));
}

async function many(ledger: LedgerStore): Promise<void> {
  await Promise.all(Array.from({ length: callers }, () => one(ledger)));
}

export async function measureDurableLedgers(): Promise<readonly Measurement[]> {
  const directory = mkdtempSync(join(tmpdir(), "skillc-bench-"));
  const fd = openSync(join(directory, "baseline"), "a");
  const files = createFileLedger({ directory, durability: "disk" });
  await migratePostgresLedger({ connectionString: server, schema });
  const tables = createPostgresLedger({ connectionString: server, schema });
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`CREATE TABLE ${schema}.bare (id bigserial PRIMARY KEY, line text NOT NULL)`);
  const insert = () => client.query(`INSERT INTO ${schema}.bare (line) VALUES ($1)`, [line]);
  const syncLine = () => {
    writeSync(fd, `${line}\n`);
    fdatasyncSync(fd);
  };
  // A call without others takes another path in the ledger. So add one that stays open.
  await Promise.all([files, tables].map((ledger) => ledger.append(entryOf(begin))));
  try {
    const inFiles = await compare(
      "file ledger, `disk`",
      `a line written and synced`,
      syncLine,
      files,
    );
    const inTables = await compare("PostgreSQL ledger", "an INSERT, committed", insert, tables);
    return [...inFiles, ...inTables];
  } finally {
    await files.close();
    await tables.close();
    await client.query(`DROP SCHEMA ${schema} CASCADE`);
    await client.end();
    closeSync(fd);
    rmSync(directory, { recursive: true });
  }
}

async function compare(
  name: string,
  baseline: string,
  bare: () => unknown,
  ledger: LedgerStore,
): Promise<readonly Measurement[]> {
  const tasks = { bare, one: () => one(ledger), many: () => many(ledger) };
  const measured = await compareTasks(tasks, { rounds: 5, roundMs: 700 });
  const against = `${baseline} (${(measured.get("bare")?.ms ?? Number.NaN).toFixed(2)} ms)`;
  const ratio = (task: string) => measured.get(task)?.ratio ?? Number.NaN;
  return [
    { name: `${name}: a record alone`, value: ratio("one"), unit: "×", baseline: against },
    {
      name: `${name}: a record of ${callers} at once`,
      value: ratio("many") / callers,
      unit: "×",
      baseline: against,
    },
  ];
}
