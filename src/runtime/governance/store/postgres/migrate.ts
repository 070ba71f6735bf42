import { type Migrated, quotedSchema } from "../../../postgres/migrate-schema.js";
import type { StoreNames } from "./connection.js";
import { migrateStore } from "./migrate-store.js";
import { migrations } from "./migrations.js";
import { type PostgresStoreOptions, usualSchema } from "./options.js";

const lockId = 7_553_140_211;

/** Names of the store in messages. */
export const governanceNames: StoreNames = {
  application: "skillc governance",
  store: "governance store",
  migration: "migrateGovernance",
};

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
  return migrateStore(url, governanceNames, { schema: quotedSchema(schema), migrations, lockId });
}
