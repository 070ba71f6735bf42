import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { createRuntime } from "../../generated/index.js";
import { createMemoryLedger, type Runtime, shutdown } from "../../src/runtime/index.js";
import { openPglite } from "../../src/bindings/sql/runtime.js";
import { describeWithService } from "../support/service.js";

const read = (path: string): string =>
  readFileSync(new URL(`../../examples/warehouse/${path}`, import.meta.url), "utf8");
const schema = read("schema.sql");
const data = read("data.sql");

const tables = [
  "categories",
  "products",
  "locations",
  "stock",
  "movements",
  "customers",
  "orders",
  "order_lines",
] as const;

/** A database with the warehouse's tables, looked at from beside the tools. */
export interface Warehouse {
  readonly url: string;
  /** Runs SQL, and gives the rows of the last statement as the driver reads them. */
  rows(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  drop(): Promise<void>;
}

/** What a test calls tools with. */
export interface Desk {
  readonly as: { readonly runtime: Runtime };
  readonly ledger: ReturnType<typeof createMemoryLedger>;
  readonly rows: Warehouse["rows"];
  /** Every row of every table, and the name of everything in the schema. */
  everything(): Promise<unknown>;
}

const handlers = {
  "order-desk/quote-shipping": () => Promise.reject(new Error("nobody asks for it here")),
};

export async function openEmbedded(): Promise<Warehouse> {
  const url = "pglite://:memory:";
  const engine = await openPglite(url);
  const rows: Warehouse["rows"] = async (text) =>
    // Rows are objects by column name unless arrays are asked for.
    ((await engine.exec(text)).at(-1)?.rows ?? []) as Readonly<Record<string, unknown>>[];
  await rows(schema);
  return { url, rows, drop: () => Promise.resolve() };
}

const server = process.env["SKILLC_TEST_POSTGRES"] ?? "postgres://postgres@127.0.0.1:5432/postgres";

/** A database of its own on the server, dropped in the end. */
async function openOnServer(): Promise<Warehouse> {
  const name = `skillc_warehouse_${randomUUID().replaceAll("-", "")}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const side = new pg.Client({ connectionString: url.href });
  await side.connect();
  await side.query(schema);
  return {
    url: url.href,
    rows: async (text) => [await side.query(text)].flat().at(-1)?.rows ?? [],
    drop: async () => {
      await side.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}

async function probe(): Promise<void> {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 3000 });
  await client.connect();
  await client.end();
}

/** The same tests on the embedded PostgreSQL and on a server: each begins with the data of examples/warehouse. */
export async function onEachEngine(tests: (desk: () => Desk) => void): Promise<void> {
  describe("PGlite", () => {
    suite(openEmbedded, tests);
  });
  const start = "on Debian: `apt-get install postgresql && pg_ctlcluster 15 main start`";
  await describeWithService({ name: "PostgreSQL", start, probe }, () => suite(openOnServer, tests));
}

function suite(open: () => Promise<Warehouse>, tests: (desk: () => Desk) => void): void {
  let warehouse: Warehouse | undefined;
  let desk: Desk | undefined;
  beforeAll(async () => {
    warehouse = await open();
  });
  beforeEach(async () => {
    if (warehouse === undefined) throw new Error("not open");
    await load(warehouse, data);
    desk = deskOf(warehouse);
  });
  afterAll(async () => {
    await shutdown();
    await warehouse?.drop();
  });
  tests(() => {
    if (desk === undefined) throw new Error("not open");
    return desk;
  });
}

/** Replaces everything in the tables. */
export async function load({ rows }: Pick<Warehouse, "rows">, inserts: string): Promise<void> {
  await rows(`TRUNCATE ${tables.join(", ")} RESTART IDENTITY; ${inserts}`);
}

export function deskOf({ url, rows }: Warehouse): Desk {
  const ledger = createMemoryLedger();
  const credentials = { WAREHOUSE_URL: url };
  const runtime = createRuntime({ inherit: false, handlers, ledger, credentials });
  const everything = (): Promise<unknown> => {
    const parts = tables.map(
      (table) =>
        `SELECT '${table}' AS name, json_agg(t ORDER BY t::text)::text AS held FROM ${table} t`,
    );
    const names = `SELECT relname::text, relkind::text FROM pg_class WHERE relnamespace = 'public'::regnamespace`;
    return rows(`${[...parts, names].join(" UNION ALL ")} ORDER BY 1, 2`);
  };
  return { as: { runtime }, ledger, rows, everything };
}
