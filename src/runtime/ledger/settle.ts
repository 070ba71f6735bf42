import type { LedgerCall } from "./ledger-call.js";
import type { Settlement } from "./record.js";
import { entryOf, type LedgerStore } from "./store.js";

/** Characters of `because`. */
export const longestReason = 500;

/** The last time that a `Date` can hold. */
const lastMs = 8.64e15;

/**
 * Records what a person found out of a call. It is a record of its own: nobody who has the ledger
 * open is waited for, and no record that is there is touched.
 *
 * @param call of unknown outcome, or settled before, which makes this a correction
 * @throws what the store said, when it can't be written
 */
export async function settleCall(
  store: LedgerStore,
  call: Exclude<LedgerCall, { readonly outcome: "ended" }>,
  found: Pick<Settlement, "as" | "because">,
): Promise<Settlement> {
  const before = call.outcome === "settled" ? call.settlement.time : call.time;
  // Readers meet the newest first: it must be newer than what it is about, whatever this machine's
  // clock says.
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
