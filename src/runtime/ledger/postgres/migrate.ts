import { LedgerUnavailable } from "../store.js";
import { type Migration, migrations, newestVersion } from "./migrations.js";
import { type MadePartition, makePartitions } from "./partitions.js";
import {
  LedgerConnections,
  type PostgresClient,
  type PostgresPlace,
  sqlStateOf,
  unavailable,
} from "./pool.js";
import { type Tables, tablesIn, textOf } from "./tables.js";

export type MigrateOptions = PostgresPlace & {
  /** The schema that has the ledger's tables; `skillc` when not given. */
  readonly schema?: string;
  /** Milliseconds since 1970: the months from then on get partitions. Now, when not given. */
  readonly now?: () => number;
};

/** What a migration did. */
export interface LedgerMigration {
  readonly schema: string;
  /** 0: there were no tables. */
  readonly from: number;
  readonly to: number;
  readonly applied: readonly { readonly version: number; readonly name: string }[];
  /** Partitions that were made, and how many records went there from the default one. */
  readonly partitions: readonly MadePartition[];
}

/** The oldest server that the ledger is tested with. */
const oldestServer = 150_000;

/** Whoever migrates waits that long for those who use the tables. */
const lockTimeout = "20s";

/**
 * Makes or renews the tables of a PostgreSQL ledger, and the partitions of the year to come. What is
 * there already stays; two at once wait for each other. In one transaction: all of it, or nothing.
 *
 * @throws LedgerUnavailable when the server can't be reached, is too old, or refuses; or when the
 *   tables are of a later version
 */
export async function migratePostgresLedger(options: MigrateOptions): Promise<LedgerMigration> {
  const tables = tablesIn(options.schema);
  const connections = new LedgerConnections(options);
  const nowMs = (options.now ?? Date.now)();
  try {
    return await connections.use(
      (client) => inTransaction(client, () => migrate(client, tables, nowMs)),
      longestMs,
    );
  } catch (error) {
    throw unavailable("the ledger can't be migrated", error);
  } finally {
    await connections.close();
  }
}

/** A table is gone through when records move. */
const longestMs = 60 * 60 * 1000;

async function migrate(
  client: PostgresClient,
  tables: Tables,
  nowMs: number,
): Promise<LedgerMigration> {
  await requireServer(client);
  await client.query(`SET LOCAL lock_timeout = '${lockTimeout}'`);
  await lockMigrations(client, tables);
  const from = (await versionOf(client, tables)) ?? 0;
  if (from > newestVersion) throw tooNew(tables, from);
  const due = migrations.filter(({ version }) => version > from);
  if (from === 0) await makeMigrations(client, tables);
  for (const each of due) await apply(client, tables, each);
  return {
    schema: tables.schema,
    from,
    to: newestVersion,
    applied: due.map(({ name, version }) => ({ version, name })),
    partitions: await makePartitions(client, tables, nowMs),
  };
}

/** One transaction after another makes tables and partitions, or drops them. */
export async function lockMigrations(client: PostgresClient, { schema }: Tables): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `skillc ledger ${schema}`,
  ]);
}

async function makeMigrations(
  client: PostgresClient,
  { migrations: table, namespace, schema }: Tables,
): Promise<void> {
  // `IF NOT EXISTS` asks for the right to make one even where it is there.
  const { rows } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
  if (rows.length === 0) await client.query(`CREATE SCHEMA ${namespace}`);
  await client.query(
    `CREATE TABLE ${table} (version integer PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())`,
  );
}

async function apply(client: PostgresClient, tables: Tables, migration: Migration): Promise<void> {
  for (const statement of migration.statements(tables)) await client.query(statement);
  await migration.fill?.(client, tables);
  await client.query(`INSERT INTO ${tables.migrations} (version) VALUES ($1)`, [migration.version]);
}

/** Does something whole, or not at all. */
export async function inTransaction<Value>(
  client: PostgresClient,
  work: () => Promise<Value>,
): Promise<Value> {
  await client.query("BEGIN");
  try {
    const value = await work();
    await client.query("COMMIT");
    return value;
  } catch (error) {
    // Where the connection is gone, so is the transaction.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** @throws LedgerUnavailable for tables that are missing, older or newer than this runtime's */
export async function requireTables(client: PostgresClient, tables: Tables): Promise<void> {
  await requireServer(client);
  const version = await versionOf(client, tables);
  if (version === undefined)
    throw new LedgerUnavailable(
      `the ledger's tables are not in the schema \`${tables.schema}\``,
      "run `skillc ledger migrate`",
    );
  if (version > newestVersion) throw tooNew(tables, version);
  if (version < newestVersion)
    throw new LedgerUnavailable(
      `the ledger's tables in the schema \`${tables.schema}\` are of version ${version}, and this runtime works with version ${newestVersion}`,
      "run `skillc ledger migrate`",
    );
}

function tooNew({ schema }: Tables, version: number): LedgerUnavailable {
  return new LedgerUnavailable(
    `the ledger's tables in the schema \`${schema}\` are of version ${version}, and this runtime knows none later than ${newestVersion}`,
    "install the version of `@skillc/runtime` that they were migrated with, or a later one",
  );
}

/** Undefined where there are no tables. */
async function versionOf(
  client: PostgresClient,
  { migrations: table }: Tables,
): Promise<number | undefined> {
  const { rows: found } = await client.query("SELECT to_regclass($1)::text AS name", [table]);
  if (found[0]?.["name"] === null) return undefined;
  const { rows } = await client.query(`SELECT max(version)::text AS version FROM ${table}`);
  return Number(rows[0]?.["version"] ?? 0);
}

async function requireServer(client: PostgresClient): Promise<void> {
  const { rows } = await client.query(
    `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding`,
  );
  const [row = {}] = rows;
  const version = Number(textOf(row, "version"));
  if (version < oldestServer)
    throw new LedgerUnavailable(
      `the ledger's server is PostgreSQL ${Math.floor(version / 10_000)}, and a ledger needs version ${oldestServer / 10_000} or later`,
    );
  const encoding = textOf(row, "encoding");
  if (encoding !== "UTF8")
    throw new LedgerUnavailable(
      `the ledger's database is encoded as ${encoding}, which hasn't every character that a record may have`,
      "make the database with ENCODING 'UTF8'",
    );
}

/** Whether a table is missing, or a column of it. */
export function isMissing(error: unknown): boolean {
  return ["3F000", "42P01", "42703"].includes(sqlStateOf(error) ?? "");
}
