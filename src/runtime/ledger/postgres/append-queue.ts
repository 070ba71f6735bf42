import { tellTooLong, type TooLongRecords } from "../too-long.js";
import { RecordTooLong } from "../store.js";
import type { ChainWriter } from "./writer.js";
import { type Item, sizeOf } from "./item.js";
import { sqlStateOf, unavailable } from "./pool.js";

/** An item, and the promise of its caller. */
interface Waiting {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Limits of one statement. A single larger item gets its own statement. */
const maxItems = 1000;
const maxChars = 4 * 1024 * 1024;

/** Maximum size of items that are kept for another try, in characters. */
const backlogChars = 1024 * 1024;

/** Maximum number of items that callers don't wait for, while the server is slow. */
const maxUnawaited = 10_000;

/**
 * Queue of items for the tables. It writes one batch at a time, in order. A batch has the items of
 * one turn of the event loop, and those that were added while the previous batch was written.
 */
export class AppendQueue {
  readonly #writer: ChainWriter;
  readonly #tooLong: TooLongRecords;
  #queue: Waiting[] = [];
  /** Items that could not be written. They are written again with the next item. */
  #kept: Item[] = [];
  #turn: NodeJS.Immediate | undefined;
  #running: Promise<void> | undefined;
  #lostEvents = 0;
  /** Error of the last attempt; undefined if it succeeded or there was none. */
  #failure: unknown;
  #hasWritten = false;

  constructor(writer: ChainWriter, tooLong: TooLongRecords) {
    this.#writer = writer;
    this.#tooLong = tooLong;
  }

