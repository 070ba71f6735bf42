import type { ToolErrorCode } from "../errors.js";
import type { Settlement } from "./record.js";

/**
 * The kinds of problems:
 *
 * - `unreadable-line`: the line is not one that a ledger writes
 * - `changed-line`: the line's bytes don't match its hash
 * - `broken-chain`: the line doesn't follow the line before it: lines are missing, inserted or
 *   swapped
 * - `missing-file`: a file of a writer is missing
 * - `missing-lines`: a later writer saw lines that are now missing
 * - `wrong-file`: the file's name doesn't match its first line, or is not a name of a ledger file
 * - `after-close`: lines follow the record that closed the file
 * - `wrong-summary`: the file's summary doesn't match the file, so queries may miss calls
 * - `missing-attachment`, `changed-attachment`: an attachment of the record is missing or was
 *   changed
 * - `unreadable-file`: the operating system can't read the file
 * - `wrong-head`: the last record of a writer is not the one that the ledger noted as last
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

/** One problem that a verification found. */
export interface LedgerProblem {
  /** File name; in a PostgreSQL ledger, the writer. */
  readonly file: string;
  /**
   * Line number from 1, or 0 for the whole file. In a PostgreSQL ledger, the record's number plus
   * 1.
   */
  readonly line: number;
  /** Kind of the problem. */
  readonly kind: LedgerProblemKind;
  /** Description of the problem. */
  readonly message: string;
}

/**
 * An incomplete last line: its writer was killed, or the disk was full. No complete record is lost.
 */
export interface TornLine {
  readonly file: string;
  readonly line: number;
  readonly bytes: number;
}

/**
 * State of a writer. `closed`: it closed its ledger. `running`: a process with its id runs on this
 * host; it can also be another process that got the same id. `gone`: no such process runs on this
 * host. `elsewhere`: the writer ran on another host, whose processes are unknown here.
 */
export type WriterState = "closed" | "running" | "gone" | "elsewhere";

/**
 * A write that has a begin record and no end record, or whose end record says that the write may
 * have been carried out.
 */
export interface UnknownOutcome {
  readonly id: string;
  readonly skill: string;
  readonly tool: string;
  readonly time: string;
  readonly file: string;
  readonly line: number;
  /** Code of the error that the caller got; null if there is no end record. */
  readonly error: ToolErrorCode | null;
  /**
   * State of the writer. If it is `running`, a call without an end record may still be in progress.
   */
  readonly writer: WriterState;
}

/** A write with an unknown outcome that a person has settled. */
export interface SettledOutcome extends UnknownOutcome {
  readonly settlement: Settlement;
}

/**
 * One writer's chain. Keep `seq` and `hash` elsewhere to check later that no earlier record was
 * changed.
 */
export interface WriterSummary {
  readonly writer: string;
  /** Number of files; 0 in a PostgreSQL ledger. */
  readonly files: number;
  readonly records: number;
  readonly state: WriterState;
  /** Number and hash of the last line; null if there is none. */
  readonly head: { readonly seq: number; readonly hash: string } | null;
}

/** One past pruning, as the store recorded it. */
export interface PastPruning {
  /** Time of the pruning, in ISO 8601, UTC. */
  readonly time: string;
  /** Time limit in ISO 8601, UTC: records from before it were removed. */
  readonly before: string;
  /**
   * Number of removed files; in a PostgreSQL ledger, of writers whose first records were removed.
   */
  readonly files: number;
  /** Number of removed records. */
  readonly records: number;
}

/** Number of attachments that records name, by state. */
export interface AttachmentCounts {
  /** Attachments that are unchanged. */
  readonly intact: number;
  /** Attachments that were removed because their `keepDays` had passed. */
  readonly expired: number;
  /** Attachments that were removed by a pruning. */
  readonly pruned: number;
}

/** Result of verifying a ledger. */
export interface LedgerVerification {
  /** Folder of a file ledger. */
  readonly directory?: string;
  /** Number of files; in a PostgreSQL ledger, of partitions. */
  readonly files: number;
  /**
   * Number of begin, end and settle records. The writers' own open and close records don't count.
   */
  readonly records: number;
  /** The first 1,000 problems. */
  readonly problems: readonly LedgerProblem[];
  /** Number of further problems. */
  readonly problemsLeftOut: number;
  /** Incomplete last lines of files. */
  readonly tornLines: readonly TornLine[];
  /** Writes with an unknown outcome that nobody has settled. */
  readonly unknownOutcomes: readonly UnknownOutcome[];
  /** Writes with an unknown outcome that a person has settled. */
  readonly settledOutcomes: readonly SettledOutcome[];
  /** Chains of all writers. */
  readonly writers: readonly WriterSummary[];
  /** Number of attachments that records name, by state. */
  readonly attachments: AttachmentCounts;
  /** Past prunings of the store. */
  readonly prunings: readonly PastPruning[];
}
