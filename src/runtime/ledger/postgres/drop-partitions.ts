/**
 * Removes the partitions of months that are over and empty: else each month that was pruned would
 * leave one for good, which every query has to look at.
 */
import { inTransaction, lockMigrations } from "./migrate.js";
import { monthAfter, monthAt, monthOf, partitionNames, startOf } from "./partitions.js";
import type { LedgerConnections, PostgresClient } from "./pool.js";
import { partitionIn, type Tables } from "./tables.js";

/**
 * Who appends waits behind this while it waits for those who read: not for long. What could not be
 * had then stays until the next pruning.
 */
const lockTimeout = "500ms";

/**
 * Drops those that are empty and wholly before a time; never that of this month, nor those made
 * ahead. To be called when a pruning is committed: what can't be dropped, whatever the reason, is no
 * failure of it.
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

/** Whether a partition is a month's that is over by then. */
export function isMonthBefore(partition: string, ms: number): boolean {
  const month = monthOf(partition);
  return month !== undefined && startOf(monthAfter(month)) <= ms;
}

/**
 * Looks again when nobody can add to it any more. A record of that month that comes later goes to
 * the default partition, as any does whose month has none.
 */
async function dropEmpty(client: PostgresClient, tables: Tables, name: string): Promise<void> {
  // What is seen is what was committed before the lock was had, whatever the database's default is.
  await client.query("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
  await client.query(`SET LOCAL lock_timeout = '${lockTimeout}'`);
  await lockMigrations(client, tables);
  // Looked at first without keeping anybody waiting.
  if (!(await isEmpty(client, tables, name))) return;
  await client.query(`LOCK TABLE ONLY ${tables.records} IN ACCESS EXCLUSIVE MODE`);
  if (await isEmpty(client, tables, name))
    await client.query(`DROP TABLE ${partitionIn(tables.schema, name)}`);
}

async function isEmpty(client: PostgresClient, { schema }: Tables, name: string): Promise<boolean> {
  const { rows } = await client.query(`SELECT FROM ${partitionIn(schema, name)} LIMIT 1`);
  return rows.length === 0;
}
