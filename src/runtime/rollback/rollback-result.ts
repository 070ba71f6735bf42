/** Results of undoing calls. */
import type { Preflight, PreflightReason } from "../call/preflight.js";
import type { ToolError } from "../errors.js";
import type { AnyResult } from "../result.js";
import type { RestoredPath } from "./restoring.js";

/** Result of `rollbackCall`. */
export type RollbackResult = RolledBack | NotRolledBack | RollbackPreview;

/** The call that is undone, and how. */
interface UndoneCall {
  /** Id of the call in the ledger. */
  readonly call: string;
  /** Id of its tool: `skill/tool`. */
  readonly tool: string;
  readonly strategy: "compensate" | "backup" | "effects";
}

/** A call was undone. */
export interface RolledBack extends UndoneCall {
  readonly status: "rolled_back";
  /** Id of the call that undid it. You may undo that call too. */
  readonly by: string;
  /** What was restored; absent if another tool undid the call. */
  readonly changes?: readonly RestoredPath[];
  /** Answer of the other tool. */
  readonly answer?: AnyResult;
  /** End of an earlier restore of the same call, which was interrupted. */
  readonly recovered?: "completed" | "undone";
  /** Number of entries whose owner this process may not set. */
  readonly ownersLeft?: number;
  /** Number of files that had other names (hard links), and have only one now. */
  readonly separated?: number;
}

/** The other tool gave an answer without data, such as `not_found`. */
export interface NotRolledBack extends UndoneCall {
  readonly status: "not_rolled_back";
  /** Id of the call of the other tool. */
  readonly by: string;
  readonly answer: AnyResult;
}

/** What a rollback would do. Nothing was changed or recorded. */
export interface RollbackPreview extends UndoneCall {
  readonly status: "would_roll_back";
  /** True if governance permits the rollback. */
  readonly allow: boolean;
  /** Why governance denies it, or what it asks for first. */
  readonly reason?: PreflightReason;
  /** What would be restored; absent if another tool undoes the call. */
  readonly changes?: readonly RestoredPath[];
  /** Dry run of the other tool's call; absent if the rolled-back tool already denies. */
  readonly other?: Preflight;
}

/** Result of `rollbackTrace`. */
export interface TraceRollback {
  /**
   * `rolled_back`: all calls were undone. `would_roll_back`: a dry run, in which all may be undone.
   * `stopped`: one could not be undone, so earlier calls were left.
   */
  readonly status: "rolled_back" | "would_roll_back" | "stopped";
  /** Results in the order in which calls were undone: the newest first. */
  readonly results: readonly RollbackResult[];
  /** The call that could not be undone, and why. */
  readonly stopped?: { readonly call: string; readonly tool: string; readonly error?: ToolError };
  /** Calls that are not undone, the newest first. The first is the one that stopped the rollback. */
  readonly left: readonly { readonly call: string; readonly tool: string }[];
}
