import { join } from "node:path";
import type { OwnFolder } from "../../../files/own-place.js";
import type { MemoryStoreOptions } from "../memory.js";
import type {
  Approval,
  ApprovalStore,
  NewApproval,
  NewRequestDecision,
  NewStoredRequest,
  RequestFilter,
  RequestState,
  SavedApproval,
  StoredRequest,
} from "../store.js";
import { StoreUnavailable } from "../store-unavailable.js";
import { approvedRequest, isSpent, limitOf, listedRequests } from "../stored-request.js";
import { usualTimeoutMs } from "../within.js";
import {
  type FileContent,
  fileContent,
  type FileKind,
  fileName,
  fileText,
  kindOfFile,
  maxFileBytes,
} from "./approval-files.js";
import { LockedFolder } from "./locked-folder.js";

/** Number of files that are read at the same time. */
const readAtOnce = 32;
/** Maximum number of requests, so that a list stays quick. */
const maxRequests = 10_000;
/** Interval at which expired files are removed, in milliseconds. */
const sweepMs = 60_000;
/** Time for which expired files are kept, in milliseconds: the clock may be set back. */
const slackMs: { readonly [Kind in FileKind]: number } = {
  request: 60_000,
  // Calls are told for a day that their approval has expired.
  approval: 24 * 60 * 60_000,
};

/** Approvals and their requests in files of one machine. */
export class FolderApprovals implements ApprovalStore {
  readonly #folder: LockedFolder;
  readonly #now: () => number;
  readonly #monotonic: () => number;
  readonly #warned = new Set<string>();
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(
    folder: OwnFolder,
    {
      monotonic = () => performance.now(),
      now = Date.now,
    }: Pick<MemoryStoreOptions, "monotonic" | "now">,
  ) {
    this.#folder = new LockedFolder(folder, usualTimeoutMs);
    this.#now = now;
    this.#monotonic = monotonic;
  }

  saveRequest({
    ttlMs,
    ...given
  }: NewStoredRequest): Promise<{ readonly request: StoredRequest; readonly isNew: boolean }> {
    return this.#folder.change(async () => {
      await this.#sweep();
      const known = await this.#current(given.id);
      if (known !== undefined && !(await this.#isUsed(known)))
        return { request: known, isNew: false };
      await this.#makeRoom(given.id);
      const at = this.#now();
      const request: StoredRequest = { ...given, state: "pending", at, expiresAt: at + ttlMs };
      await this.#write("request", request);
      return { request, isNew: true };
    });
  }

  readRequest(id: string): Promise<StoredRequest | undefined> {
    return this.#folder.on("read", () => this.#current(id));
  }

  async requests(filter: RequestFilter): Promise<readonly StoredRequest[]> {
    limitOf(filter);
    const names = await this.#folder.on("read", () => this.#names("request"));
    const found: StoredRequest[] = [];
    for await (const { content } of this.#readAll("request", names))
      found.push(...listedRequests([content], filter, this.#now()));
    return listedRequests(found, filter, this.#now());
  }

  async denyRequest(id: string, decision: NewRequestDecision): Promise<RequestState | "none"> {
    // Nothing is created for an id that is unknown.
    if ((await this.readRequest(id)) === undefined) return "none";
    return this.#folder.change(async () => {
      const request = await this.#current(id);
      if (request === undefined) return "none";
      if (request.state !== "pending") return request.state;
      const decided = { ...decision, at: this.#now() };
      await this.#write("request", { ...request, state: "denied", decision: decided });
      return "denied";
    });
  }

  saveApproval({ ttlMs, ...approval }: NewApproval): Promise<SavedApproval> {
    return this.#folder.change(async () => {
      if ((await this.#read("approval", approval.id)) !== undefined) return "known";
      await this.#sweep();
      const known = await this.#current(approval.request);
      if (known?.state === "denied") return "denied";
      if (known === undefined) await this.#makeRoom(approval.request);
      const at = this.#now();
      const expiresAt = at + ttlMs;
      // After a crash in between, nobody knows the approval's id, and the request is pending.
      await this.#write("approval", { ...approval, at, expiresAt });
      await this.#write("request", approvedRequest(approval, { at, expiresAt, known }));
      return "saved";
    });
  }

  async readApproval(id: string): Promise<Approval | undefined> {
    const approval = await this.#folder.on("read", () => this.#read("approval", id));
    return approval && { ...approval, isExpired: approval.expiresAt <= this.#now() };
  }

  async useApproval(id: string, callId: string): Promise<"used" | "spent" | "expired" | "none"> {
    if ((await this.readApproval(id)) === undefined) return "none";
    return this.#folder.change(async () => {
      const approval = await this.#read("approval", id);
      if (approval === undefined) return "none";
      if (approval.usedBy !== undefined) return "spent";
      if (approval.expiresAt <= this.#now()) return "expired";
      await this.#write("approval", { ...approval, usedBy: callId });
      return "used";
    });
  }

  async returnApproval(id: string, callId: string): Promise<void> {
    if ((await this.readApproval(id))?.usedBy !== callId) return;
    await this.#folder.change(async () => {
      const approval = await this.#read("approval", id);
      if (approval?.usedBy !== callId) return;
      const { usedBy: _, ...unused } = approval;
      await this.#write("approval", unused);
    });
  }

  /** Returns a request that has not expired. */
  async #current(id: string): Promise<StoredRequest | undefined> {
    const request = await this.#read("request", id);
    return request !== undefined && request.expiresAt > this.#now() ? request : undefined;
  }

