/**
 * The entry point `@skillc/runtime/ledger/postgres`: a ledger that processes on several machines
 * share, and an outbox for events.
 *
 * - `postgres-ledger.ts`: the store; `append-queue.ts`: forms batches of records; `batch.ts`:
 *   builds the statement that inserts a batch; `writer.ts`: tracks the head of the chain, also if
 *   answers are lost
 * - `read.ts`, `verify.ts`, on a `snapshot.ts`; `prune.ts`, `prunings.ts`; `attachments.ts`
 * - `migrate.ts`, `migrations.ts`, `partitions.ts`, `tables.ts`: the database's schema
 * - `pool.ts`: connections, and the meaning of their errors
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
