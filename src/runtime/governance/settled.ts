import type { Call } from "../call/call.js";
import type { EndRecord, SettledAs } from "../ledger/record.js";

/**
 * Looks up in the ledger whether an earlier call was carried out. The newest settlement counts;
 * without one, the call's end record.
 */
export async function settledAs(call: Call, callId: string): Promise<SettledAs | undefined> {
  for await (const { record } of call.runtime.ledger.read({ id: callId })) {
    if (record.id !== callId) continue;
    if (record.type === "settle") return record.as;
    if (record.type === "end") return endedAs(record);
  }
  return undefined;
}

/**
 * Reads an outcome from an end record, which the ledger may have although the governance store
 * missed the end.
 */
function endedAs({ result, status }: EndRecord): SettledAs | undefined {
  if (status === "unknown") return undefined;
  // An answered call has a result, even if the caller got an error in its place.
  return result !== null && status !== "error" ? "done" : "not-done";
}