  /** Returns whether the request's approval can't be used any more. */
  async #isUsed({ approval = "", state }: StoredRequest): Promise<boolean> {
    return state === "approved" && isSpent(await this.#read("approval", approval), this.#now());
  }

  /**
   * Checks that the folder has room for a request.
   *
   * @throws StoreUnavailable if it holds too many
   */
  async #makeRoom(id: string): Promise<void> {
    const names = await this.#names("request");
    if (names.length < maxRequests || names.includes(fileName("request", id))) return;
    throw new StoreUnavailable(
      `\`${this.#folder.path}\` holds ${maxRequests} requests for approval, and no more are kept: delete files of requests, or wait until some expire`,
    );
  }

  /** Removes expired files, and those of writes that a crash interrupted. */
  async #sweep(): Promise<void> {
    if (this.#monotonic() - this.#sweptAt < sweepMs) return;
    this.#sweptAt = this.#monotonic();
    for (const name of await this.#names("temporary")) this.#folder.remove(name);
    for (const kind of ["request", "approval"] as const) {
      const names = await this.#names(kind);
      for await (const { content, name } of this.#readAll(kind, names))
        if (content.expiresAt < this.#now() - slackMs[kind]) this.#folder.remove(name);
    }
  }

  async #names(kind: FileKind | "temporary"): Promise<readonly string[]> {
    return (await this.#folder.names()).filter((each) => kindOfFile(each) === kind);
  }

  /** Reads files. It warns of one that can't be read, once, and leaves it out. */
  async *#readAll<Kind extends FileKind>(
    kind: Kind,
    names: readonly string[],
  ): AsyncGenerator<{ readonly name: string; readonly content: FileContent[Kind] }> {
    for (let at = 0; at < names.length; at += readAtOnce) {
      const some = names.slice(at, at + readAtOnce).map(async (name) => {
        const reading = this.#folder.on("read", () => this.#readFile(kind, name), name);
        return { name, content: await reading.catch((error: unknown) => this.#warn(name, error)) };
      });
      for (const { content, name } of await Promise.all(some))
        if (content !== undefined) yield { name, content };
    }
  }

  #warn(name: string, error: unknown): undefined {
    if (!(error instanceof StoreUnavailable)) throw error;
    if (this.#warned.has(name)) return;
    this.#warned.add(name);
    process.emitWarning(`a request for approval or an approval is left out: ${error.message}`, {
      type: "SkillcGovernanceWarning",
    });
  }

  #read<Kind extends FileKind>(kind: Kind, id: string): Promise<FileContent[Kind] | undefined> {
    return this.#readFile(kind, fileName(kind, id));
  }

  async #readFile<Kind extends FileKind>(
    kind: Kind,
    name: string,
  ): Promise<FileContent[Kind] | undefined> {
    const content = await this.#folder.read(name, maxFileBytes);
    if (content === undefined) return undefined;
    const path = join(this.#folder.path, name);
    return fileContent(kind, { name, path, text: content.toString("utf8") });
  }

  async #write<Kind extends FileKind>(kind: Kind, content: FileContent[Kind]): Promise<void> {
    const name = fileName(kind, content.id);
    await this.#folder.write(name, Buffer.from(fileText(kind, content)));
  }
}
