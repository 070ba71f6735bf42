import fs from "node:fs";
import { type Position, isOlder } from "../position.js";
import type { OwnFolder } from "../../files/own-place.js";
import type { PreparedFilter } from "../query-filter.js";
import type { BeginRecord, EndRecord, SettleRecord } from "../record.js";
import type { StoredRecord } from "../store.js";
import {
  type LedgerFileName,
  type WriterFiles,
  directoryOf,
  groupByWriter,
  namesIn,
  pathOf,
} from "./file-name.js";
import { isLeft } from "./file-ends.js";
import { readLinkOfText } from "../chain/line.js";
import { readLinesBackwards } from "./read-lines.js";
import { parseRecord } from "../chain/chain-record.js";
import {
  type FileSummary,
  keepSummary,
  readSummary,
  smallestSummarized,
  wantedBlocks,
} from "./summary.js";

/**
 * The records in a folder of files, those of all writers merged by time, newest first. Streams:
 * memory depends on how many writers there are and how many calls were in flight at a time, not on
 * how many were recorded. Lines that are torn or hold no record are passed over; verifying reports
 * them.
 */
export async function* readRecords(
  ledger: OwnFolder,
  filter: PreparedFilter,
): AsyncGenerator<StoredRecord> {
  const writers = groupByWriter(await namesIn(directoryOf(ledger)));
  yield* newestFirst(writers.map((each) => recordsOfWriter(ledger, each, filter)));
}

interface Source {
  readonly next: StoredRecord;
  readonly records: AsyncGenerator<StoredRecord>;
}

/** Merges streams that are each newest first. */
async function* newestFirst(
  streams: readonly AsyncGenerator<StoredRecord>[],
): AsyncGenerator<StoredRecord> {
  // The newest is last, where taking one off is cheap.
  const sources: Source[] = [];
  try {
    for (const records of streams) insert(sources, await advance(records));
    for (let newest = sources.pop(); newest; newest = sources.pop()) {
      yield newest.next;
      insert(sources, await advance(newest.records));
    }
  } finally {
    await Promise.all(streams.map((each) => each.return(undefined)));
  }
}

async function advance(records: AsyncGenerator<StoredRecord>): Promise<Source | undefined> {
  const result = await records.next();
  return result.done ? undefined : { next: result.value, records };
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

/**
 * What one writer recorded of the calls that may be wanted, newest first, without the begin records
 * of calls of which a newer record tells, and every settlement.
 */
async function* recordsOfWriter(
  ledger: OwnFolder,
  { writer, files }: WriterFiles,
  filter: PreparedFilter,
): AsyncGenerator<StoredRecord> {
  const directory = directoryOf(ledger);
  const told = new Set<number>();
  let latestMs = Number.POSITIVE_INFINITY;
  for (const [index, file] of files.toReversed().entries()) {
    const next = index === 0 ? undefined : files[files.length - index];
    if (next && next.startMs < filter.sinceMs) return;
    const summary = await summaryOf(ledger, file, next !== undefined);
    const open = summary && new Set(summary.open.map(([seq]) => seq));
    for await (const lines of linesOf(pathOf(directory, file), summary, filter)) {
      for (const line of lines) {
        const found = filter.mayHold(line) || maySettle(line) ? readFound(line) : undefined;
        if (!found) continue;
        const { begin, record, seq } = found;
        const isTold = record.type === "begin" && (told.delete(seq) || open?.has(seq) === false);
        if (begin !== undefined && open === undefined) told.add(begin);
        if (isTold) continue;
        latestMs = Math.min(latestMs, Date.parse(record.time));
        const position: Position = { timeMs: latestMs, writer, seq };
        yield { record, position, file: file.name, isLast: true };
      }
    }
    for (const seq of summary?.endsEarlier ?? []) told.add(seq);
  }
}

/** Of a file that is large enough, and that nobody writes any more. */
async function summaryOf(
  ledger: OwnFolder,
  file: LedgerFileName,
  hasNext: boolean,
): Promise<FileSummary | undefined> {
  const directory = directoryOf(ledger);
  const path = pathOf(directory, file);
  const size = fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size < smallestSummarized) return undefined;
  const kept = readSummary(directory, file);
  if (kept !== undefined) return kept;
  return hasNext || isLeft(path, file) ? keepSummary(ledger, file) : undefined;
}

/**
 * A part of the file when its summary says which, else all of it. A file that is deleted or can't
 * be read while others can is for verifying to report.
 */
async function* linesOf(
  path: string,
  summary: FileSummary | undefined,
  filter: PreparedFilter,
): AsyncGenerator<readonly string[]> {
  try {
    if (summary === undefined) yield* readLinesBackwards(path);
    else for (const block of wantedBlocks(summary, filter)) yield* readLinesBackwards(path, block);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
  }
}

/**
 * Whether a line can hold a settlement, which stand wherever the calls do that they are about:
 * cheaper than parsing it.
 */
function maySettle(line: string): boolean {
  return line.slice(0, frontLength).includes('"type":"settle"');
}

/** Longer than what stands before the type. */
const frontLength = 160;

interface FoundRecord {
  readonly record: BeginRecord | EndRecord | SettleRecord;
  readonly seq: number;
  readonly begin: number | undefined;
}

function readFound(line: string): FoundRecord | undefined {
  const link = readLinkOfText(line);
  const record = link && parseRecord(line);
  if (!record || record.type === "open" || record.type === "close" || record.type === "prune")
    return undefined;
  return { record, seq: link.seq, begin: link.begin };
}
