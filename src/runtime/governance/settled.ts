import type { Call } from "../call/call.js";
import type { EndRecord, SettledAs } from "../ledger/record.js";

/**
 * What the ledger knows of an earlier call: what a person found out of one whose outcome nobody
 * knew, of which the newest word counts; else how its own record says that it ended.
 */
export async function settledAs(call: Call, callId: string): Promise<SettledAs | undefined> {
  for await (const { record } of call.runtime.ledger.read({ id: callId })) {
    if (record.id !== callId) continue;
    if (record.type === "settle") return record.as;
    if (record.type === "end") return endedAs(record);
  }
  return undefined;
}

/** The record that says it could be written, and the word to the store of governance not. */
function endedAs({ result, status }: EndRecord): SettledAs | undefined {
  if (status === "unknown") return undefined;
  // One that was answered has a result, also where its caller got an error in place of it.
  return result !== null && status !== "error" ? "done" : "not-done";
}
