import type { BeginRecord, EndRecord } from "./record.js";

/** Where a call stands in the ledger. */
export interface LedgerPlace {
  readonly file: string;
  readonly writer: string;
  /** The number, within the writer's chain, of the record that told the most: the end record, or the begin record without one. */
  readonly seq: number;
}

interface Found {
  readonly place: LedgerPlace;
  /** Give it as `cursor` to go on after this call. */
  readonly cursor: string;
}

/** A call whose outcome is recorded. */
export type EndedCall = Omit<EndRecord, "type"> & Found & { readonly outcome: "ended" };

/** A write that began and has no end: in flight, or its process died, or its outcome couldn't be recorded. */
export type UnknownCall = Omit<BeginRecord, "type"> & Found & { readonly outcome: "unknown" };

/** One call, its begin and end records merged. */
export type LedgerCall = EndedCall | UnknownCall;

/** The call's status, or `unknown`. */
export function statusOf(call: LedgerCall): string {
  return call.outcome === "ended" ? call.status : "unknown";
}
