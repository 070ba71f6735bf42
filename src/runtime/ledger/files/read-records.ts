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
 * Yields the records in a folder of ledger files, merged from all writers, newest first. It reads
 * the files as streams: memory grows with the number of writers and of calls that were in progress
 * at the same time, not with the number of records. It skips lines that are torn or hold no record;
 * verification reports them.
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

/** Merges streams that are each ordered newest first. */
async function* newestFirst(
  streams: readonly AsyncGenerator<StoredRecord>[],
): AsyncGenerator<StoredRecord> {
  // The newest source is last, because removing the last item is cheap.
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
 * Yields one writer's records of calls that may match the filter, newest first, and every
 * settlement. It leaves out begin records if the call has a newer record.
 */
async function* recordsOfWriter(
  ledger: OwnFolder,
  { writer, files }: WriterFiles,
  filter: PreparedFilter,
): AsyncGenerator<StoredRecord> {
  const directory = directoryOf(ledger);
  const endedLater = new Set<number>();
  let latestMs = Number.POSITIVE_INFINITY;
  for (const [index, file] of files.toReversed().entries()) {
    const next = index === 0 ? undefined : files[files.length - index];
    if (next && next.startMs < filter.sinceMs) return;
    const summary = await summaryOf(ledger, file, next !== undefined);
    const open = summary && new Set(summary.open.map(([seq]) => seq));
    for await (const lines of linesOf(pathOf(directory, file), summary, filter)) {
      for (const line of lines) {
        const found = filter.mayHold(line) || maySettle(line) ? parseRecordLine(line) : undefined;
        if (!found) continue;
        const { begin, record, seq } = found;
        const isTold =
          record.type === "begin" && (endedLater.delete(seq) || open?.has(seq) === false);
        if (begin !== undefined && open === undefined) endedLater.add(begin);
        if (isTold) continue;
        latestMs = Math.min(latestMs, Date.parse(record.time));
        const position: Position = { timeMs: latestMs, writer, seq };
        yield { record, position, file: file.name, isLast: true };
      }
    }
    for (const seq of summary?.endsEarlier ?? []) endedLater.add(seq);
  }
}

/** Returns the summary of a file that is large enough and no longer written. */
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
 * Yields the lines of the file, or only the blocks that its summary selects. If the file is deleted
 * or can't be read, it yields nothing; verification reports the problem.
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
 * Returns whether a line may hold a settlement, which can be anywhere. Faster than parsing the
 * line.
 */
function maySettle(line: string): boolean {
  return line.slice(0, frontLength).includes('"type":"settle"');
}

/** Longer than the part of a line before its type, in characters. */
const frontLength = 160;

interface ParsedRecord {
  readonly record: BeginRecord | EndRecord | SettleRecord;
  readonly seq: number;
  readonly begin: number | undefined;
}

function parseRecordLine(line: string): ParsedRecord | undefined {
  const link = readLinkOfText(line);
  const record = link && parseRecord(line);
  if (!record || record.type === "open" || record.type === "close" || record.type === "prune")
    return undefined;
  return { record, seq: link.seq, begin: link.begin };
}
