import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { createRuntime } from "../../generated/index.js";
import { createMemoryLedger, type Runtime, shutdown } from "../../src/runtime/index.js";
import { openPglite } from "../../src/bindings/sql/send/pglite.js";
import { createDatabase, postgresService } from "../support/postgres.js";
import { describeWithService } from "../support/service.js";
import { apiBuilder } from "../../examples/demo/api-builder.js";

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

/** A database with the warehouse's tables, and direct access to it. */
export interface Warehouse {
  readonly url: string;
  /** Runs SQL, and returns the rows of the last statement as the driver reads them. */
  rows(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  drop(): Promise<void>;
}

/** Runtime and ledger with which a test calls tools. */
export interface Desk {
  readonly as: { readonly runtime: Runtime };
  readonly ledger: ReturnType<typeof createMemoryLedger>;
  readonly rows: Warehouse["rows"];
  /** Returns all rows of all tables, and the names of all objects in the schema. */
  everything(): Promise<unknown>;
}

const handlers = {
  ...apiBuilder,
  "order-desk/quote-shipping": () => Promise.reject(new Error("nobody asks for it here")),
};

export async function openEmbedded(): Promise<Warehouse> {
  const url = "pglite://:memory:";
  const engine = await openPglite(url);
  const rows: Warehouse["rows"] = async (text) =>
    // Rows are objects by column name by default.
    ((await engine.exec(text)).at(-1)?.rows ?? []) as Readonly<Record<string, unknown>>[];
  await rows(schema);
  return { url, rows, drop: () => Promise.resolve() };
}

/** Creates a database on the server. `drop` removes it. */
async function openOnServer(): Promise<Warehouse> {
  const { url, run, drop } = await createDatabase(schema);
  return { url, rows: run, drop };
}

/**
 * Runs the same tests on the embedded PostgreSQL and on a server. Each test begins with the data of
 * examples/warehouse.
 */
export async function onEachEngine(tests: (desk: () => Desk) => void): Promise<void> {
  describe("PGlite", () => {
    suite(openEmbedded, tests);
  });
  await describeWithService(postgresService, () => suite(openOnServer, tests));
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

/** Replaces all rows of the tables. */
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
