import type { Ledger } from "./ledger.js";
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
    append(record, json = JSON.stringify(record)) {
      // A copy by way of JSON, as a file would hold it: what callers change later doesn't show. It was made of a record.
      records.push(JSON.parse(json) as LedgerRecord);
      return undefined;
    },
    flush() {},
    close: () => Promise.resolve(),
  };
}
