import { tellTooLong, type TooLongRecords } from "../too-long.js";
import { RecordTooLong } from "../store.js";
import type { ChainWriter } from "./writer.js";
import { type Item, sizeOf } from "./item.js";
import { sqlStateOf, unavailable } from "./pool.js";

/** An item, and whoever waits for it. */
interface Waiting {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** In one statement, unless a single item is larger. */
const maxItems = 1000;
const maxChars = 4 * 1024 * 1024;

/** What could not be written is kept up to this, in characters, and tried again. */
const backlogChars = 1024 * 1024;

/** What nobody waits for may gather up to this, while the server is slow. */
const maxUnawaited = 10_000;

/**
 * Items on their way to the tables, in their order, one batch at a time: those of one turn of the
 * event loop, and those that came while the batch before was under way.
 */
export class AppendQueue {
  readonly #writer: ChainWriter;
  readonly #tooLong: TooLongRecords;
  #queue: Waiting[] = [];
  /** Could not be written, and is tried with the next item. */
  #kept: Item[] = [];
  #turn: NodeJS.Immediate | undefined;
  #running: Promise<void> | undefined;
  #lostEvents = 0;
  /** Why the last attempt failed; undefined when it didn't, or there was none. */
  #failure: unknown;
  #hasWritten = false;

  constructor(writer: ChainWriter, tooLong: TooLongRecords) {
    this.#writer = writer;
    this.#tooLong = tooLong;
  }

  /** Why the ledger takes nothing; undefined as far as anybody knows that it does. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Adds an item that somebody waits for: resolves when it is committed. */
  put(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      this.#atEndOfTurn();
    });
  }

  /**
   * Adds an item that nobody need wait for. Something to wait for all the same, when the ledger has
   * taken nothing yet, or too much waits.
   */
  putLater(item: Item): undefined | Promise<void> {
    if (!this.#hasWritten || this.#queue.length >= maxUnawaited) return this.put(item);
    this.#queue.push({ item, resolve: ignore, reject: ignore });
    this.#atEndOfTurn();
    return undefined;
  }

  /** Looks in the background whether the ledger takes records again. */
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
      // What came when the last batch was done.
      if (this.#queue.length > 0) this.#atEndOfTurn();
    });
  }

  /** Writes all that there is. @throws when some of it can't be written */
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

  /** The next items that go together. */
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

  /** Undefined for one that no ledger takes, which is left out. */
  #sizeOf({ item, reject }: Waiting): number | undefined {
    try {
      return sizeOf(item);
    } catch (error) {
      if (error instanceof RecordTooLong) tellTooLong(this.#tooLong, item.id);
      reject(error);
      return undefined;
    }
  }

  /** Whether it is written. What waits behind it is refused as well, when the ledger is gone. */
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

  /** One of them is what the tables don't take: the others are none the worse for it. */
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
      // Nobody waits for it, and it would be refused again.
      if (only?.item.isKept) warnOf(`${String(why)}; what it was is left out`);
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
   * Whoever waits goes on without it. What nobody waits for, and the end of a write that has left, is
   * tried again with the next item, as far as there is room.
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
      warnOf("the ledger is gone, and has no room for an event; others that are lost are counted");
  }

  #tellLost(): void {
    if (this.#lostEvents === 0) return;
    warnOf(`the ledger takes records again; events that are lost: ${this.#lostEvents}`);
    this.#lostEvents = 0;
  }
}

const cantBeWritten = "the ledger can't be written";

function unawaited(item: Item): Waiting {
  return { item, resolve: ignore, reject: ignore };
}

function ignore(): void {}

/** Whether the server refuses what a row holds: another row may pass. */
function isOfContent(error: unknown): boolean {
  return /^(?:22|23|54)/.test(sqlStateOf(error) ?? "");
}

function warnOf(message: string): void {
  process.emitWarning(message, { type: "SkillcLedgerWarning" });
}
