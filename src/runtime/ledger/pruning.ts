import type { UnknownOutcome } from "./verification.js";

/** What is to be removed from a store. */
export interface PruneOptions {
  /** Records from before this time: a date, or text that `Date` reads. */
  readonly before: Date | string;
  /**
   * Writes of unknown outcome too, which are refused otherwise: nobody could find out any more that
   * they are to be looked at.
   */
  readonly includeUnknown?: boolean;
  /** Tells what would be removed, and removes nothing. */
  readonly dryRun?: boolean;
}

export interface Pruning {
  /** Of a store that is a folder. */
  readonly directory?: string;
  /** ISO 8601, UTC. */
  readonly before: string;
  /** Of a store that is a table: the writers whose first records go. */
  readonly files: readonly { readonly file: string; readonly records: number }[];
  readonly records: number;
  /** Writes of unknown outcome among them, which nobody has settled. */
  readonly unknownOutcomes: readonly UnknownOutcome[];
  /**
   * Problems of the ledger: while it has any nothing is removed, as they would never be understood.
   */
  readonly problems: number;
  readonly removed: boolean;
}
