import type { StoreNames } from "../../../governance/store/postgres/connection.js";
import { migrateStore } from "../../../governance/store/postgres/migrate-store.js";
import { type Migrated, quotedSchema } from "../../../postgres/migrate-schema.js";
import { migrations } from "./migrations.js";

/** Default schema of the table. */
export const usualSchema = "skillc_results";

const lockId = 7_553_140_214;

/** Names of the store in messages. */
export const resultNames: StoreNames = {
  application: "skillc results",
  store: "store of results",
  migration: "migrateResults",
};

/** Options of a migration. */
export interface MigrateResultsOptions {
  /** URL `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** Schema of the table; `skillc_results` by default. */
  readonly schema?: string;
}

/**
 * Creates the table of results, or updates one of an older version, in one transaction. The role
 * must be allowed to create a schema, or own an existing one. Run it when you deploy, before the
 * server starts. Two migrations at once run one after the other.
 *
 * @returns the versions before and after
 * @throws StoreUnavailable if PostgreSQL can't be reached or rejects a statement; UnusableUrl if
 * the URL is not valid; TypeError if `schema` is not valid
 */
export async function migrateResults({
  schema = usualSchema,
  url,
}: MigrateResultsOptions): Promise<Migrated> {
  return migrateStore(url, resultNames, { schema: quotedSchema(schema), migrations, lockId });
}
