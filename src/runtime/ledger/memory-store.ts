import { type Ledger, recordOf } from "./store.js";
import type { LedgerRecord } from "./record.js";

/** A ledger whose records can be looked at. */
export interface MemoryLedger extends Ledger {
  /** In the order of `append`; each as JSON would give it back. */
  readonly records: readonly LedgerRecord[];
}

/** Keeps records in memory, without bound: for tests. */
export function createMemoryLedger(): MemoryLedger {
  const records: LedgerRecord[] = [];
  return {
    records,
    append(entry) {
      records.push(recordOf(entry));
      return undefined;
    },
    flush() {},
    close: () => Promise.resolve(),
  };
}
