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

/** What is asked of a store. */
export interface StoreQuery extends RecordFilter {
  /** How many calls at most; no limit when not given. */
  readonly limit?: number;
}

/**
 * The calls in a store, newest first. A call stands where its end record is; one without, where its
 * begin record is. Streams: memory depends on how many calls were in flight at a time, not on how
 * many were recorded.
 *
 * @throws RangeError when the cursor, a time or the limit is not one
 */
export async function* queryStore(
  store: LedgerStore,
  query: StoreQuery = {},
): AsyncGenerator<LedgerCall, void, undefined> {
  const filter = prepareFilter(query);
  const after = query.cursor === undefined ? undefined : parseCursor(query.cursor);
  let left = limitOf(query.limit);
  if (left === 0) return;
  // A settlement is newer than its call: newest first, it comes before. Of several the newest
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
 * Of each call the record that tells the most. Newest first, the end of a call comes before its
 * begin, so that a call can be handed on with its first record seen; what is remembered is only the
 * calls of which a begin is still to come.
 */
async function* newestRecordOfEach(
  records: AsyncIterable<StoredRecord>,
  settlements: Settlements,
): AsyncGenerator<NewestRecord> {
  const told = new Set<string>();
  for await (const found of records) {
    const { record } = found;
    if (record.type === "settle") {
      settlements.add(record);
      continue;
    }
    const { accepted, id, type } = record;
    const isTold = type === "begin" && told.delete(id);
    const hasOlder = type === "end" ? record.effect === "write" : accepted !== undefined;
    if (hasOlder && !found.isLast) told.add(id);
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
    ...(record.misfits === undefined ? {} : { misfits: record.misfits }),
    ...(record.decision === undefined ? {} : { decision: record.decision }),
  };
}

/** Field by field: a stored record may hold anything else. */
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
    ...(record.caller === undefined ? {} : { caller: record.caller }),
  };
}
