/** The entry point `@skillc/runtime/runs/postgres`: runs that processes on several machines share. */
export type { Migrated } from "../../postgres/migrate-schema.js";
export type { PostgresClient, PostgresPool, PostgresRows } from "../../postgres/connections.js";
export { migrateRuns, type MigrateRunsOptions } from "./migrate.js";
export { postgresRuns, type PostgresRunsOptions } from "./postgres-runs.js";
export type { RunsPlace } from "./run-connections.js";
