import { type Migrated, migrateSchema, quotedSchema } from "../../postgres/migrate-schema.js";
import { migrations } from "./migrations.js";
import { RunConnections, type RunsPlace } from "./run-connections.js";

/** Default schema of the tables. */
export const usualSchema = "skillc_runs";

const lockId = 7_553_140_213;

/** Time limit of a migration, in milliseconds. It may wait for another migration, and for runs. */
const migrateMs = 60_000;

/** Options of a migration. */
export type MigrateRunsOptions = RunsPlace & {
  /** Schema of the tables; `skillc_runs` by default. */
  readonly schema?: string;
};

/**
 * Creates the tables of runs, or updates those of an older version, in one transaction. The role
 * must be allowed to create a schema, or own an existing one. Run it when you deploy, before the
 * first run. Two migrations at once run one after the other.
 *
 * @returns the versions before and after
 * @throws RunStoreError if PostgreSQL can't be reached or rejects a statement
 * @throws TypeError if `schema` is not valid
 */
export async function migrateRuns(options: MigrateRunsOptions): Promise<Migrated> {
  const schema = quotedSchema(options.schema ?? usualSchema);
  const connections = new RunConnections(options);
  try {
    return await connections.use(
      (client) => migrateSchema(client, { schema, migrations, lockId }),
      migrateMs,
    );
  } finally {
    await connections.close();
  }
}
