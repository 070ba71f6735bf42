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

/** Options of a migration. */
export type MigrateOptions = PostgresPlace & {
  /** Schema of the ledger's tables; `skillc` by default. */
  readonly schema?: string;
  /**
   * Returns the current time in milliseconds since 1970; `Date.now` by default. Partitions are
   * created from this month on.
   */
  readonly now?: () => number;
};

/** Result of a migration. */
export interface LedgerMigration {
  /** Schema of the tables. */
  readonly schema: string;
  /** Version of the tables before; 0 if there were none. */
  readonly from: number;
  /** Version of the tables after. */
  readonly to: number;
  /** Migrations that were applied. */
  readonly applied: readonly { readonly version: number; readonly name: string }[];
  /** Partitions that were created, with the number of records moved from the default partition. */
  readonly partitions: readonly MadePartition[];
}

/** Oldest PostgreSQL version that the ledger is tested with. */
const oldestServer = 150_000;

/** Time limit for locks that users of the tables hold. */
const lockTimeout = "20s";

/**
 * Creates or updates the tables of a PostgreSQL ledger, and the partitions of the next 12 months.
 * It doesn't change what is up to date. Two migrations at once run one after the other. The
 * migration is one transaction.
 *
 * @throws LedgerUnavailable if the server can't be reached, is too old or rejects a statement, or
 * if the tables have a later version
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

/** Time limit of the transaction, in milliseconds. Moving records reads a whole table. */
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

/** Locks migrations: only one transaction at a time creates or drops tables and partitions. */
export async function lockMigrations(client: PostgresClient, { schema }: Tables): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `skillc ledger ${schema}`,
  ]);
}

async function makeMigrations(
  client: PostgresClient,
  { migrations: table, namespace, schema }: Tables,
): Promise<void> {
  // `IF NOT EXISTS` requires the right to create a schema even if the schema exists.
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

/** Runs work in a transaction. */
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
    // If the connection is lost, so is the transaction.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/**
 * Checks that the tables have this runtime's version.
 *
 * @throws LedgerUnavailable if they are missing, older or newer
 */
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
      `the ledger's tables in the schema \`${tables.schema}\` have version ${version}, but this runtime needs version ${newestVersion}`,
      "run `skillc ledger migrate`",
    );
}

function tooNew({ schema }: Tables, version: number): LedgerUnavailable {
  return new LedgerUnavailable(
    `the ledger's tables in the schema \`${schema}\` have version ${version}, but this runtime supports no version after ${newestVersion}`,
    "install the version of `@skillc/runtime` that migrated them, or a later one",
  );
}

/** Returns the version of the tables; undefined if there are none. */
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
      `the ledger's server is PostgreSQL ${Math.floor(version / 10_000)}, but a ledger needs version ${oldestServer / 10_000} or later`,
    );
  const encoding = textOf(row, "encoding");
  if (encoding !== "UTF8")
    throw new LedgerUnavailable(
      `the ledger's database has the encoding ${encoding}, which lacks characters that a record may have`,
      "create the database with ENCODING 'UTF8'",
    );
}

/** Returns whether an error means that a schema, table or column is missing. */
export function isMissing(error: unknown): boolean {
  return ["3F000", "42P01", "42703"].includes(sqlStateOf(error) ?? "");
}
