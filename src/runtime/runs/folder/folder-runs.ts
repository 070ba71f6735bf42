/**
 * Runs in files of one machine. Each run has a folder, named by a digest of its tenant and id:
 *
 * - `beginning`: one entry, written as a whole
 * - `events`: one line for each event
 *
 * Beside it, `DIGEST.lock` names the process that holds the run. A run exists while it has a
 * `beginning`.
 */
import fs from "node:fs";
import { join, posix, resolve } from "node:path";
import { type LockAttempt, takeLock } from "../../files/lock-file.js";
import {
  makeOwnFolder,
  type OwnFolder,
  refuseObstacle,
  removeOwnFile,
  removeOwnFolder,
} from "../../files/own-place.js";
import { directoriesBetween, syncDirectory } from "../../files/sync-directory.js";
import { ifThere } from "../../files/system-code.js";
import { writeSynced } from "../../files/write-synced.js";
import { onShutdownLast } from "../../shutdown.js";
import { AppendQueue } from "../append-queue.js";
import { matches } from "../run-filter.js";
import {
  changed,
  digestOfRun,
  type PreparedEvent,
  prepareEvent,
  quotedRun,
  type RunEnd,
  RunSeal,
  summaryOf,
} from "../sealed-run.js";
import {
  type HeldRun,
  type KeptRun,
  type RunBeginning,
  type RunEvent,
  type RunFilter,
  RunHeld,
  type RunId,
  type RunStore,
  RunStoreError,
  type RunSummary,
} from "../store.js";
import { entryOf, lineOf, readLastHeader, readLines } from "./entry-lines.js";
import { EventFile } from "./event-file.js";
import { onFolder } from "./folder-errors.js";

/** Options of runs in a folder. */
export interface FolderRunsOptions {
  /**
   * Folder of the runs; `.skillc/runs` in the project's folder by default. It is created with the
   * first run. The default folder must not be a link or below one, because a link may come with the
   * project from elsewhere. A folder that you name may be.
   */
  readonly directory?: string;
  /**
   * Key that encrypts parameters and answers: 32 random bytes, or their base64 text. All processes
   * that open the folder share it.
   */
  readonly key: Uint8Array | string | undefined;
}

const defaultDirectory = ".skillc/runs";

/**
 * Creates a store of runs in files of one machine. It opens no file before the first run.
 *
 * @throws TypeError if the key is missing or has another length
 */
export function folderRuns(options: FolderRunsOptions): RunStore {
  return openFolder(options, process.cwd());
}

/** Opens the runs of a project. */
function openFolder(options: FolderRunsOptions, project: string): RunStore {
  const { directory, key } = options;
  const seal = new RunSeal(key, "folderRuns");
  if (directory !== undefined) return new FolderRuns({ root: resolve(directory), path: "." }, seal);
  const store = new FolderRuns({ root: resolve(project), path: defaultDirectory }, seal);
  return Object.assign(store, { inDirectory: (other: string) => openFolder(options, other) });
}

/** Runs that this process holds. */
const held = new Set<FolderRun>();

onShutdownLast(async () => {
  await Promise.all([...held].map((each) => each.release()));
});

const digestForm = /^[0-9a-f]{64}$/;
/** Number of runs that are read at the same time for a list. */
const readAtOnce = 32;

class FolderRuns implements RunStore {
  readonly kind = "folder";
  readonly #folder: OwnFolder;
  readonly #path: string;
  readonly #seal: RunSeal;
  readonly #own = new Set<FolderRun>();
  #isClosed = false;

  constructor(folder: OwnFolder, seal: RunSeal) {
    this.#folder = folder;
    this.#path = join(folder.root, folder.path);
    this.#seal = seal;
  }

