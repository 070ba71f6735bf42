/**
 * Prunes the tables: removes the old first rows of each writer, and records the last removed row,
 * so that verification can go on from there. Everything happens in one transaction.
 */
import { newVerificationState } from "../chain/chain-check.js";
import type { PruneRecord } from "../chain/chain-record.js";
import { readLinkOfText } from "../chain/line.js";
import type { Pruning, PruneOptions } from "../pruning.js";
import { timeOf } from "../query-filter.js";
import { LedgerUnavailable } from "../store.js";
import type { LedgerVerification } from "../verification.js";
import { pruneAttachments } from "./attachments.js";
import { dropEmptyPartitions, isMonthBefore } from "./drop-partitions.js";
import { inTransaction } from "./migrate.js";
import { partitionNames } from "./partitions.js";
import { type LedgerConnections, type PostgresClient, unavailable } from "./pool.js";
import { pruningRow, readPrunings } from "./prunings.js";
import { partitionIn, sqlTime, type Tables, textOf } from "./tables.js";
import { verifyTables } from "./verify.js";

/**
 * Removes old records.
 *
 * @throws RangeError if the time is not valid; LedgerUnavailable if the server can't be reached
 */
export async function pruneTables(
  connections: LedgerConnections,
  tables: Tables,
  options: PruneOptions,
): Promise<Pruning> {
  const beforeMs = timeOf("before", options.before);
  const verification = await verifyTables(connections, tables);
  try {
    const pruning = await connections.use(
      (client) =>
        inTransaction(client, () => prune(client, tables, beforeMs, verification, options)),
      longestMs,
    );
    if (isPruned(pruning, options)) await dropEmptyPartitions(connections, tables, beforeMs);
    return pruning;
  } catch (error) {
    throw unavailable("the ledger can't be pruned", error);
  }
}

/** Returns whether no old row is left, including the case that there was none. */
function isPruned({ files, problems, removed }: Pruning, { dryRun }: PruneOptions): boolean {
  return removed || (dryRun !== true && files.length === 0 && problems === 0);
}

/** Time limit of the transaction, in milliseconds. It may delete many rows one by one. */
const longestMs = 60 * 60 * 1000;
/** Time limit for locks that readers of old records hold. */
const lockTimeout = "10s";

async function prune(
  client: PostgresClient,
  tables: Tables,
  beforeMs: number,
  verification: LedgerVerification,
  { dryRun = false, includeUnknown = false }: PruneOptions,
): Promise<Pruning> {
  const before = new Date(beforeMs).toISOString();
  const cuts = await findCuts(client, tables, beforeMs, verification);
  const isOld = ({ file, line }: { readonly file: string; readonly line: number }) =>
    line - 1 <= (cuts.get(file)?.seq ?? -1);
  const unknownOutcomes = verification.unknownOutcomes.filter(isOld);
  const files = [...cuts].map(([file, { records }]) => ({ file, records }));
  const found = {
    before,
    files,
    records: files.reduce((sum, { records }) => sum + records, 0),
    unknownOutcomes,
    problems: verification.problems.length + verification.problemsLeftOut,
  };
  const isRefused = found.problems > 0 || (unknownOutcomes.length > 0 && !includeUnknown);
  if (isRefused || dryRun || files.length === 0) return { ...found, removed: false };
  await client.query(`SET LOCAL lock_timeout = '${lockTimeout}'`);
  await record(client, tables, before, cuts);
  await removeRows(client, tables, beforeMs, cuts);
  await pruneAttachments(client, tables, beforeMs);
  return { ...found, removed: true };
}

/** The last row of a writer that is removed. */
interface Cut {
  readonly seq: number;
  readonly hash: string;
  /** Number of removed records of calls. The writer's own records don't count. */
  readonly records: number;
}

type Cuts = ReadonlyMap<string, Cut>;

/**
 * Finds the last row to remove for each writer. It removes a chain from its beginning without gaps,
 * and only rows that were verified.
 */
async function findCuts(
  client: PostgresClient,
  tables: Tables,
  beforeMs: number,
  verification: LedgerVerification,
): Promise<Cuts> {
  const { rows } = await client.query(
    `SELECT writer, max(seq)::text AS seq FROM ${tables.records} WHERE at < $1::timestamptz GROUP BY writer`,
    [sqlTime(beforeMs)],
  );
  const heads = new Map(verification.writers.map(({ head, writer }) => [writer, head?.seq ?? -1]));
  const ends = new Map<string, number>();
  for (const row of rows) {
    const writer = textOf(row, "writer");
    const seq = Math.min(Number(textOf(row, "seq")), heads.get(writer) ?? -1);
    if (seq >= 0) ends.set(writer, seq);
  }
  await spareSettlements(client, tables, beforeMs, ends, verification);
  return cutsAt(client, tables, ends);
}

