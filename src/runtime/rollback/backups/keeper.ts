/** Keeps copies of what a call changes, before the call changes it. */
import { existsSync, fstatSync } from "node:fs";
import { join } from "node:path";
import { type OwnFolder, removeOwnFolder } from "../../files/own-place.js";
import { isIn } from "../../files/project-secrets.js";
import type { Keeper } from "../tool-rollback.js";
import type { WayBack } from "../way-back.js";
import { type RecoveredChanges, recoverChanges } from "./apply-changes.js";
import { backupsOf, callFolder } from "./backup-folder.js";
import { asFault, BackupFault } from "./backup-fault.js";
import { Breath } from "./breath.js";
import { Copies } from "./copies.js";
import { type ContentFacts, digestFile } from "./copy-file.js";
import { absent, type EntryState, sameState, type Tree } from "./entry-state.js";
import { outermost, outermostMissing, requireNoSecrets, scanKept } from "./kept-paths.js";
import { type Listing, writeLeft, writeListing } from "./listing.js";
import { rootOf } from "./tree-change.js";
import { syncFiles } from "./sync-files.js";

/** Default maximum size of the copies of one call, in bytes. */
const usualBackupBytes = 1024 ** 3;

/** The call whose changes are kept. */
export interface KeeperOptions {
  /** Absolute path of the project's folder. */
  readonly directory: string;
  /** Id of the call. */
  readonly call: string;
  readonly strategy: Keeper["strategy"];
  /** Maximum size of the copies in bytes; `usualBackupBytes` if absent. */
  readonly maxBytes?: number | undefined;
  /**
   * Receives the way back, each time it changes. Undefined if the copies were removed, unless the
   * call has ended changes of other calls.
   */
  readonly note: (wayBack: WayBack | undefined) => void;
}

/** Opens the keeper of a call. It creates nothing before the first copy. */
export function openKeeper(options: KeeperOptions): CallKeeper {
  return new CallKeeper(options);
}

