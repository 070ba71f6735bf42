/**
 * Partitions of the records by month. `migrate` creates the partitions of the coming months.
 * Records of other months go to the default partition, so that inserts never fail because nobody
 * migrated. `migrate` later moves these records to the partitions of their months.
 */
import type { PostgresClient } from "./pool.js";
import { partitionIn, sqlTime, type Tables, textOf } from "./tables.js";

/** A month that has a partition. */
export interface Month {
  readonly year: number;
  /** Month from 1 to 12. */
  readonly month: number;
}

export const defaultPartition = "records_default";

/** Number of months for which partitions are created, beside the current one. */
const monthsAhead = 12;

const form = /^records_(\d{4})_(\d\d)$/;

function partitionOf({ month, year }: Month): string {
  return `records_${String(year).padStart(4, "0")}_${String(month).padStart(2, "0")}`;
}

/**
 * Returns the month of a partition; undefined for the default partition, and for partitions that
 * skillc didn't create.
 */
export function monthOf(partition: string): Month | undefined {
  const [, year, month] = form.exec(partition) ?? [];
  return year === undefined ? undefined : { year: Number(year), month: Number(month) };
}

/** Returns the first millisecond of a month. */
export function startOf({ month, year }: Month): number {
  const date = new Date(0);
  // `Date.UTC` maps years before 100 to 1900 and later.
  date.setUTCFullYear(year, month - 1, 1);
  return date.getTime();
}

export function monthAfter({ month, year }: Month): Month {
  return month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 };
}

export function monthAt(ms: number): Month {
  const date = new Date(ms);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
}

/** Returns the names of all partitions. */
export async function partitionNames(
  client: PostgresClient,
  { records }: Tables,
): Promise<readonly string[]> {
  const { rows } = await client.query(
    `SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = $1::regclass ORDER BY 1`,
    [records],
  );
  return rows.map((row) => textOf(row, "name"));
}

/** A partition that a migration created. */
export interface MadePartition {
  /** Name of the partition. */
  readonly name: string;
  /** Number of records moved from the default partition. */
  readonly moved: number;
}

/** Creates missing partitions. Call it in a transaction. */
export async function makePartitions(
  client: PostgresClient,
  tables: Tables,
  nowMs: number,
): Promise<readonly MadePartition[]> {
  const there = new Set(await partitionNames(client, tables));
  const wanted = await wantedMonths(client, tables, nowMs);
  const missing = wanted.filter((month) => !there.has(partitionOf(month)));
  if (missing.length === 0) return [];
  // Lock the default partition, so that nobody inserts rows that are about to move.
  await client.query(
    `LOCK TABLE ${partitionIn(tables.schema, defaultPartition)} IN SHARE ROW EXCLUSIVE MODE`,
  );
  const made: MadePartition[] = [];
  for (const month of missing) made.push(await makePartition(client, tables, month));
  return made;
}

async function wantedMonths(
  client: PostgresClient,
  { schema }: Tables,
  nowMs: number,
): Promise<readonly Month[]> {
  const { rows } = await client.query(
    `SELECT DISTINCT to_char(at AT TIME ZONE 'UTC', 'YYYY_MM') AS month FROM ${partitionIn(schema, defaultPartition)}
     WHERE at < $1::timestamptz ORDER BY 1`,
    [new Date(startOf(lastAhead(nowMs))).toISOString()],
  );
  const stranded = rows.flatMap((row) => monthOf(`records_${textOf(row, "month")}`) ?? []);
  const ahead: Month[] = [monthAt(nowMs)];
  for (let month = monthAt(nowMs); ahead.length <= monthsAhead;)
    ahead.push((month = monthAfter(month)));
  return [...stranded, ...ahead];
}

/**
 * Returns the first month for which no partition is created. Records from a clock that is far ahead
 * stay in the default partition.
 */
function lastAhead(nowMs: number): Month {
  const { month, year } = monthAt(nowMs);
  return monthAfter({ year: year + 1, month });
}

/**
 * Creates a partition, fills it, and then attaches it. Creating it attached would block inserts for
 * longer.
 */
async function makePartition(
  client: PostgresClient,
  tables: Tables,
  month: Month,
): Promise<MadePartition> {
  const name = partitionOf(month);
  const partition = partitionIn(tables.schema, name);
  const rest = partitionIn(tables.schema, defaultPartition);
  const from = `'${sqlTime(startOf(month))}'`;
  const to = `'${sqlTime(startOf(monthAfter(month)))}'`;
  for (const statement of partitionStatements(tables, name)) await client.query(statement);
  const { rows } = await client.query(
    `WITH gone AS (DELETE FROM ${rest} WHERE at >= ${from} AND at < ${to} RETURNING *),
     moved AS (INSERT INTO ${partition} SELECT * FROM gone RETURNING 1)
     SELECT count(*)::text AS count FROM moved`,
  );
  await client.query(
    `ALTER TABLE ${tables.records} ATTACH PARTITION ${partition} FOR VALUES FROM (${from}) TO (${to})`,
  );
  return { name, moved: Number(rows[0]?.["count"] ?? 0) };
}

/**
 * Returns SQL that creates a partition, with one row at most for each record of a writer's chain.
 */
export function partitionStatements(
  { records, schema }: Pick<Tables, "records" | "schema">,
  name: string,
): readonly string[] {
  const partition = partitionIn(schema, name);
  return [
    `CREATE TABLE ${partition} (LIKE ${records})`,
    `CREATE UNIQUE INDEX ON ${partition} (writer, seq)`,
  ];
}
