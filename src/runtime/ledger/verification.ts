import type { ToolErrorCode } from "../errors.js";
import type { Settlement } from "./record.js";

/**
 * What is wrong at a place:
 *
 * - `unreadable-line`: not a line that a ledger writes
 * - `changed-line`: its bytes are not those that its hash was made of
 * - `broken-chain`: it doesn't follow the line before: lines are missing, were put in, or change
 *   places
 * - `missing-file`: a file of a writer is not there
 * - `missing-lines`: a later writer saw lines here that are gone
 * - `wrong-file`: the file's name is not the one that its first line tells, or is none of a
 *   ledger's
 * - `after-close`: lines follow the record that closed the file
 * - `wrong-summary`: a file's summary is not what the file makes: queries may leave out calls
 * - `missing-attachment`, `changed-attachment`: a whole result that the record names is gone, or
 *   not what was kept
 * - `unreadable-file`: the system doesn't let it be read
 * - `wrong-head`: the last record of a writer is not the one that the ledger has as its last
 */
export type LedgerProblemKind =
  | "unreadable-line"
  | "changed-line"
  | "broken-chain"
  | "missing-file"
  | "missing-lines"
  | "wrong-file"
  | "after-close"
  | "wrong-summary"
  | "missing-attachment"
  | "changed-attachment"
  | "unreadable-file"
  | "wrong-head";

export interface LedgerProblem {
  /** Of a store that is a table: the writer. */
  readonly file: string;
  /** From 1; 0 for the file as a whole. Of a writer's rows: one more than the record's number. */
  readonly line: number;
  readonly kind: LedgerProblemKind;
  readonly message: string;
}

/**
 * A last line that its writer didn't finish: it was killed, or the disk was full. Nothing that was
 * handed over is lost by it.
 */
export interface TornLine {
  readonly file: string;
  readonly line: number;
  readonly bytes: number;
}

/**
 * What became of a writer: `closed` in order; `running`, when a process with its id runs on this
 * host, be it this writer or one that got the same id later; `gone`; or on another host, where
 * nobody looked.
 */
export type WriterState = "closed" | "running" | "gone" | "elsewhere";

/**
 * A write that has a begin record and no end record, or one that says that it may have been carried
 * out.
 */
export interface UnknownOutcome {
  readonly id: string;
  readonly skill: string;
  readonly tool: string;
  readonly time: string;
  readonly file: string;
  readonly line: number;
  /** Code of the error that its caller got; null when there is no end record. */
  readonly error: ToolErrorCode | null;
  /** `running`: a call without an end record may still be in flight. */
  readonly writer: WriterState;
}

/** One of which a person found out what became of it. */
export interface SettledOutcome extends UnknownOutcome {
  readonly settlement: Settlement;
}

/**
 * One writer's chain. Kept elsewhere, `seq` and `hash` show later whether anything up to here was
 * rewritten.
 */
export interface WriterSummary {
  readonly writer: string;
  /** None where the store has no files. */
  readonly files: number;
  readonly records: number;
  readonly state: WriterState;
  /** The number and the hash of the last line; null when there is none. */
  readonly head: { readonly seq: number; readonly hash: string } | null;
}

/** A pruning that the store remembers. */
export interface PastPruning {
  /** When it was done: ISO 8601, UTC. */
  readonly time: string;
  readonly before: string;
  /** Of a store that is a table: the writers whose first records went. */
  readonly files: number;
  readonly records: number;
}

/** Whole results that records name. */
export interface AttachmentCounts {
  /** As they were kept. */
  readonly intact: number;
  /** Removed when their time was over. */
  readonly expired: number;
  readonly pruned: number;
}

export interface LedgerVerification {
  /** Of a store that is a folder. */
  readonly directory?: string;
  /** Of a store that is a table: its partitions. */
  readonly files: number;
  /** Begin, end and settle records; the writers' own open and close records are not counted. */
  readonly records: number;
  /** At most 1,000. */
  readonly problems: readonly LedgerProblem[];
  /** How many more there are. */
  readonly problemsLeftOut: number;
  readonly tornLines: readonly TornLine[];
  /** Those that nobody has settled. */
  readonly unknownOutcomes: readonly UnknownOutcome[];
  readonly settledOutcomes: readonly SettledOutcome[];
  readonly writers: readonly WriterSummary[];
  readonly attachments: AttachmentCounts;
  /** What was removed to make room. */
  readonly prunings: readonly PastPruning[];
}