/** A keeper whose methods throw a `BackupFault`. */
class CallKeeper {
  readonly #options: KeeperOptions;
  readonly #backups: OwnFolder;
  readonly #breath = new Breath();
  readonly #before = new Map<string, EntryState>();
  readonly #roots = new Set<string>();
  #isListed = false;
  #bytes = 0;
  #recovered: readonly RecoveredChanges[] | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#backups = backupsOf(options.directory);
  }

  /** Changes of earlier processes that this one has completed or undone. */
  get recovered(): readonly RecoveredChanges[] {
    return this.#recovered ?? [];
  }

  /** Copies files, links and whole folders. */
  copy(paths: readonly string[]): Promise<void> {
    return this.#inTurn(() => this.#keep(outermost(paths.map(outermostMissing))));
  }

  /** Keeps that the call changes nothing that a rollback restores. */
  copyNothing(): Promise<void> {
    return this.#inTurn(() => (this.#roots.size === 0 ? this.#copyAll([]) : Promise.resolve()));
  }

  /**
   * Copies exactly these entries; of a folder only its attributes. Pipes and the like are noted, and
   * can't be restored. It excludes `copy`.
   */
  copyEntries(paths: readonly string[]): Promise<void> {
    this.#isListed = true;
    return this.#inTurn(() => this.#keep(paths));
  }

  /** Notes the states after the last change. */
  left(): Promise<void> {
    return this.#inTurn(() => this.#noteLeft(() => this.#scan()));
  }

  /** Notes states that the caller knows, because it has made them. */
  leftAs(states: Tree): Promise<void> {
    return this.#inTurn(() => this.#noteLeft(() => Promise.resolve(states)));
  }

  /** Removes the copies, because nothing was changed. */
  discard(): void {
    this.#before.clear();
    this.#roots.clear();
    this.#bytes = 0;
    this.#noteUnchanged(this.recovered);
    removeOwnFolder(this.#backups.root, callFolder(this.#backups, this.#options.call));
  }

  /** A call that changes nothing may have ended changes of earlier calls. */
  #noteUnchanged(recovered: readonly RecoveredChanges[]): void {
    this.#options.note(recovered.length === 0 ? undefined : { strategy: "unchanged", recovered });
  }

  /** Calls of a binding may overlap. */
  #inTurn(run: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(run, run);
    this.#last = turn;
    return turn;
  }

  async #keep(paths: readonly string[]): Promise<void> {
    const added = paths.filter((path) =>
      this.#isListed ? !this.#roots.has(path) : rootOf(path, this.#roots) === undefined,
    );
    if (added.length === 0) return;
    const { directory } = this.#options;
    requireNoSecrets(directory, added);
    await this.#recover(added);
    const isFirst = this.#roots.size === 0;
    try {
      await this.#copyAll(added);
    } catch (error) {
      if (isFirst) this.discard();
      throw error;
    }
  }

  /** A tree that another call has changed only in part must not be kept. */
  async #recover(paths: readonly string[]): Promise<void> {
    if (this.#recovered !== undefined || !existsSync(join(this.#backups.root, this.#backups.path)))
      return;
    const { recovered, stuck } = await recoverChanges(this.#backups);
    const inWay = stuck.find(({ roots }) =>
      roots.some((root) => paths.some((path) => isIn(root, path) || isIn(path, root))),
    );
    if (inWay !== undefined) {
      this.#noteUnchanged(recovered);
      throw new BackupFault(
        "unavailable",
        `an interrupted change of the call ${inWay.call} can be neither completed nor undone: ${inWay.fault.message}`,
        inWay.fault.paths,
      );
    }
    this.#recovered = recovered;
  }

  async #copyAll(added: readonly string[]): Promise<void> {
    const { call, directory, note } = this.#options;
    // Without a layer, copies of whole folders take the place of effects.
    const strategy = this.#isListed ? this.#options.strategy : "backup";
    const copies = new Copies(this.#backups, call);
    let bytes = this.#bytes;
    const put = (fd: number): Promise<ContentFacts> => {
      bytes += fstatSync(fd).size;
      this.#requireRoom(bytes);
      return copies.put(fd, this.#breath);
    };
    const found = await scanKept(
      directory,
      { roots: added, isListed: this.#isListed },
      { breath: this.#breath, content: put },
      new Set(this.#before.keys()),
    );
    for (const [path, state] of found)
      if (state.kind === "other" && !this.#isListed)
        throw new BackupFault("special", `an entry ${state.why}`, [path]);
    for (const [path, state] of found) this.#before.set(path, state);
    for (const root of added) this.#roots.add(root);
    this.#bytes = bytes;
    await syncFiles(copies.unsynced, this.#breath);
    const sha256 = await writeListing(this.#backups, call, {
      strategy,
      ...this.#kept(),
      before: this.#before,
    });
    const { recovered } = this;
    const ended = recovered.length > 0 && { recovered };
    note({ strategy, paths: this.#before.size, bytes, sha256, ...ended });
  }

  #requireRoom(bytes: number): void {
    const { maxBytes = usualBackupBytes } = this.#options;
    if (bytes <= maxBytes) return;
    throw new BackupFault(
      "too-large",
      `the copies would take more than ${maxBytes} bytes; allow more by \`backups: { maxBytes }\` of createRuntime, or let the tool change less`,
    );
  }

  #kept(): Pick<Listing, "isListed" | "roots"> {
    const roots = [...this.#roots];
    return { roots: this.#isListed ? roots : outermost(roots), isListed: this.#isListed };
  }

  #scan(): Promise<Tree> {
    return scanKept(this.#options.directory, this.#kept(), {
      breath: this.#breath,
      content: (fd) => digestFile(fd, this.#breath),
    });
  }

  async #noteLeft(read: () => Promise<Tree>): Promise<void> {
    if (this.#roots.size === 0) return;
    const { call } = this.#options;
    const left = new Map<string, EntryState>();
    try {
      const now = await read();
      for (const path of new Set([...this.#before.keys(), ...now.keys()])) {
        const state = now.get(path) ?? absent;
        if (!sameState(this.#before.get(path) ?? absent, state)) left.set(path, state);
      }
      await writeLeft(this.#backups, call, left);
    } catch (error) {
      // The change is made. Without this state, only force undoes it.
      if (asFault(error) === undefined) throw error;
    }
  }
}
