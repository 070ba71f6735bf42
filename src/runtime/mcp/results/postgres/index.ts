/** The entry point `@skillc/runtime/mcp/postgres`: kept results that many processes share. */
export type { Migrated } from "../../../postgres/migrate-schema.js";
export { migrateResults, type MigrateResultsOptions } from "./migrate.js";
export { postgresResults, type PostgresResultsOptions } from "./postgres-results.js";
