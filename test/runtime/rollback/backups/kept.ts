/** A project with a folder of notes, whose changes are kept and restored. */
import fs from "node:fs";
import { join } from "node:path";
import { openKeeper } from "../../../../src/runtime/rollback/backups/keeper.js";
import { restoreBackup } from "../../../../src/runtime/rollback/backups/restore-backup.js";
import type { RestoreOutcome, RestoreRequest } from "../../../../src/runtime/rollback/restoring.js";
import type { WayBack } from "../../../../src/runtime/rollback/way-back.js";
import { emptyFolder, type Entries, makeTree } from "./trees.js";

/** A project of a test. */
export interface KeptProject {
  readonly directory: string;
  /** Absolute path of a path in the project. */
  readonly at: (path: string) => string;
  /** Keeps paths, and changes files as a call does. Returns what its record has. */
  readonly change: (
    call: string,
    paths: readonly string[],
    change: () => void,
    maxBytes?: number,
  ) => Promise<WayBack | undefined>;
  readonly restore: (request: Omit<RestoreRequest, "directory">) => Promise<RestoreOutcome>;
}

/** Makes a project with files. */
export function keptProject(entries: Entries): KeptProject {
  const directory = emptyFolder();
  makeTree(directory, entries);
  const at = (path: string): string => join(directory, path);
  return {
    directory,
    at,
    async change(call, paths, change, maxBytes) {
      let wayBack: WayBack | undefined;
      const note = (kept: WayBack | undefined): void => {
        wayBack = kept;
      };
      const keeper = openKeeper({ directory, call, strategy: "backup", maxBytes, note });
      await keeper.copy(paths.map(at));
      change();
      await keeper.left();
      return wayBack;
    },
    restore: (request) => restoreBackup({ directory, ...request }),
  };
}

/** Names of the calls with copies. */
export function callsWithCopies(directory: string): readonly string[] {
  const folder = join(directory, ".skillc/backups/calls");
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
}
