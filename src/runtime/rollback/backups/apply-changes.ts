/**
 * Makes changes in trees of files: all of them or none, also if the process is killed. First it
 * creates everything new in staging folders. Then it moves each new entry to its place, and the old
 * one into the staging folder. A journal says how far it is, so that the next process can make the
 * rest, or move everything back.
 */
import { join } from "node:path";
import { unfinishedName } from "../../files/names-beside.js";
import { takeLock } from "../../files/lock-file.js";
import { makeOwnFolder, type OwnFolder } from "../../files/own-place.js";
import { journalPath, journalsIn } from "./backup-folder.js";
import { asFault, BackupFault } from "./backup-fault.js";
import { Application } from "./application.js";
import { type Journal, journaledCalls, readJournal } from "./journal-file.js";
import type { TreeChange } from "./tree-change.js";

/** The journal of one call, which this process alone may use. Release it. */
export interface OpenJournal {
  readonly backups: OwnFolder;
  readonly call: string;
  /** End of changes that an earlier process began and did not end; undefined if there were none. */
  readonly recovered: RecoveredEnd | undefined;
  release(): void;
}

/** `completed`: all changes were made. `undone`: none. */
export type RecoveredEnd = "completed" | "undone";

/** Options of making changes. */
export interface ApplyOptions {
  /** Paths of which the changes are parts: absolute, without links in their parents. */
  readonly roots: readonly string[];
  /**
   * A file that exists from the moment at which all changes are made, and its text. Relative to the
   * project's folder. It says that the changes must not be made again.
   */
  readonly mark?: Journal["mark"];
  /** Stops waiting for others who change the same files, before the first change. */
  readonly signal?: AbortSignal | undefined;
}

/** What was changed. */
export interface Applied {
  /** Number of files, folders and links whose owner the process may not set. */
  readonly ownersLeft: number;
}

/**
 * Takes the journal of a call. Changes that an earlier process did not end are completed, or undone
 * if that fails.
 *
 * @throws BackupFault `busy` if another process has it; `half-done` if changes can neither be
 *   completed nor undone
 */
export async function openJournal(backups: OwnFolder, call: string): Promise<OpenJournal> {
  const release = holdJournal(backups, call);
  if (release === undefined)
    throw new BackupFault("busy", "another process is changing the files of this call");
  try {
    return { backups, call, recovered: await recover(backups, call), release };
  } catch (error) {
    release();
    throw asFault(error) ?? error;
  }
}

/**
 * Makes changes: all or none.
 *
 * @throws the signal's reason; BackupFault after which nothing is changed: `differs` if an entry is
 *   not in its state `from`, `busy` if somebody keeps a file or a folder locked, `damaged` if a content is not that of `to`, `unavailable` if the file system refuses. If
 *   the changes can't be undone either, the problem is `half-done`, and the next use of the folder
 *   tries again.
 */
export async function applyChanges(
  { backups, call }: OpenJournal,
  changes: readonly TreeChange[],
  { mark, roots, signal }: ApplyOptions,
): Promise<Applied> {
  const journal: Journal = {
    phase: "staging",
    changes,
    roots,
    stageName: unfinishedName(),
    ...(mark !== undefined && { mark }),
  };
  const application = new Application(backups, call, journal, { signal });
  try {
    await application.stage();
    await application.perform();
  } catch (error) {
    await application.undo(asFault(error));
    throw asFault(error) ?? error;
  }
  await application.finish();
  return { ownersLeft: application.ownersLeft };
}

/** Changes that an earlier process did not end. */
export interface RecoveredChanges {
  readonly call: string;
  readonly end: RecoveredEnd;
}

/** Changes that can neither be completed nor undone. */
export interface StuckChanges {
  readonly call: string;
  readonly roots: readonly string[];
  readonly fault: BackupFault;
}

/** Completes or undoes all changes whose processes have ended. */
export async function recoverChanges(backups: OwnFolder): Promise<{
  readonly recovered: readonly RecoveredChanges[];
  readonly stuck: readonly StuckChanges[];
}> {
  const recovered: RecoveredChanges[] = [];
  const stuck: StuckChanges[] = [];
  for (const call of journaledCalls(backups)) {
    const release = holdJournal(backups, call);
    if (release === undefined) continue;
    try {
      const end = await recover(backups, call);
      if (end !== undefined) recovered.push({ call, end });
    } catch (error) {
      const fault = asFault(error);
      if (fault === undefined) throw error;
      stuck.push({ call, roots: readJournal(backups, call)?.roots ?? [], fault });
    } finally {
      release();
    }
  }
  return { recovered, stuck };
}

/** Locks the journal of a call. Returns undefined if another process has it, else what ends the lock. */
export function holdJournal(backups: OwnFolder, call: string): (() => void) | undefined {
  makeOwnFolder(backups.root, journalsIn(backups), 0o700);
  const lock = takeLock(join(backups.root, `${journalPath(backups, call)}.lock`));
  return lock.kind === "held" ? lock.release : undefined;
}

async function recover(backups: OwnFolder, call: string): Promise<RecoveredEnd | undefined> {
  const journal = readJournal(backups, call);
  if (journal === undefined) return undefined;
  // A call that changes a file recovers earlier changes while the file is locked.
  const application = new Application(backups, call, journal, { ignoresOwnFiles: true });
  if (journal.phase === "staging") {
    // The earlier process may have left locks.
    await application.lock();
    await application.undo();
    return "undone";
  }
  if (journal.phase === "changing") {
    try {
      await application.perform();
    } catch (error) {
      if (asFault(error)?.problem === "busy") throw error;
      await application.undo(asFault(error));
      return "undone";
    }
  }
  await application.finish();
  return "completed";
}
