/**
 * Compares a generated tool of skills/warehouse with the same query by hand: in Kysely with the
 * same transaction statements, and in bare pg.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely, PostgresDialect, sql as raw } from "kysely";
import pg from "pg";
import { createRuntime, type Runtime, type RuntimeOptions, shutdown } from "@skillc/runtime";
import type { Database } from "../generated/databases/warehouse-url.js";
import { stockOf } from "../generated/warehouse/index.js";
import { compareTasks, type Measurement } from "./measurement.js";
import { repository } from "../test/support/repository.js";

const serverUrl =
  process.env["SKILLC_TEST_POSTGRES"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const rounds = { rounds: 7, roundMs: 700 };
const name = `skillc_bench_${process.pid}`;
const params = { sku: "SKU-7" };

const schema = readFileSync(`${repository}examples/warehouse/schema.sql`, "utf8");

/** A hundred products at twenty locations each, so a call returns twenty rows. */
const data = `
  INSERT INTO products (sku, name, price) SELECT 'SKU-' || n, 'Product ' || n, n FROM generate_series(1, 100) n;
  INSERT INTO locations SELECT 'L-' || n, n % 5, 1000 FROM generate_series(1, 20) n;
  INSERT INTO stock SELECT 'SKU-' || p, 'L-' || l, p + l, now() FROM generate_series(1, 100) p, generate_series(1, 20) l;
  ANALYZE;
`;

/** The author's statement, written with Kysely. */
function build(db: Kysely<Database>) {
  return db
    .selectFrom("stock as s")
    .innerJoin("locations as l", "l.code", "s.location")
    .select(["s.location", "l.aisle", "s.quantity", "s.counted_at"])
    .where("s.sku", "=", params.sku)
    .orderBy("l.aisle")
    .orderBy("s.location");
}

export async function measureSql(): Promise<readonly Measurement[]> {
  const admin = new pg.Pool({ connectionString: serverUrl, max: 1 });
  await admin.query(`CREATE DATABASE ${name}`);
  const url = serverUrl.replace(/\/[^/?]*(?=\?|$)/, `/${name}`);
  const pool = new pg.Pool({ connectionString: url });
  const directory = mkdtempSync(join(tmpdir(), "skillc-bench-"));
  const runtimes = [runtimeFor(url, { directory }), runtimeFor(url, false)];
  try {
    await pool.query(schema + data);
    return await measure(pool, runtimes);
  } finally {
    await Promise.all(runtimes.map((each) => each.close()));
    await shutdown();
    await pool.end();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
    rmSync(directory, { recursive: true });
  }
}

async function measure(
  pool: pg.Pool,
  [withLedger, without]: readonly Runtime[],
): Promise<readonly Measurement[]> {
  const kysely = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const statement = build(kysely).compile();
  const tasks = {
    kysely: () => byKysely(kysely),
    "ledger on": () => generated(withLedger),
    "ledger off": () => generated(without),
    "bare pg in the transaction": () => byPg(pool, statement.sql, statement.parameters),
    "bare pg, the query alone": () => pool.query(statement.sql, [...statement.parameters]),
  };
  const measured = await compareTasks(tasks, rounds);
  const ms = measured.get("kysely")?.ms ?? Number.NaN;
  const against = `the same query and transaction by hand in Kysely (${(ms * 1000).toFixed(0)} µs)`;
  const line = (name: string, key: string): Measurement => ({
    name,
    value: measured.get(key)?.ratio ?? Number.NaN,
    unit: "×",
    baseline: against,
  });
  return [
    line("generated SQL read, ledger on: p50", "ledger on"),
    line("generated SQL read, ledger off: p50", "ledger off"),
    line("by hand on bare pg, in the transaction: p50", "bare pg in the transaction"),
    line("by hand on bare pg, no transaction: p50", "bare pg, the query alone"),
  ];
}

/** Kysely's transactions set no timeouts, so this code sets both, as a user would. */
function byKysely(kysely: Kysely<Database>): Promise<unknown> {
  return kysely
    .transaction()
    .setAccessMode("read only")
    .execute(async (transaction) => {
      await raw`SET LOCAL statement_timeout = 5000`.execute(transaction);
      await raw`SET LOCAL lock_timeout = 4500`.execute(transaction);
      return build(transaction).execute();
    });
}

async function byPg(pool: pg.Pool, text: string, parameters: readonly unknown[]): Promise<unknown> {
  const client = await pool.connect();
  try {
    await client.query(
      "BEGIN READ ONLY; SET LOCAL statement_timeout = 5000; SET LOCAL lock_timeout = 4500",
    );
    return await client.query(text, [...parameters]);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

async function generated(runtime: Runtime | undefined): Promise<void> {
  const result = await stockOf(params, runtime === undefined ? {} : { runtime });
  if (result.status !== "success" || result.data.length !== 20)
    throw new Error(`the read gave ${result.status}`);
}

function runtimeFor(url: string, ledger: NonNullable<RuntimeOptions["ledger"]>): Runtime {
  return createRuntime({ credentials: { WAREHOUSE_URL: url }, ledger });
}
