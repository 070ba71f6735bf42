/** A read as generated code has it, against the same query by hand: in Kysely, with the same transaction statements, and on bare pg. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely, PostgresDialect, sql as raw } from "kysely";
import pg from "pg";
import {
  type AnyResult,
  callTool,
  createRuntime,
  defineTool,
  type Runtime,
  type RuntimeOptions,
  shutdown,
  type Validator,
} from "skillc/runtime";
import { query } from "skillc/runtime/sql";
import { compareTasks, type Measurement } from "./measurement.js";

const serverUrl =
  process.env["SKILLC_TEST_POSTGRES"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const rounds = { rounds: 7, roundMs: 700 };
const name = `skillc_bench_${process.pid}`;
const timeoutMs = 5000;

interface Database {
  readonly orders: {
    readonly id: string;
    readonly customer_id: number;
    readonly total: string;
    readonly created_at: string;
  };
  readonly customers: { readonly id: number; readonly name: string };
}

interface Arguments {
  readonly since: string;
  readonly most: number;
}

const values: Arguments = { since: "2026-01-01T00:00:00Z", most: 20 };

const schema = `
  CREATE TABLE customers (id int4 PRIMARY KEY, name text NOT NULL);
  CREATE TABLE orders (id int8 PRIMARY KEY, customer_id int4 NOT NULL REFERENCES customers, total numeric NOT NULL, created_at timestamptz NOT NULL);
  INSERT INTO customers SELECT n, 'customer ' || n FROM generate_series(1, 100) n;
  INSERT INTO orders SELECT n, 1 + n % 100, n / 100.0, '2026-01-01'::timestamptz + n * interval '1 minute' FROM generate_series(1, 10000) n;
  CREATE INDEX ON orders (created_at);
  ANALYZE;
`;

/** What the author's statement becomes: the same builder code on all sides. */
function build(db: Kysely<Database>, { since, most }: Arguments) {
  return db
    .selectFrom("orders as o")
    .innerJoin("customers as c", "c.id", "o.customer_id")
    .select(["o.id", "o.total", "o.created_at", "c.name as customer"])
    .where("o.created_at", ">=", since)
    .orderBy("o.created_at")
    .limit(most);
}

/** As generated modules have it; its validator looks at the parameters as Ajv's would. */
const recentOrders = defineTool<Arguments, Arguments, AnyResult>({
  skill: "bench",
  name: "recent-orders",
  version: { skill: "0", binding: "0" },
  effect: "read",
  mode: "active",
  timeoutMs,
  retry: { maxAttempts: 3, backoffMs: 1000, backoffMultiplier: 2 },
  params: ((given: unknown) =>
    typeof given === "object" &&
    given !== null &&
    "since" in given &&
    typeof given.since === "string" &&
    "most" in given &&
    Number.isInteger(given.most)) as Validator<Arguments>,
  binding: query<Database, Arguments, AnyResult>({
    connection: "BENCH_URL",
    effect: "read",
    build,
    parameters: ["timestamptz", "int8"],
    columns: { id: "int8", total: "numeric", created_at: "timestamptz", customer: "text" },
    rows: "many",
    maxRows: 1000,
  }),
});

export async function measureSql(): Promise<readonly Measurement[]> {
  const admin = new pg.Pool({ connectionString: serverUrl, max: 1 });
  await admin.query(`CREATE DATABASE ${name}`);
  const url = serverUrl.replace(/\/[^/?]*(?=\?|$)/, `/${name}`);
  const pool = new pg.Pool({ connectionString: url });
  const directory = mkdtempSync(join(tmpdir(), "skillc-bench-"));
  const runtimes = [runtimeFor(url, { directory }), runtimeFor(url, false)];
  try {
    await pool.query(schema);
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
  const statement = build(kysely, values).compile();
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

/** Kysely's transactions set no timeouts, so both are set as one would write it. */
function byKysely(kysely: Kysely<Database>): Promise<unknown> {
  return kysely
    .transaction()
    .setAccessMode("read only")
    .execute(async (transaction) => {
      await raw`SET LOCAL statement_timeout = 5000`.execute(transaction);
      await raw`SET LOCAL lock_timeout = 4500`.execute(transaction);
      return build(transaction, values).execute();
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
  const result = await callTool(recentOrders, values, runtime === undefined ? {} : { runtime });
  if (result.status !== "success") throw new Error(`the read gave ${result.status}`);
}

function runtimeFor(url: string, ledger: NonNullable<RuntimeOptions["ledger"]>): Runtime {
  return createRuntime({ credentials: { BENCH_URL: url }, ledger });
}
