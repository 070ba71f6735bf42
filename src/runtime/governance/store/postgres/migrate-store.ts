import {
  type Migrated,
  migrateSchema,
  type StoreTables,
  versionOf,
  versionSql,
} from "../../../postgres/migrate-schema.js";
import { PostgresConnection, type StoreNames } from "./connection.js";

/** Time limit of a migration, in milliseconds. It may wait for another migration, and for calls. */
const migrateMs = 60_000;

/**
 * Creates the tables of a store, or updates those of an older version, in one transaction.
 *
 * @throws StoreUnavailable if PostgreSQL can't be reached or rejects a statement; UnusableUrl if
 * the URL is not valid
 */
export async function migrateStore(
  url: string,
  names: StoreNames,
  tables: StoreTables,
): Promise<Migrated> {
  const connection = new PostgresConnection(url, migrateMs, names);
  try {
    return await connection.use((session) => migrateSchema(session, tables));
  } catch (error) {
    throw connection.unavailable(error);
  } finally {
    await connection.close();
  }
}

/**
 * Checks that the tables have at least this version. Newer versions support everything that this
 * one needs.
 *
 * @throws StoreUnavailable if they are older or missing
 */
export async function requireMigrated(
  connection: PostgresConnection,
  { migrations, schema }: Pick<StoreTables, "migrations" | "schema">,
): Promise<void> {
  if (versionOf(await connection.rows(versionSql(schema), [])) < migrations.length)
    throw connection.notMigrated();
}
