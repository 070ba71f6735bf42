import { type LedgerFileName, type WriterFiles, pathOf } from "./file-name.js";
import { type EndedCall, type UnknownCall, unknownEnd } from "../ledger-call.js";
import { readLinkOfText } from "./line.js";
import { type Position, cursorOf } from "../position.js";
import type { PreparedFilter } from "../query-filter.js";
import { readLinesBackwards } from "./read-lines.js";
import type { BeginRecord, EndRecord, SettleRecord } from "../record.js";
import { parseRecord } from "./stored-record.js";

/** What a writer recorded, and where it stands among the records of all writers. */
export type Positioned = PositionedCall | PositionedSettlement;

interface PositionedCall {
  readonly call: EndedCall | UnknownCall;
  readonly position: Position;
}

interface PositionedSettlement {
  readonly settles: SettleRecord;
  readonly position: Position;
}

/**
 * The wanted calls of one writer, newest first, with those of unknown outcome that may be settled elsewhere, and every settlement. Read backwards, a call's end comes before its begin, so that a call can be handed on with
 * its first record seen; what is remembered is only the calls whose begin is still to come.
 */
export async function* recordsOfWriter(
  directory: string,
  { writer, files }: WriterFiles,
  filter: PreparedFilter,
): AsyncGenerator<Positioned> {
  const ended = new Set<number>();
  let latestMs = Number.POSITIVE_INFINITY;
  for (const [index, file] of files.toReversed().entries()) {
    const next = index === 0 ? undefined : files[files.length - index];
    if (next && next.startMs < filter.sinceMs) return;
    for await (const lines of readableLines(pathOf(directory, file))) {
      for (const line of lines) {
        const found = filter.mayHold(line) || maySettle(line) ? readFound(line) : undefined;
        if (!found || (found.record.type === "begin" && ended.delete(found.seq))) continue;
        if (found.begin !== undefined) ended.add(found.begin);
        latestMs = Math.min(latestMs, Date.parse(found.record.time));
        const position = { timeMs: latestMs, writer, seq: found.seq };
        if (found.record.type === "settle") {
          yield { settles: found.record, position };
          continue;
        }
        const call = callOf(found.record, file, position);
        if (call.outcome === "unknown" || filter.wants(call)) yield { call, position };
      }
    }
  }
}

/** A file that is deleted or can't be read while others can is `verifyLedger`'s to report. */
async function* readableLines(path: string): AsyncGenerator<readonly string[]> {
  try {
    yield* readLinesBackwards(path);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
  }
}

/** Whether a line can hold a settlement, which stand wherever the calls do that they are about: cheaper than parsing it. */
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
  if (!record || record.type === "open" || record.type === "close") return undefined;
  return { record, seq: link.seq, begin: link.begin };
}

function callOf(
  record: BeginRecord | EndRecord,
  file: LedgerFileName,
  position: Position,
): EndedCall | UnknownCall {
  const { writer, seq } = position;
  const place = { file: file.name, writer, seq };
  const common = { ...factsOf(record), place, cursor: cursorOf(position) };
  const end = record.type === "begin" ? {} : unknownEnd(record);
  if (record.type === "begin" || end !== undefined)
    return { ...common, ...end, outcome: "unknown" };
  return {
    ...common,
    outcome: "ended",
    status: record.status,
    result: record.result,
    error: record.error,
    attempts: record.attempts,
    durationMs: record.durationMs,
    ...(record.request === undefined ? {} : { request: record.request }),
  };
}

/** Field by field: a line holds the chain's own fields too, and may hold anything else. */
function factsOf(record: BeginRecord | EndRecord): Omit<BeginRecord, "type"> {
  return {
    id: record.id,
    time: record.time,
    skill: record.skill,
    tool: record.tool,
    kind: record.kind,
    mode: record.mode,
    effect: record.effect,
    parameters: record.parameters,
    version: record.version,
    ...(record.trace === undefined ? {} : { trace: record.trace }),
    ...(record.parent === undefined ? {} : { parent: record.parent }),
  };
}