  async hold(run: RunId, beginning?: RunBeginning): Promise<HeldRun | undefined> {
    this.#requireOpen();
    const place = this.#placeOf(run);
    if (beginning === undefined && !(await this.#exists(place))) return undefined;
    return onFolder(this.#path, "written", () => this.#holdAt(place, run, beginning));
  }

  async #holdAt(
    place: RunPlace,
    run: RunId,
    beginning: RunBeginning | undefined,
  ): Promise<HeldRun | undefined> {
    const made = makeOwnFolder(this.#folder.root, this.#folder.path, 0o700);
    refuseObstacle(this.#folder.root, place.lock, "file");
    const lock = takeLock(place.lockPath);
    if (lock.kind === "taken") throw heldBy(run, place.lockPath, lock);
    try {
      const found = await this.#open(place, run);
      const opened = found ?? (beginning && (await this.#create(place, run, beginning, made)));
      if (opened === undefined) {
        lock.release();
        return undefined;
      }
      return this.#keep(new FolderRun(opened, this.#seal, this.#path, lock.release));
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  #keep(run: FolderRun): FolderRun {
    this.#own.add(run);
    run.onRelease(() => this.#own.delete(run));
    return run;
  }

  async #open(place: RunPlace, run: RunId): Promise<OpenRun | undefined> {
    const known = await this.#readAt(place, run);
    if (known === undefined) return undefined;
    const { bytes, end, kept } = known;
    return { kept, end, isNew: false, file: await EventFile.open(place.eventsPath, bytes) };
  }

  async #create(
    place: RunPlace,
    run: RunId,
    beginning: RunBeginning,
    made: string | undefined,
  ): Promise<OpenRun> {
    const { root } = this.#folder;
    const entry = this.#seal.sealBeginning(run, beginning, new Date().toISOString());
    makeOwnFolder(root, place.folder, 0o700);
    let file: EventFile | undefined;
    try {
      refuseObstacle(root, place.events, "file");
      file = await EventFile.create(place.eventsPath);
      // The run exists once this file is there.
      await writeSynced(place.beginningPath, lineOf(entry));
      await syncDirectory(place.path);
      for (const each of directoriesBetween(this.#path, made)) await syncDirectory(each);
    } catch (error) {
      await file?.close();
      removeQuietly(root, place.folder);
      throw error;
    }
    // Return the stored form, so that a resumed run gets the same.
    const { end, ...kept } = this.#seal.openBeginning(run, entry, place.beginningPath);
    return { kept: { run, ...kept, events: [] }, end, isNew: true, file };
  }

  async read(run: RunId): Promise<KeptRun | undefined> {
    this.#requireOpen();
    const place = this.#placeOf(run);
    return (await onFolder(this.#path, "read", () => this.#readAt(place, run)))?.kept;
  }

  async #readAt(place: RunPlace, run: RunId): Promise<KnownRun | undefined> {
    refuseObstacle(this.#folder.root, place.beginning, "file");
    const first = await ifThere(readLines(place.beginningPath));
    if (first === undefined) return undefined;
    const [line, ...others] = first.lines;
    const begins = `\`${place.beginningPath}\``;
    if (line === undefined || others.length > 0 || first.isTorn) throw changed(begins);
    const { end: begun, ...kept } = this.#seal.openBeginning(run, entryOf(line, begins), begins);
    refuseObstacle(this.#folder.root, place.events, "file");
    const found = await ifThere(readLines(place.eventsPath));
    if (found === undefined) {
      // Another process may have removed the run in the meantime.
      if (!(await this.#exists(place))) return undefined;
      throw changed(`\`${place.eventsPath}\``);
    }
    let end = begun;
    const events = found.lines.map((each, at) => {
      const where = `line ${at + 1} of \`${place.eventsPath}\``;
      const opened = this.#seal.openEvent(end, entryOf(each, where), where);
      ({ end } = opened);
      return opened.event;
    });
    return { kept: { run, ...kept, events }, end, bytes: found.lines.at(-1)?.end ?? 0 };
  }

  async *list(filter: RunFilter = {}): AsyncGenerator<RunSummary, void, undefined> {
    this.#requireOpen();
    const digests = await onFolder(this.#path, "read", () => this.#digests());
    const found: RunSummary[] = [];
    let failure: unknown;
    for (let at = 0; at < digests.length; at += readAtOnce) {
      const some = digests.slice(at, at + readAtOnce).map((each) => this.#summary(each));
      for (const each of await Promise.allSettled(some)) {
        if (each.status === "rejected") failure ??= each.reason;
        else if (each.value !== undefined && matches(each.value, filter)) found.push(each.value);
      }
    }
    yield* found.toSorted(
      (a, b) => compare(b.begunAt, a.begunAt) || compare(digestOfRun(a.run), digestOfRun(b.run)),
    );
    if (failure !== undefined) throw failure;
  }

  /** Undefined if the run doesn't exist, or no longer. */
  #summary(digest: string): Promise<RunSummary | undefined> {
    const place = this.#placeAt(digest);
    return onFolder(place.path, "read", async () => {
      refuseObstacle(this.#folder.root, place.beginning, "file");
      const reading = readLastHeader(place.beginningPath).then((header) => ({ header }));
      const first = await ifThere(reading);
      if (first === undefined) return undefined;
      if (first.header === undefined) throw changed(`\`${place.beginningPath}\``);
      const last = await ifThere(readLastHeader(place.eventsPath));
      return summaryOf(first.header, last, `\`${place.path}\``);
    });
  }

  async prune(endedBefore: Date): Promise<number> {
    this.#requireOpen();
    if (Number.isNaN(endedBefore.getTime())) throw new RangeError("`endedBefore` is no time");
    const before = endedBefore.toISOString();
    return onFolder(this.#path, "written", async () => {
      let count = 0;
      for (const digest of await this.#digests())
        if (await this.#pruneOne(digest, before)) count += 1;
      await syncDirectory(this.#path);
      return count;
    });
  }

  async #pruneOne(digest: string, before: string): Promise<boolean> {
    if (!(await this.#isOld(digest, before))) return false;
    const place = this.#placeAt(digest);
    const lock = takeLock(place.lockPath);
    if (lock.kind === "taken") return false;
    try {
      if (!(await this.#isOld(digest, before))) return false;
      const isRun = fs.existsSync(place.beginningPath);
      // After a crash between the two steps, the run is gone, and the next pruning goes on.
      removeOwnFile(this.#folder.root, place.beginning);
      removeOwnFolder(this.#folder.root, place.folder);
      return isRun;
    } finally {
      lock.release();
    }
  }

  /** Returns whether a run has ended before a time, or never began. */
  async #isOld(digest: string, before: string): Promise<boolean> {
    const summary = await this.#summary(digest).catch((error: unknown) => {
      // A damaged run stays, so that somebody can examine it.
      if (error instanceof RunStoreError) return "damaged" as const;
      throw error;
    });
    if (summary === "damaged") return false;
    return summary === undefined || (summary.state === "ended" && summary.changedAt < before);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#own].map((each) => each.release()));
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new RunStoreError("unavailable", "the store of runs is closed");
  }

  async #digests(): Promise<readonly string[]> {
    refuseObstacle(this.#folder.root, this.#folder.path, "folder");
    const names = await ifThere(fs.promises.readdir(this.#path));
    return (names ?? []).filter((each) => digestForm.test(each)).toSorted();
  }

  async #exists(place: RunPlace): Promise<boolean> {
    const found = await onFolder(this.#path, "read", () => {
      refuseObstacle(this.#folder.root, place.beginning, "file");
      return ifThere(fs.promises.lstat(place.beginningPath));
    });
    return found !== undefined;
  }

  #placeOf(run: RunId): RunPlace {
    return this.#placeAt(digestOfRun(run));
  }

  #placeAt(digest: string): RunPlace {
    const folder = posix.join(this.#folder.path, digest);
    const path = join(this.#path, digest);
    return {
      folder,
      path,
      lock: `${folder}.lock`,
      lockPath: `${path}.lock`,
      beginning: posix.join(folder, "beginning"),
      beginningPath: join(path, "beginning"),
      events: posix.join(folder, "events"),
      eventsPath: join(path, "events"),
    };
  }
}

/** Paths of a run, relative to the project's folder and absolute. */
interface RunPlace {
  readonly folder: string;
  readonly path: string;
  readonly lock: string;
  readonly lockPath: string;
  readonly beginning: string;
  readonly beginningPath: string;
  readonly events: string;
  readonly eventsPath: string;
}

interface KnownRun {
  readonly kept: KeptRun;
  readonly end: RunEnd;
  /** Length of the whole lines of events, in bytes. */
  readonly bytes: number;
}

interface OpenRun {
  readonly kept: KeptRun;
  readonly end: RunEnd;
  readonly isNew: boolean;
  readonly file: EventFile;
}

class FolderRun implements HeldRun {
  readonly run: RunId;
  readonly beginning: RunBeginning;
  readonly begunAt: KeptRun["begunAt"];
  readonly events: KeptRun["events"];
  readonly isNew: boolean;
  readonly lost: AbortSignal;
  readonly #losing = new AbortController();
  readonly #file: EventFile;
  readonly #seal: RunSeal;
  readonly #path: string;
  readonly #queue = new AppendQueue((events) => this.#store(events));
  readonly #unlock: () => void;
  #end: RunEnd;
  #released: Promise<void> | undefined;
  #onRelease: (() => void) | undefined;

  constructor(
    { end, file, isNew, kept }: OpenRun,
    seal: RunSeal,
    path: string,
    unlock: () => void,
  ) {
    this.run = kept.run;
    this.beginning = kept.beginning;
    this.begunAt = kept.begunAt;
    this.events = kept.events;
    this.isNew = isNew;
    this.lost = this.#losing.signal;
    this.#file = file;
    this.#seal = seal;
    this.#path = path;
    this.#end = end;
    this.#unlock = unlock;
    held.add(this);
  }

  onRelease(callBack: () => void): void {
    this.#onRelease = callBack;
  }

  async append(event: RunEvent): Promise<void> {
    if (this.#released !== undefined)
      throw new RunStoreError("unavailable", `${quotedRun(this.run)} was released`);
    await this.#queue.append(prepareEvent(this.run, event));
  }

  async #store(events: readonly PreparedEvent[]): Promise<void> {
    const at = new Date().toISOString();
    let end = this.#end;
    const entries = events.map((event) => {
      const sealed = this.#seal.sealEvent(end, event, at);
      ({ end } = sealed);
      return sealed.entry;
    });
    try {
      await onFolder(this.#path, "written", () => this.#file.append(entries));
    } catch (error) {
      if (error instanceof RunStoreError && error.problem === "lost") this.#losing.abort(error);
      throw error;
    }
    this.#end = end;
  }

  release(): Promise<void> {
    return (this.#released ??= this.#release());
  }

  async #release(): Promise<void> {
    await this.#queue.idle();
    try {
      await this.#file.close();
    } finally {
      this.#unlock();
      held.delete(this);
      this.#onRelease?.();
    }
  }
}

function heldBy(
  run: RunId,
  path: string,
  { holder, isReadable }: Extract<LockAttempt, { readonly kind: "taken" }>,
): RunHeld {
  const what = quotedRun(run);
  if (holder === undefined)
    return new RunHeld(
      `${what} is held: \`${path}\` ${isReadable ? "names no process" : "can't be read"}`,
      `remove \`${path}\` if no process uses the run`,
    );
  if (holder.isHere && holder.pid === process.pid)
    return new RunHeld(`${what} is held by another call of this process`);
  if (!holder.isHere)
    return new RunHeld(
      `${what} is held by the process ${holder.pid} on ${JSON.stringify(holder.host)}`,
      `wait until it ends; if that machine or process is gone, remove \`${path}\``,
    );
  return new RunHeld(
    `${what} is held by the process ${holder.pid}`,
    `wait until it ends; if that process is something else, remove \`${path}\``,
  );
}

/** Removes a run that could not be created. If that fails too, the next pruning removes it. */
function removeQuietly(root: string, folder: string): void {
  try {
    removeOwnFolder(root, folder);
  } catch {
    // The first error is the one to report.
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
