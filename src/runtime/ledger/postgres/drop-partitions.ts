/**
 * Drops empty partitions of past months. Otherwise every pruned month would leave a partition,
 * which every query has to visit.
 */
import { inTransaction, lockMigrations } from "./migrate.js";
import { monthAfter, monthAt, monthOf, partitionNames, startOf } from "./partitions.js";
import type { LedgerConnections, PostgresClient } from "./pool.js";
import { partitionIn, type Tables } from "./tables.js";

/**
 * Time limit for the lock. While the statement waits for readers, it blocks writers, so the limit
 * is short. If the lock fails, the next pruning tries again.
 */
const lockTimeout = "500ms";

/**
 * Drops empty partitions of months that ended before a time. It never drops the current month or
 * later ones. Call it after a pruning is committed. Failures are ignored, because the pruning has
 * succeeded.
 */
export async function dropEmptyPartitions(
  connections: LedgerConnections,
  tables: Tables,
  beforeMs: number,
): Promise<void> {
  const endMs = Math.min(beforeMs, startOf(monthAt(Date.now())));
  try {
    const names = await connections.use((client) => partitionNames(client, tables));
    for (const name of names.filter((each) => isMonthBefore(each, endMs)))
      await connections.use((client) =>
        inTransaction(client, () => dropEmpty(client, tables, name)),
      );
  } catch {
    // See above.
  }
}

/** Returns whether a partition's month ended before a time. */
export function isMonthBefore(partition: string, ms: number): boolean {
  const month = monthOf(partition);
  return month !== undefined && startOf(monthAfter(month)) <= ms;
}

/**
 * Drops a partition if it is still empty once the table is locked. Later records of that month go
 * to the default partition.
 */
async function dropEmpty(client: PostgresClient, tables: Tables, name: string): Promise<void> {
  // READ COMMITTED makes the check after the lock see rows that were committed before the lock,
  // whatever the database's default isolation is.
  await client.query("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
  await client.query(`SET LOCAL lock_timeout = '${lockTimeout}'`);
  await lockMigrations(client, tables);
  // A first check without a lock, which blocks nobody.
  if (!(await isEmpty(client, tables, name))) return;
  await client.query(`LOCK TABLE ONLY ${tables.records} IN ACCESS EXCLUSIVE MODE`);
  if (await isEmpty(client, tables, name))
    await client.query(`DROP TABLE ${partitionIn(tables.schema, name)}`);
}

async function isEmpty(client: PostgresClient, { schema }: Tables, name: string): Promise<boolean> {
  const { rows } = await client.query(`SELECT FROM ${partitionIn(schema, name)} LIMIT 1`);
  return rows.length === 0;
}
