/** Makes the changes of one journal, step by step. `apply-changes.ts` says in which order. */
import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { lockFolders } from "../../files/folder-lock.js";
import { type OwnFolder, writeOwnFile } from "../../files/own-place.js";
import { systemCode } from "../../files/system-code.js";
import { setAttributes, setLinkAttributes, withOpen } from "./attributes.js";
import { asFault, BackupFault } from "./backup-fault.js";
import { Breath } from "./breath.js";
import type { EntryState } from "./entry-state.js";
import { type Journal, type JournalPhase, removeJournal, writeJournal } from "./journal-file.js";
import { OpenFolders } from "./open-folders.js";
import { scanTree } from "./scan.js";
import { newName, oldName, stageSwap } from "./stage.js";
import { changedMeanwhile, look, looksLike, performSwap, undoSwap } from "./swap.js";
import { syncFiles } from "./sync-files.js";
import { type ChangePlan, planChanges, type Swap, type TreeChange } from "./tree-change.js";

/** Time limit of waiting for others who change the same files, in milliseconds. */
const lockWaitMs = 10_000;

/** Options of making the changes of a journal. */
export interface ApplicationOptions {
  /** Stops waiting for locks, before the first change. */
  readonly signal?: AbortSignal | undefined;
  /** `true` if the call that makes the changes may have locked files itself. */
  readonly ignoresOwnFiles?: boolean;
}

/** The changes of one journal. */
export class Application {
  /** Number of entries whose owner the process may not set. */
  ownersLeft = 0;
  readonly #backups: OwnFolder;
  readonly #call: string;
  readonly #journal: Journal;
  readonly #plan: ChangePlan;
  readonly #breath = new Breath();
  readonly #options: ApplicationOptions;
  #phase: JournalPhase;
  #unlock: (() => Promise<void>) | undefined;

  constructor(
    backups: OwnFolder,
    call: string,
    journal: Journal,
    options: ApplicationOptions = {},
  ) {
    this.#options = options;
    this.#backups = backups;
    this.#call = call;
    this.#journal = journal;
    this.#phase = journal.phase;
    this.#plan = planChanges(journal.changes, journal.roots, journal.stageName);
  }

