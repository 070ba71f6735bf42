import {
  type EndedCall,
  type LedgerCall,
  Settlements,
  type UnknownCall,
  unknownEnd,
} from "./ledger-call.js";
import { cursorOf, isOlder, parseCursor } from "./position.js";
import { prepareFilter, type RecordFilter } from "./query-filter.js";
import type { BeginRecord, CallRecord } from "./record.js";
import type { LedgerStore, StoredRecord } from "./store.js";

/** Filters and limit of a query. */
export interface StoreQuery extends RecordFilter {
  /** Maximum number of calls; no limit by default. */
  readonly limit?: number;
}

/**
 * Yields the calls in a store, newest first. The position of a call is that of its end record, or
 * of its begin record if there is no end record. It reads the store as a stream: memory grows with
 * the number of calls that were in progress at the same time, not with the number of records.
 *
 * @throws RangeError if the cursor, a time or the limit is not valid
 */
export async function* queryStore(
  store: LedgerStore,
  query: StoreQuery = {},
): AsyncGenerator<LedgerCall, void, undefined> {
  const filter = prepareFilter(query);
  const after = query.cursor === undefined ? undefined : parseCursor(query.cursor);
  let left = limitOf(query.limit);
  if (left === 0) return;
  // A settlement is newer than its call, so it is read first. If there are several, the newest
  // counts.
  const settlements = new Settlements();
  for await (const call of newestRecordOfEach(store.read(query), settlements)) {
    if (after && !isOlder(call.position, after)) continue;
    const found = settlements.applyTo(callOf(call.record, call));
    if (!filter.wants(found)) continue;
    yield found;
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

type NewestRecord = StoredRecord & { readonly record: CallRecord };

/**
 * Yields the newest record of each call. The end of a call is read before its begin, so a call can
 * be yielded when its first record is read. The set contains only calls whose begin record is still
 * to come.
 */
async function* newestRecordOfEach(
  records: AsyncIterable<StoredRecord>,
  settlements: Settlements,
): AsyncGenerator<NewestRecord> {
  const seenIds = new Set<string>();
  for await (const found of records) {
    const { record } = found;
    if (record.type === "settle") {
      settlements.add(record);
      continue;
    }
    const { accepted, id, type } = record;
    const isTold = type === "begin" && seenIds.delete(id);
    const hasOlder = type === "end" ? record.effect === "write" : accepted !== undefined;
    if (hasOlder && !found.isLast) seenIds.add(id);
    if (!isTold) yield { ...found, record };
  }
}

function callOf(record: CallRecord, { file, position }: StoredRecord): EndedCall | UnknownCall {
  const { writer, seq } = position;
  const place = { ...(file !== undefined && { file }), writer, seq };
  const common = { ...factsOf(record), place, cursor: cursorOf(position) };
  const { accepted } = record;
  const polled = accepted === undefined ? {} : { accepted };
  const end = record.type === "begin" ? {} : unknownEnd(record);
  if (record.type === "begin" || end !== undefined)
    return { ...common, ...end, ...polled, outcome: "unknown" };
  return {
    ...common,
    outcome: "ended",
    status: record.status,
    result: record.result,
    error: record.error,
    attempts: record.attempts,
    durationMs: record.durationMs,
    ...(record.attachment === undefined ? {} : { attachment: record.attachment }),
    ...(record.attachments === undefined ? {} : { attachments: record.attachments }),
    ...(record.request === undefined ? {} : { request: record.request }),
    ...polled,
    ...(record.containment === undefined ? {} : { containment: record.containment }),
    ...(record.undone === undefined ? {} : { undone: record.undone }),
    ...(record.rollback === undefined ? {} : { rollback: record.rollback }),
    ...(record.misfits === undefined ? {} : { misfits: record.misfits }),
    ...(record.decision === undefined ? {} : { decision: record.decision }),
  };
}

/** Copies field by field, because a stored record may have other fields. */
function factsOf(record: CallRecord): Omit<BeginRecord, "type"> {
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
    ...(record.step === undefined ? {} : { step: record.step }),
    ...(record.rollbackOf === undefined ? {} : { rollbackOf: record.rollbackOf }),
    ...(record.forced === undefined ? {} : { forced: record.forced }),
    ...(record.caller === undefined ? {} : { caller: record.caller }),
  };
}