/** Keeps a settlement for as long as its call. */
async function spareSettlements(
  client: PostgresClient,
  { records }: Tables,
  beforeMs: number,
  ends: Map<string, number>,
  { settledOutcomes }: LedgerVerification,
): Promise<void> {
  const { rows } = await client.query(
    `SELECT writer, seq::text, id FROM ${records} WHERE type = 'settle' AND at < $1::timestamptz`,
    [sqlTime(beforeMs)],
  );
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    const stays = new Set(
      settledOutcomes
        .filter(({ file, line }) => line - 1 > (ends.get(file) ?? -1))
        .map(({ id }) => id),
    );
    for (const row of rows) {
      const writer = textOf(row, "writer");
      const seq = Number(textOf(row, "seq"));
      if (seq > (ends.get(writer) ?? -1) || !stays.has(textOf(row, "id"))) continue;
      if (seq === 0) ends.delete(writer);
      else ends.set(writer, seq - 1);
      // A call that is kept for this settlement may itself have settlements elsewhere, so check
      // again.
      isChanged = true;
    }
  }
}

async function cutsAt(
  client: PostgresClient,
  { records }: Tables,
  ends: ReadonlyMap<string, number>,
): Promise<Cuts> {
  const { rows } = await client.query(
    `SELECT r.writer, e.seq::text, count(*) FILTER (WHERE r.type IN ('begin', 'end', 'settle'))::text AS records,
       max(r.line) FILTER (WHERE r.seq = e.seq) AS line
     FROM ${records} r JOIN unnest($1::text[], $2::bigint[]) AS e(writer, seq) USING (writer)
     WHERE r.seq <= e.seq GROUP BY r.writer, e.seq ORDER BY r.writer`,
    [[...ends.keys()], [...ends.values()]],
  );
  return new Map(
    rows.flatMap((row) => {
      const hash = readLinkOfText(row["line"] ?? "")?.hash;
      const seq = Number(textOf(row, "seq"));
      return hash === undefined
        ? []
        : [[textOf(row, "writer"), { seq, hash, records: Number(textOf(row, "records")) }]];
    }),
  );
}

/**
 * Records the pruning. The lock makes prunings run one after another, because each line needs the
 * hash of the previous one.
 */
async function record(
  client: PostgresClient,
  tables: Tables,
  before: string,
  cuts: Cuts,
): Promise<void> {
  await client.query(`LOCK TABLE ${tables.prunings} IN SHARE ROW EXCLUSIVE MODE`);
  const ask = async (text: string) => (await client.query(text)).rows;
  const head = await readPrunings({ ask }, tables, newVerificationState());
  const files = [...cuts].map(([file, cut]) => ({ file, ...cut }));
  const entry: PruneRecord = { type: "prune", time: new Date().toISOString(), before, files };
  await client.query(`INSERT INTO ${tables.prunings} (number, line) VALUES ($1, $2)`, [
    ...pruningRow(head, entry),
  ]);
}

/**
 * Removes rows. It truncates a partition if no row of its month stays, which is fast, and deletes
 * rows from the others.
 */
async function removeRows(
  client: PostgresClient,
  tables: Tables,
  beforeMs: number,
  cuts: Cuts,
): Promise<void> {
  const ends = [[...cuts.keys()], [...cuts.values()].map(({ seq }) => seq)];
  const old = "unnest($1::text[], $2::bigint[]) AS e(writer, seq)";
  for (const name of await partitionNames(client, tables)) {
    const partition = partitionIn(tables.schema, name);
    const { rows } = await client.query(
      `SELECT count(*)::text AS count FROM (
         SELECT FROM ${partition} r LEFT JOIN ${old} USING (writer)
         WHERE e.seq IS NULL OR r.seq > e.seq LIMIT 1) stays`,
      [...ends],
    );
    const isOver = isMonthBefore(name, beforeMs) && rows[0]?.["count"] === "0";
    if (isOver) await client.query(`TRUNCATE ${partition}`);
  }
  await client.query(
    `DELETE FROM ${tables.records} r USING ${old}
     WHERE r.writer = e.writer AND r.seq <= e.seq AND r.at < '${sqlTime(beforeMs)}'`,
    [...ends],
  );
  await requireGone(client, tables, ends);
  // Remove these writers too: a process that writes again begins a new chain.
  await client.query(
    `DELETE FROM ${tables.writers} w USING ${old} WHERE w.writer = e.writer AND w.seq = e.seq`,
    [...ends],
  );
}

/** Fails if a row in the removed range is left, because a gap in a chain can't be verified. */
async function requireGone(
  client: PostgresClient,
  { records }: Tables,
  ends: readonly unknown[],
): Promise<void> {
  const { rows } = await client.query(
    `SELECT 1 FROM ${records} r JOIN unnest($1::text[], $2::bigint[]) AS e(writer, seq) USING (writer)
     WHERE r.seq <= e.seq LIMIT 1`,
    [...ends],
  );
  if (rows.length > 0)
    throw new LedgerUnavailable(
      "the ledger can't be pruned: the times of its rows are out of order",
    );
}
