import type { LedgerRecord } from "./record.js";

/**
 * Where calls are recorded. `append` is called with a begin record before a write leaves and with an end record after every call. What it
 * returns is awaited before the call goes on; undefined means that the record is already safe enough.
 */
export interface Ledger {
  /**
   * @param json the record as JSON, where the caller has it already; for stores that keep text
   * @throws when the record can't be kept: a write then doesn't leave, a read goes on
   */
  append(record: LedgerRecord, json?: string): undefined | Promise<void>;
  /** Hands over what is still buffered, so that a query finds it. @throws when it can't be kept */
  flush(): void;
  /** Hands over what is still buffered and releases files. */
  close(): Promise<void>;
}