  /** Error of the last attempt; undefined if the ledger works, as far as known. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Adds an item that the caller waits for. Resolves when the item is committed. */
  put(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      this.#atEndOfTurn();
    });
  }

  /**
   * Adds an item that the caller doesn't have to wait for. Returns a promise if the caller should
   * wait after all: nothing was written yet, or too many items are queued.
   */
  putLater(item: Item): undefined | Promise<void> {
    if (!this.#hasWritten || this.#queue.length >= maxUnawaited) return this.put(item);
    this.#queue.push({ item, resolve: ignore, reject: ignore });
    this.#atEndOfTurn();
    return undefined;
  }

  /** Checks in the background whether the server can be reached again. */
  tryAgain(): void {
    this.#atEndOfTurn();
  }

  #atEndOfTurn(): void {
    if (this.#running === undefined) this.#turn ??= setImmediate(() => this.#start());
  }

  #start(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      // Write items that were added while the last batch ended.
      if (this.#queue.length > 0) this.#atEndOfTurn();
    });
  }

  /**
   * Writes all queued items.
   *
   * @throws if some of them can't be written
   */
  async flush(): Promise<void> {
    while (this.#queue.length > 0 || this.#running !== undefined) {
      this.#start();
      await this.#running;
    }
    if (this.#kept.length > 0) {
      this.#start();
      await this.#running;
    }
    if (this.#kept.length > 0) throw this.#failure;
  }

  async #run(): Promise<void> {
    if (this.#failure !== undefined && this.#queue.length === 0 && this.#kept.length === 0)
      return this.#probe();
    do {
      const batch = this.#take();
      if (batch.length > 0 && !(await this.#write(batch))) return;
    } while (this.#queue.length > 0);
  }

  async #probe(): Promise<void> {
    try {
      await this.#writer.probe();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = unavailable(cantBeWritten, error);
    }
  }

  /** Takes the items of the next batch from the queue. */
  #take(): readonly Waiting[] {
    const all = [...this.#kept.map(unawaited), ...this.#queue];
    this.#kept = [];
    const taken: Waiting[] = [];
    let chars = 0;
    while (taken.length < maxItems) {
      const next = all[taken.length];
      const size = next && this.#sizeOf(next);
      if (next === undefined || (taken.length > 0 && chars + (size ?? 0) > maxChars)) break;
      if (size === undefined) {
        all.splice(taken.length, 1);
        continue;
      }
      chars += size;
      taken.push(next);
    }
    this.#queue = all.slice(taken.length);
    return taken;
  }

  /**
   * Returns the size of an item; undefined if the item is too long, in which case it is rejected.
   */
  #sizeOf({ item, reject }: Waiting): number | undefined {
    try {
      return sizeOf(item);
    } catch (error) {
      if (error instanceof RecordTooLong) tellTooLong(this.#tooLong, item.id);
      reject(error);
      return undefined;
    }
  }

  /**
   * Writes a batch, and returns whether the queue can go on. If the server can't be reached, all
   * queued items are rejected.
   */
  async #write(batch: readonly Waiting[]): Promise<boolean> {
    const there = new Set<Item>();
    const isWritten = (items: readonly Item[]): void => {
      for (const item of items) there.add(item);
      this.#kept = this.#kept.filter((item) => !there.has(item));
    };
    try {
      const items = batch.map(({ item }) => item);
      await this.#writer.write(items, isWritten);
      this.#failure = undefined;
      this.#hasWritten = true;
      for (const { resolve } of batch) resolve();
      this.#tellLost();
      return true;
    } catch (error) {
      if (isOfContent(error)) return this.#writeEach(batch, there, error);
      this.#failure = unavailable(cantBeWritten, error);
      const behind = this.#queue;
      this.#queue = [];
      for (const each of [...batch, ...behind]) {
        if (there.has(each.item)) each.resolve();
        else this.#refuse(each, this.#failure);
      }
      return false;
    }
  }

  /**
   * Writes the items one by one, after the server rejected the content of one of them. The other
   * items must not fail with it.
   */
  async #writeEach(
    batch: readonly Waiting[],
    there: ReadonlySet<Item>,
    error: unknown,
  ): Promise<boolean> {
    const [only, ...others] = batch.filter(({ item, resolve }) => {
      if (there.has(item)) resolve();
      return !there.has(item);
    });
    if (others.length === 0) {
      const why = unavailable(cantBeWritten, error);
      // Don't keep the item, because the server would reject it again.
      if (only?.item.isKept) warnOf(`${String(why)}; the record is left out`);
      only?.reject(why);
      return true;
    }
    for (const [at, each] of batch.entries()) {
      if (there.has(each.item) || (await this.#write([each]))) continue;
      for (const left of batch.slice(at + 1)) this.#refuse(left, this.#failure);
      return false;
    }
    return true;
  }

  /**
   * Rejects an item; its caller goes on without it. Items that nobody waits for, and end records of
   * writes that were already sent, are kept for the next batch if there is room.
   */
  #refuse(waiting: Waiting, why: unknown): void {
    const size = this.#sizeOf(waiting);
    if (size === undefined) return;
    const { item, reject } = waiting;
    const isKept = item.isKept || (item.type === "end" && this.#writer.hasBegun(item.id));
    if (isKept && this.#keptChars() + size <= backlogChars) this.#kept.push(item);
    else if (isKept && item.type === "event") this.#loseEvent();
    reject(why);
  }

  #keptChars(): number {
    return this.#kept.reduce((sum, item) => sum + sizeOf(item), 0);
  }

  #loseEvent(): void {
    this.#lostEvents += 1;
    if (this.#lostEvents === 1)
      warnOf(
        "the ledger is unreachable, and an event was lost; the runtime counts further lost events",
      );
  }

  #tellLost(): void {
    if (this.#lostEvents === 0) return;
    warnOf(`the ledger accepts records again; lost events: ${this.#lostEvents}`);
    this.#lostEvents = 0;
  }
}

const cantBeWritten = "the ledger can't be written";

function unawaited(item: Item): Waiting {
  return { item, resolve: ignore, reject: ignore };
}

function ignore(): void {}

/** Returns whether the server rejected the content of a row. Other rows may be accepted. */
function isOfContent(error: unknown): boolean {
  return /^(?:22|23|54)/.test(sqlStateOf(error) ?? "");
}

function warnOf(message: string): void {
  process.emitWarning(message, { type: "SkillcLedgerWarning" });
}
