import { groupByWriter, ledgerDirectory, namesIn } from "./files/file-name.js";
import { type LedgerCall, Settlements } from "./ledger-call.js";
import { type QueryFilter, prepareFilter } from "./query-filter.js";
import { type Positioned, recordsOfWriter } from "./files/read-records.js";
import { isOlder, parseCursor } from "./position.js";

export interface LedgerQuery extends QueryFilter {
  /** `.skillc/ledger` below the working directory when not given. */
  readonly directory?: string;
  /** How many calls at most; no limit when not given. */
  readonly limit?: number;
  /** The `cursor` of a call: only calls older than that one. Records added meanwhile don't shift it. */
  readonly cursor?: string;
}

/**
 * The calls in a ledger, newest first, those of all writers merged by time. A call stands where its end record is; one without, where its
 * begin record is. Streams: memory depends on how many writers there are and how many calls were in flight at a time, not on how many
 * were recorded. Lines that are torn or hold no record are passed over; `verifyLedger` reports them.
 *
 * Records of reads that this process holds back are not seen: call `flush` of its ledger first.
 *
 * @throws RangeError when the cursor, a time or the limit is not one
 */
export async function* queryLedger(
  query: LedgerQuery = {},
): AsyncGenerator<LedgerCall, void, undefined> {
  const filter = prepareFilter(query);
  const after = query.cursor === undefined ? undefined : parseCursor(query.cursor);
  let left = limitOf(query.limit);
  if (left === 0) return;
  const directory = ledgerDirectory(query.directory);
  const writers = groupByWriter(await namesIn(directory));
  // A settlement is newer than its call: newest first, it comes before. Of several the newest counts.
  const settlements = new Settlements();
  for await (const found of newestFirst(
    writers.map((each) => recordsOfWriter(directory, each, filter)),
  )) {
    if ("settles" in found) {
      settlements.add(found.settles);
      continue;
    }
    if (after && !isOlder(found.position, after)) continue;
    const call = settlements.applyTo(found.call);
    if (!filter.wants(call)) continue;
    yield call;
    left -= 1;
    if (left === 0) return;
  }
}

function limitOf(limit: number | undefined): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw new RangeError(`\`limit\` is not a count: ${limit}`);
  return limit;
}

interface Source {
  readonly next: Positioned;
  readonly calls: AsyncGenerator<Positioned>;
}

/** Merges streams that are each newest first. */
async function* newestFirst(
  streams: readonly AsyncGenerator<Positioned>[],
): AsyncGenerator<Positioned> {
  // The newest is last, where taking one off is cheap.
  const sources: Source[] = [];
  try {
    for (const calls of streams) insert(sources, await advance(calls));
    for (let newest = sources.pop(); newest; newest = sources.pop()) {
      yield newest.next;
      insert(sources, await advance(newest.calls));
    }
  } finally {
    await Promise.all(streams.map((each) => each.return(undefined)));
  }
}

async function advance(calls: AsyncGenerator<Positioned>): Promise<Source | undefined> {
  const result = await calls.next();
  return result.done ? undefined : { next: result.value, calls };
}

function insert(sources: Source[], source: Source | undefined): void {
  if (!source) return;
  let low = 0;
  let high = sources.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = sources[middle];
    if (other && isOlder(other.next.position, source.next.position)) low = middle + 1;
    else high = middle;
  }
  sources.splice(low, 0, source);
}
