import type { UnknownOutcome } from "./verification.js";

/** Options of removing old records from a store. */
export interface PruneOptions {
  /** Remove records from before this time: a date, or text that `Date` parses. */
  readonly before: Date | string;
  /**
   * Also remove writes whose outcome is unknown. By default pruning stops if there are any, because
   * nobody could find out later that these writes need attention.
   */
  readonly includeUnknown?: boolean;
  /** Report what would be removed, and remove nothing. */
  readonly dryRun?: boolean;
}

/** Result of removing old records. */
export interface Pruning {
  /** Folder of a file ledger. */
  readonly directory?: string;
  /** Time limit in ISO 8601, UTC: records from before it are removed. */
  readonly before: string;
  /** Files with old records; in a PostgreSQL ledger, writers whose first records are old. */
  readonly files: readonly { readonly file: string; readonly records: number }[];
  /** Number of records in these files. */
  readonly records: number;
  /** Writes among them whose outcome is unknown and which nobody has settled. */
  readonly unknownOutcomes: readonly UnknownOutcome[];
  /**
   * Number of problems of the ledger. If there are any, nothing is removed, because the problems
   * could not be examined afterwards.
   */
  readonly problems: number;
  /** Number of calls whose copies of files, by which they could be undone, are removed too. */
  readonly copies?: number;
  /** True if records were removed. */
  readonly removed: boolean;
}
