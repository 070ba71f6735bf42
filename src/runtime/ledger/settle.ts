import type { LedgerCall } from "./ledger-call.js";
import type { Settlement } from "./record.js";
import { entryOf, type LedgerStore } from "./store.js";

/** Maximum length of `because`, in characters. */
export const longestReason = 500;

/** Latest time that a `Date` can hold. */
const lastMs = 8.64e15;

/**
 * Records a person's finding about a call. It is a new record: it waits for no other process, and
 * changes no existing record.
 *
 * @param call a call with an unknown outcome, or a settled one, which makes this a correction
 * @throws the store's error if the record can't be written
 */
export async function settleCall(
  store: LedgerStore,
  call: Exclude<LedgerCall, { readonly outcome: "ended" }>,
  found: Pick<Settlement, "as" | "because">,
): Promise<Settlement> {
  const before = call.outcome === "settled" ? call.settlement.time : call.time;
  // Readers read the newest record first, so the settlement must be newer than the call, whatever
  // this machine's clock says.
  const timeMs = Math.min(Math.max(Date.now(), Date.parse(before) + 1), lastMs);
  const settlement: Settlement = {
    as: found.as,
    because: found.because,
    time: new Date(timeMs).toISOString(),
    ...(call.outcome === "settled" && { correction: true }),
  };
  await store.append(entryOf({ type: "settle", id: call.id, ...settlement }));
  return settlement;
}
