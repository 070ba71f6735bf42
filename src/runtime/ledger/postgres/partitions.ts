/**
 * Records are kept by months. The months to come are made ahead, by `migrate`; what belongs to none
 * of them goes to the default partition, so that no record is refused because nobody migrated, and
 * `migrate` moves it to where it belongs.
 */
import type { PostgresClient } from "./pool.js";
import { partitionIn, sqlTime, type Tables, textOf } from "./tables.js";

/** A month's partition. */
export interface Month {
  readonly year: number;
  /** From 1. */
  readonly month: number;
}

export const defaultPartition = "records_default";

/** Made ahead, beside the one that is. */
const monthsAhead = 12;

const form = /^records_(\d{4})_(\d\d)$/;

function partitionOf({ month, year }: Month): string {
  return `records_${String(year).padStart(4, "0")}_${String(month).padStart(2, "0")}`;
}

/** Undefined for the default partition, and for what somebody else has attached. */
export function monthOf(partition: string): Month | undefined {
  const [, year, month] = form.exec(partition) ?? [];
  return year === undefined ? undefined : { year: Number(year), month: Number(month) };
}

/** Its first millisecond. */
export function startOf({ month, year }: Month): number {
  const date = new Date(0);
  // `Date.UTC` takes years before 100 for others.
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

/** The names of all partitions. */
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

export interface MadePartition {
  readonly name: string;
  /** Records that were in the default partition. */
  readonly moved: number;
}

/** Makes the partitions that are missing. To be called in a transaction. */
export async function makePartitions(
  client: PostgresClient,
  tables: Tables,
  nowMs: number,
): Promise<readonly MadePartition[]> {
  const there = new Set(await partitionNames(client, tables));
  const wanted = await wantedMonths(client, tables, nowMs);
  const missing = wanted.filter((month) => !there.has(partitionOf(month)));
  if (missing.length === 0) return [];
  // Nobody adds to it what is about to move.
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

/** What a clock far ahead has written stays in the default partition. */
function lastAhead(nowMs: number): Month {
  const { month, year } = monthAt(nowMs);
  return monthAfter({ year: year + 1, month });
}

/**
 * Attached when it is filled: that holds up nobody who appends, as making it in its place would.
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

/** A place in a writer's chain is there once. */
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
