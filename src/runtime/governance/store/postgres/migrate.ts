import { StoreUnavailable } from "../store-unavailable.js";
import { notMigrated, PostgresConnection, unavailable } from "./connection.js";
import { migrationIn, migrations } from "./migrations.js";
import { type PostgresStoreOptions, quotedSchema } from "./options.js";

/** Advisory lock of migrations: any number that never changes. */
const lockId = 7_553_140_211;

/** Time limit of a migration, in milliseconds. It may wait for another migration, and for calls. */
const migrateMs = 60_000;

/**
 * Creates the tables of a store, or updates those of an older version, in one transaction. The role
 * must be allowed to create a schema, or own an existing one. Run it when you deploy, before the
 * first call. Two migrations at once run one after the other.
 *
 * @returns the versions before and after
 * @throws StoreUnavailable if PostgreSQL can't be reached or rejects a statement; UnusableUrl if
 * the URL is not valid
 */
export async function migrateGovernance({
  schema,
  url,
}: Omit<PostgresStoreOptions, "timeoutMs">): Promise<Migrated> {
  const quoted = quotedSchema(schema);
  const connection = new PostgresConnection(url, migrateMs);
  try {
    return await connection.use(async (client) => {
      await client.query("BEGIN");
      await client.query("SELECT pg_advisory_xact_lock($1)", [lockId]);
      const found = await client.query("SELECT to_regnamespace($1) IS NOT NULL AS is_there", [
        quoted,
      ]);
      // `CREATE SCHEMA IF NOT EXISTS` fails without the right to create schemas, even if the schema
      // exists.
      if (found.rows[0]?.["is_there"] !== true) await client.query(`CREATE SCHEMA ${quoted}`);
      await client.query(`CREATE TABLE IF NOT EXISTS ${quoted}.version (version int PRIMARY KEY)`);
      const before = versionOf((await client.query(versionSql(quoted))).rows);
      for (const [at, migration] of migrations.entries()) {
        if (at < before) continue;
        await client.query(migrationIn(quoted, migration));
        await client.query(`INSERT INTO ${quoted}.version VALUES ($1)`, [at + 1]);
      }
      await client.query("COMMIT");
      return { before, after: Math.max(before, migrations.length) };
    });
  } catch (error) {
    throw unavailable(error);
  } finally {
    await connection.close();
  }
}

/** Versions of the tables before and after a migration. */
export interface Migrated {
  /** Version of the tables before; 0 if there were none. */
  readonly before: number;
  /** Version of the tables after. */
  readonly after: number;
}

/**
 * Checks that the tables have at least this version. Newer versions support everything that this
 * one needs.
 *
 * @throws StoreUnavailable if they are older or missing
 */
export async function requireMigrated(
  connection: PostgresConnection,
  schema: string,
): Promise<void> {
  if (versionOf(await connection.rows(versionSql(schema), [])) < migrations.length)
    throw notMigrated();
}

function versionSql(schema: string): string {
  return `SELECT coalesce(max(version), 0) AS version FROM ${schema}.version`;
}

function versionOf(rows: readonly Readonly<Record<string, unknown>>[]): number {
  const version = rows[0]?.["version"];
  if (typeof version !== "number")
    throw new StoreUnavailable("the version of the governance tables is not a number");
  return version;
}
