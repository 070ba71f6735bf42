/**
 * Results in files of one machine, which other processes can read. Each result is one encrypted
 * file, whose name has a digest of its owner, and the time when it ends.
 */
import { resolve } from "node:path";
import { LockedFolder } from "../../governance/store/folder/locked-folder.js";
import { closedByShutdown } from "../../open-stores.js";
import { deriveSeal, requireKey, type Seal } from "../../seal.js";
import { longestTimerMs } from "../../within-time.js";
import { type Owner, ownerDigest, randomId } from "../owner.js";
import type { KeptResult, NotKept, ResultStore } from "./result-store.js";
import { openText, sealPurpose } from "./sealed-text.js";
import { callerLimit, type ResultLimits, storedText } from "./stored-text.js";

/** Options of results in a folder. */
export interface FolderResultsOptions extends ResultLimits {
  /**
   * Folder of the results; `.skillc/results` in the working directory by default. It is created
   * with the first result. The default folder must not be a link or below one, because a link may
   * come with the project from elsewhere. A folder that you name may be.
   */
  readonly directory?: string;
  /**
   * Key that encrypts results: 32 random bytes, or their base64 text, such as the `key` of
   * governance. All processes that open the folder share it.
   */
  readonly key: Uint8Array | string | undefined;
  /** Returns the current time in milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number;
}

const defaultDirectory = ".skillc/results";

/** Time limit of waiting for other processes that store results, in milliseconds. */
const lockWaitMs = 30_000;

/**
 * Creates a store of results in files of one machine. It opens no file before the first result. The
 * store is open until `close()` or `shutdown()`.
 *
 * @throws TypeError if the key is missing or has another length; RangeError if a limit is not valid
 */
export function folderResults(options: FolderResultsOptions): ResultStore {
  const { directory, key, now = Date.now } = options;
  const seal = deriveSeal(requireKey(key, "folderResults", "results"), sealPurpose);
  const place =
    directory === undefined
      ? { root: process.cwd(), path: defaultDirectory }
      : { root: resolve(directory), path: "." };
  const folder = new LockedFolder(place, lockWaitMs);
  return closedByShutdown(
    new FolderResults(folder, { seal, now, maxCallerBytes: callerLimit(options) }),
  );
}

/** Facts in the name of a file. The content is sealed for the name, so they can't be changed. */
interface ResultFile {
  readonly name: string;
  /** Digest of the owner. */
  readonly owner: string;
  /** Time of storing, in milliseconds since 1970. */
  readonly at: number;
  /** Time until which the result can be read, in milliseconds since 1970. */
  readonly endsAt: number;
  /** Size with which the result counts, in bytes. */
  readonly bytes: number;
}

const nameForm =
  /^(?<owner>[\da-f]{64})\.[\da-f]{64}\.(?<at>\d{1,16})\.(?<endsAt>\d{1,16})\.(?<bytes>\d{1,9})\.result$/;

const temporaryForm = /^[\da-f.]+\.result\.tmp$/;

/** A file may be this far in the future, in milliseconds. If it is further, a clock was set back. */
const slackMs = 60_000;
/** Bytes that encryption adds to a result at most. */
const sealBytes = 64;

interface FolderResultsParts {
  readonly seal: Seal;
  readonly now: () => number;
  readonly maxCallerBytes: number;
}

class FolderResults implements ResultStore {
  readonly kind = "folder";
  readonly #folder: LockedFolder;
  readonly #parts: FolderResultsParts;
  #sweep: NodeJS.Timeout | undefined;

  constructor(folder: LockedFolder, parts: FolderResultsParts) {
    this.#folder = folder;
    this.#parts = parts;
  }

  async keep(owner: Owner, text: string, ttlMs: number): Promise<KeptResult | NotKept> {
    const stored = storedText(text, this.#parts.maxCallerBytes);
    if (stored === undefined) return "too-large";
    const { bytes, form } = stored;
    const id = randomId();
    await this.#folder.change(async () => {
      await this.#makeRoom(ownerDigest(owner), bytes);
      const at = Math.floor(this.#parts.now());
      const name = `${prefixOf(owner, id)}${at}.${at + Math.ceil(ttlMs)}.${bytes}.result`;
      await this.#folder.write(name, this.#parts.seal.seal(form, name));
    });
    this.#sweepLater(ttlMs);
    return { id };
  }

  read(owner: Owner, id: string): Promise<string | undefined> {
    return this.#folder.on("read", async () => {
      const prefix = prefixOf(owner, id);
      const name = (await this.#folder.names()).find((each) => each.startsWith(prefix));
      const file = name === undefined ? undefined : fileOfName(name);
      if (file === undefined || !this.#isLive(file)) return undefined;
      const sealed = await this.#folder.read(file.name, file.bytes + sealBytes);
      return sealed === undefined ? undefined : openText(this.#parts.seal, sealed, file.name);
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#sweep);
    await this.#folder.changed();
  }

  #isLive({ at, endsAt }: ResultFile): boolean {
    const now = this.#parts.now();
    return at <= now + slackMs && now < endsAt;
  }

  /** Removes what has expired, and the oldest results of an owner until there is room. */
  async #makeRoom(owner: string, bytes: number): Promise<void> {
    // The lock is held, so whoever wrote a temporary file has crashed.
    for (const name of await this.#folder.names())
      if (temporaryForm.test(name)) this.#folder.remove(name);
    const own = (await this.#liveFiles()).filter((each) => each.owner === owner);
    let rest = this.#parts.maxCallerBytes - bytes;
    for (const file of own.toSorted((a, b) => b.at - a.at)) {
      rest -= file.bytes;
      if (rest < 0) this.#folder.remove(file.name);
    }
  }

  /** Returns the files that can be read, and removes the others. */
  async #liveFiles(): Promise<readonly ResultFile[]> {
    const live: ResultFile[] = [];
    for (const name of await this.#folder.names()) {
      const file = fileOfName(name);
      if (file !== undefined && this.#isLive(file)) live.push(file);
      else if (file !== undefined) this.#folder.remove(name);
    }
    return live;
  }

  /** Removes expired files after a while, even if nobody stores another result. */
  #sweepLater(ms: number): void {
    if (this.#sweep !== undefined) return;
    const sweep = async (): Promise<void> => {
      this.#sweep = undefined;
      const live = await this.#liveFiles();
      if (live.length > 0) this.#sweepLater(ms);
    };
    // The next result tries again.
    const delayMs = Math.min(ms, longestTimerMs);
    this.#sweep = setTimeout(() => void sweep().catch(() => undefined), delayMs).unref();
  }
}

/** Returns the first part of the name of a result's file. */
function prefixOf(owner: Owner, id: string): string {
  return `${ownerDigest(owner)}.${ownerDigest(owner, id)}.`;
}

/** Reads the name of a file; undefined if the store writes no such file. */
function fileOfName(name: string): ResultFile | undefined {
  const { at, bytes, endsAt, owner } = nameForm.exec(name)?.groups ?? {};
  if (owner === undefined) return undefined;
  return { name, owner, at: Number(at), endsAt: Number(endsAt), bytes: Number(bytes) };
}
