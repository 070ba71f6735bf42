/** What a rollback asks of the copies that a call has kept, and their answer. */
import type { WayBack } from "./way-back.js";

/** Asks to restore what a call has replaced. */
export interface RestoreRequest {
  /** The project's folder, whose `.skillc/backups` has the copies. */
  readonly directory: string;
  /** Id of the call that is undone. */
  readonly call: string;
  /** Id of the call that restores. What it replaces is kept under this id, so that it can be undone. */
  readonly by: string;
  /** SHA-256 of the list of copies, from the call's record; absent if the call has no end record. */
  readonly sha256?: string;
  /** Files and folders to restore, relative to `directory`; everything if absent. */
  readonly paths?: readonly string[];
  /** Restores although the world differs from what the call left. */
  readonly force?: boolean;
  /** Only reports what would be restored. Changes nothing. */
  readonly dryRun?: boolean;
  /** Stops before the first change. A restore that has begun is finished. */
  readonly signal?: AbortSignal;
}

/** How a restore ended. Except for `restored`, it has changed nothing. */
export type RestoreOutcome =
  | {
      readonly status: "restored";
      /** What was restored, or in a dry run would be. */
      readonly changes: readonly RestoredPath[];
      /** Copies of what the restore replaced; absent in a dry run. */
      readonly wayBack?: WayBack;
    }
  | { readonly status: "conflict"; readonly differences: readonly Difference[] }
  | {
      readonly status: "refused";
      /**
       * `no-copies`: there are none. `rolled-back`: they were restored before. `changed-copies`:
       * somebody changed them. `unknown-path`: the call did not change a path of `paths`.
       */
      readonly reason: "no-copies" | "rolled-back" | "changed-copies" | "unknown-path";
      /** The reason in words: "the call has not changed `notes/a.md`". */
      readonly message: string;
    };

/** A restored path. */
export interface RestoredPath {
  /** Path, relative to the project's folder if it is inside. */
  readonly path: string;
  /** `removed`: it did not exist before the call. `restored`: content, mode or link target. */
  readonly change: "created" | "restored" | "removed";
}

/** A path that is not as the call left it. */
export interface Difference {
  readonly path: string;
  /** What differs, in words: "the content differs". */
  readonly what: string;
}
