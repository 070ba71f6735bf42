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
  /** Maximum size of the copies of what the restore replaces, in bytes. */
  readonly maxBytes?: number | undefined;
  /** Restores although the world differs from what the call left. */
  readonly force?: boolean;
  /** Only reports what would be restored. Changes nothing. */
  readonly dryRun?: boolean;
  /** Stops before the first change. A restore that has begun is finished. */
  readonly signal?: AbortSignal;
}

/** How a restore ended. Except for `restored` and `half-done`, it has changed nothing. */
export type RestoreOutcome =
  | {
      readonly status: "restored";
      /** What was restored, or in a dry run would be. */
      readonly changes: readonly RestoredPath[];
      /** Copies of what the restore replaced; absent in a dry run. */
      readonly wayBack?: WayBack;
      /** End of an earlier restore of the same call, which was interrupted. */
      readonly recovered?: "completed" | "undone";
      /** Number of entries whose owner this process may not set. */
      readonly ownersLeft?: number;
      /** Number of files that had other names (hard links), and have only one now. */
      readonly separated?: number;
    }
  | { readonly status: "conflict"; readonly differences: readonly Difference[] }
  | {
      readonly status: "refused";
      /**
       * `no-copies`: there are none. `rolled-back`: they were restored before. `changed-copies`:
       * somebody changed them. `unknown-path`: the call did not change a path of `paths`.
       * `not-possible`: another process restores them, the disk is full, or something else is in
       * the way.
       */
      readonly reason:
        "no-copies" | "rolled-back" | "changed-copies" | "unknown-path" | "not-possible";
      /** The reason in words: "the call has not changed `notes/a.md`". */
      readonly message: string;
    }
  /** Some files are restored, and the rest can't be. The next use of the copies tries again. */
  | { readonly status: "half-done"; readonly message: string };

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
