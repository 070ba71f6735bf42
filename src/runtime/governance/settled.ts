import type { Call } from "../call/call.js";
import type { SettledAs } from "../ledger/record.js";

/**
 * What a person found out of a call whose outcome nobody knew, as the ledger has it: the newest
 * word counts.
 */
export async function settledAs(call: Call, callId: string): Promise<SettledAs | undefined> {
  for await (const { record } of call.runtime.ledger.read({ id: callId }))
    if (record.type === "settle" && record.id === callId) return record.as;
  return undefined;
}
