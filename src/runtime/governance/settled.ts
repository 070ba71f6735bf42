import type { Call } from "../call/call.js";
import type { LedgerRecord, SettledAs } from "../ledger/record.js";

/**
 * What the ledger knows of a call of whose end its store has not heard: what a person found out, of
 * which the newest word counts, else how the call itself ended: its process had no store to tell.
 * Undefined when that is unknown there, too.
 */
export async function settledAs(call: Call, callId: string): Promise<SettledAs | undefined> {
  for await (const { record } of call.runtime.ledger.read({ id: callId })) {
    if (record.id !== callId || record.type === "begin") continue;
    return record.type === "settle" ? record.as : endedAs(record);
  }
  return undefined;
}

/** An answer without a name of its own says nothing of the attempts before it. */
function endedAs({ status }: Extract<LedgerRecord, { readonly type: "end" }>) {
  if (status === "unknown" || status === "error") return undefined;
  return status === "failed" ? "not-done" : "done";
}
