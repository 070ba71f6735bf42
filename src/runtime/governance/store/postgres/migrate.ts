import {
  type Migrated,
  migrateSchema,
  quotedSchema,
  versionOf,
  versionSql,
} from "../../../postgres/migrate-schema.js";
import { notMigrated, PostgresConnection, unavailable } from "./connection.js";
import { migrations } from "./migrations.js";
import { type PostgresStoreOptions, usualSchema } from "./options.js";

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
  schema = usualSchema,
  url,
}: Omit<PostgresStoreOptions, "timeoutMs">): Promise<Migrated> {
  const tables = { schema: quotedSchema(schema), migrations, lockId };
  const connection = new PostgresConnection(url, migrateMs);
  try {
    return await connection.use((session) => migrateSchema(session, tables));
  } catch (error) {
    throw unavailable(error);
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
  schema: string,
): Promise<void> {
  if (versionOf(await connection.rows(versionSql(schema), [])) < migrations.length)
    throw notMigrated();
}
