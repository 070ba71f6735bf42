/**
 * The entry point `@skillc/runtime/ledger/postgres`: a ledger that processes on several machines
 * share, and an outbox for events beside it.
 *
 * - `postgres-ledger.ts`: the store; `append-queue.ts`: which records go together; `batch.ts`: the
 *   statement that adds them; `writer.ts`: where the chain stands, also when answers are lost
 * - `read.ts`, `verify.ts`, over a `snapshot.ts`; `prune.ts`, `prunings.ts`; `attachments.ts`
 * - `migrate.ts`, `migrations.ts`, `partitions.ts`, `tables.ts`: what is in the database
 * - `pool.ts`: connections, and what their errors mean
 */
export { type LedgerMigration, migratePostgresLedger, type MigrateOptions } from "./migrate.js";
export { createOutbox, type Deliver, type Outbox, type RelayOptions } from "./outbox.js";
export type { MadePartition } from "./partitions.js";
export type { PostgresClient, PostgresPlace, PostgresPool, PostgresRows } from "./pool.js";
export {
  createPostgresLedger,
  type PostgresLedger,
  type PostgresLedgerOptions,
} from "./postgres-ledger.js";