  /**
   * Creates everything new in staging folders. Nothing else changes.
   *
   * @throws BackupFault; also the file system's error
   */
  async stage(): Promise<void> {
    await this.#write("staging");
    const { stages, swaps } = this.#plan;
    await withFolders(async (folders) => {
      for (const stage of stages)
        fs.mkdirSync((await folders.at(dirname(stage))).at(basename(stage)), 0o700);
      const staging = { folders, breath: this.#breath, noteOwner: () => (this.ownersLeft += 1) };
      for (const swap of swaps) await stageSwap(swap, staging);
    });
    await syncFiles(swaps.flatMap(stagedPaths), this.#breath);
  }

  /**
   * Locks the folders in which files change, until `perform` or `undo` has ended. `perform` does so
   * itself.
   *
   * @throws BackupFault `busy` if somebody keeps a lock; also the file system's error
   */
  async lock(): Promise<void> {
    const { swaps, touches } = this.#plan;
    const moved = [...swaps, ...swaps.flatMap(({ inner }) => inner)];
    const files = touches.filter(({ to }) => to.kind !== "folder");
    // Nobody else knows a folder that the changes create.
    const created = new Set(
      moved.flatMap(({ from, path }) => (from.kind === "folder" ? [] : [path])),
    );
    const folders = [...moved, ...files].map(({ path }) => dirname(path));
    this.#unlock ??= await lockFolders(
      folders.filter((each) => !created.has(each)),
      { ...this.#options, timeoutMs: lockWaitMs },
    ).catch((error: unknown) => {
      throw asFault(error) ?? error;
    });
  }

  /**
   * Makes the changes that are not made yet. If that fails, the folders stay locked until `undo`.
   *
   * @throws BackupFault; also the file system's error. After the problem `busy`, nothing was done.
   */
  async perform(): Promise<void> {
    await this.lock();
    if (this.#phase === "staging") await this.#write("changing");
    const { swaps, touches } = this.#plan;
    await withFolders(async (folders) => {
      await this.#loosen(folders);
      for (const swap of swaps) {
        await this.#breath.take();
        await performSwap(swap, folders);
        if (swap.to.kind === "folder") await this.#set(swap.path, swap.to, folders);
      }
      for (const swap of swaps) await verifyOld(swap, this.#breath);
      for (const touch of touches.toReversed()) await this.#touch(touch, folders);
    });
    const parents = new Set([...swaps, ...touches].map(({ path }) => dirname(path)));
    await syncFiles([...parents], this.#breath);
    // Before `finish`, because the end of a lock changes the times of its folder.
    await this.#release();
    const { mark } = this.#journal;
    if (mark !== undefined) writeOwnFile(this.#backups.root, mark.path, mark.text, 0o600);
    await this.#write("changed");
  }

  /**
   * Removes what the changes replaced, and the journal.
   *
   * @throws BackupFault; also the file system's error. The next use of the journal goes on then.
   */
  async finish(): Promise<void> {
    await withFolders(async (folders) => {
      await this.#removeStages(folders);
      // The staging folders changed the times of the folders around them.
      for (const { path, to } of this.#plan.touches.toReversed())
        if (to.kind === "folder") await this.#set(path, to, folders);
    });
    removeJournal(this.#backups, this.#call);
  }

  /**
   * Moves everything back.
   *
   * @param why reason, for the message if that fails
   * @throws BackupFault if something can't be moved back
   */
  async undo(why?: BackupFault): Promise<void> {
    try {
      await withFolders(async (folders) => {
        if (this.#phase !== "staging") {
          await this.lock();
          await this.#moveBack(folders);
        }
        await this.#release();
        await this.#removeStages(folders);
        for (const { from, path } of this.#plan.touches.toReversed())
          if (from.kind === "folder") await this.#set(path, from, folders);
        await this.#resetMoved(folders);
      });
      removeJournal(this.#backups, this.#call);
    } catch (error) {
      const fault = asFault(error);
      if (fault === undefined) throw error;
      const first = why === undefined ? "" : `${why.message}; `;
      const message = `${first}some files are changed and can't be changed back: ${fault.message}`;
      throw new BackupFault("half-done", message, fault.paths, error);
    } finally {
      await this.#release();
    }
  }

  async #release(): Promise<void> {
    await this.#unlock?.();
    this.#unlock = undefined;
  }

  async #moveBack(folders: OpenFolders): Promise<void> {
    const { swaps, touches } = this.#plan;
    await this.#loosen(folders);
    for (const { from, path, to } of touches) {
      await this.#breath.take();
      const found = look((await folders.at(dirname(path))).at(basename(path)));
      if (looksLike(found, to) && from.kind !== "folder") await this.#set(path, from, folders);
    }
    for (const swap of swaps.toReversed()) {
      await this.#breath.take();
      await undoSwap(swap, folders);
      if (swap.from.kind === "folder") await this.#set(swap.path, swap.from, folders);
    }
  }

  /** Locks have changed the times of folders that were to be moved. Somebody may have removed them. */
  async #resetMoved(folders: OpenFolders): Promise<void> {
    const moved = this.#plan.swaps.flatMap((swap) => [swap, ...swap.inner]);
    for (const { from, path } of moved.toReversed()) {
      if (from.kind !== "folder") continue;
      await this.#set(path, from, folders).catch((error: unknown) => {
        if (asFault(error) === undefined) throw error;
      });
    }
  }

  async #touch({ from, path, to }: TreeChange, folders: OpenFolders): Promise<void> {
    await this.#breath.take();
    const found = look((await folders.at(dirname(path))).at(basename(path)));
    if (!looksLike(found, from) && !looksLike(found, to)) throw changedMeanwhile(path);
    await this.#set(path, to, folders);
  }

  /** Lets this process change the entries of folders whose permissions forbid that. */
  async #loosen(folders: OpenFolders): Promise<void> {
    for (const { from, path, to } of this.#plan.touches) {
      if (from.kind !== "folder" || to.kind !== "folder") continue;
      const at = (await folders.at(dirname(path))).at(basename(path));
      withOpen(at, (fd) => {
        const { mode } = fs.fstatSync(fd);
        if ((mode & ownersAll) !== ownersAll) fs.fchmodSync(fd, (mode | ownersAll) & 0o7777);
      });
    }
  }

  async #set(path: string, state: EntryState, folders: OpenFolders): Promise<void> {
    const at = (await folders.at(dirname(path))).at(basename(path));
    if (state.kind === "absent" || state.kind === "other") return;
    const isOwned =
      state.kind === "link"
        ? setLinkAttributes(at, state)
        : withOpen(at, (fd) => setAttributes(fd, state));
    if (!isOwned) this.ownersLeft += 1;
  }

  async #write(phase: JournalPhase): Promise<void> {
    await writeJournal(this.#backups, this.#call, { ...this.#journal, phase });
    this.#phase = phase;
  }

  async #removeStages(folders: OpenFolders): Promise<void> {
    for (const stage of this.#plan.stages) {
      await folders.forget(stage);
      try {
        const parent = await folders.at(dirname(stage));
        await removeStage(parent.at(basename(stage)), this.#breath);
      } catch (error) {
        if (systemCode(error) !== "ENOENT") throw error;
      }
    }
  }
}

const ownersAll = 0o700;

async function withFolders(run: (folders: OpenFolders) => Promise<void>): Promise<void> {
  const folders = new OpenFolders();
  try {
    await run(folders);
  } finally {
    await folders.close();
  }
}

/** Returns the paths of the new entries of a swap in its staging folder. */
function stagedPaths(swap: Swap): readonly string[] {
  return [swap, ...swap.inner]
    .filter(({ to }) => to.kind !== "absent")
    .map(({ path }) => join(swap.stage, newName(swap), path.slice(swap.path.length)));
}

/**
 * Checks that an old folder, which is out of reach now, has nothing that the changes don't know.
 *
 * @throws BackupFault
 */
async function verifyOld(swap: Swap, breath: Breath): Promise<void> {
  if (swap.from.kind !== "folder") return;
  const moved = join(swap.stage, oldName(swap));
  const found = new Map<string, EntryState>();
  await scanTree(moved, found, {
    isLeftOut: () => false,
    content: (fd) => Promise.resolve({ bytes: fs.fstatSync(fd).size, sha256: "" }),
    breath,
  });
  const known = new Map(swap.inner.map(({ from, path }) => [path, from]));
  for (const [place, state] of found) {
    if (place === moved) continue;
    const path = swap.path + place.slice(moved.length);
    const from = known.get(path);
    if (from === undefined || !seemsEqual(from, state)) throw changedMeanwhile(path);
  }
}

function seemsEqual(one: EntryState, other: EntryState): boolean {
  if (one.kind === "file")
    return other.kind === "file" && one.bytes === other.bytes && one.modified === other.modified;
  if (one.kind === "link") return other.kind === "link" && one.target === other.target;
  return one.kind === other.kind;
}

/**
 * Removes a staging folder.
 *
 * @param at path through an open folder
 */
async function removeStage(at: string, breath: Breath): Promise<void> {
  for (const name of fs.readdirSync(at)) {
    await breath.take();
    const path = join(at, name);
    try {
      fs.rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if (systemCode(error) !== "EACCES") throw error;
      loosenTree(path);
      fs.rmSync(path, { recursive: true, force: true });
    }
  }
  fs.rmdirSync(at);
}

/** Permissions of a folder may forbid to remove its entries. */
function loosenTree(path: string): void {
  if (!fs.lstatSync(path).isDirectory()) return;
  fs.chmodSync(path, ownersAll);
  for (const name of fs.readdirSync(path)) loosenTree(join(path, name));
}
