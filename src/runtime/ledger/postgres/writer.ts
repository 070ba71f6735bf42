import { hostname } from "node:os";
import { type ChainHead, chainStart } from "../chain/line.js";
import type { OpenRecord, SeenHead } from "../chain/chain-record.js";
import { newWriterId } from "../files/file-name.js";
import { appendStatement, type Batch, linkItems, type WriterPosition } from "./batch.js";
import type { Item } from "./item.js";
import { isMissing, requireTables } from "./migrate.js";
import { didNothing, type LedgerConnections, type Row } from "./pool.js";
import { type Tables, textOf } from "./tables.js";

/** Number of other writers whose heads an opening record contains. */
const maxSeen = 8;
/** Maximum number of times that one batch is sent if connections are lost. */
const maxSends = 3;

/**
 * One writer's chain of rows. A batch is one statement, which inserts nothing unless the writer's
 * head in the database is the expected one. So a chain has no gaps and no forks. If an answer is
 * lost, the head shows whether the batch was committed. If the head is none that this writer wrote,
 * the database has lost committed rows, for example because a standby took over. The writer then
 * begins a new chain, and records where the old one ended.
 */
export class ChainWriter {
  readonly #connections: LedgerConnections;
  readonly #tables: Tables;
  #id = newWriterId();
  #opening: string | undefined;
  #position: WriterPosition = start;
  /** Heads of earlier chains of this writer that the database lost. */
  #lost: readonly SeenHead[] = [];
  /** Batches that may be committed now or later. All of them begin at the current head. */
  #inDoubt: Batch[] = [];
  #areTablesKnown = false;
  /**
   * Calls that have begun and not ended, with the numbers of their last begin records in this
   * chain; undefined for calls that began in a lost chain.
   */
  readonly #begun = new Map<string, number | undefined>();

  constructor(connections: LedgerConnections, tables: Tables) {
    this.#connections = connections;
    this.#tables = tables;
  }

  /** Returns whether there is a chain to close. */
  get hasWritten(): boolean {
    return this.#position.head.hash !== null;
  }

  /** Returns whether the call's begin record is or may be written, and its end record is not. */
  hasBegun(id: string): boolean {
    return this.#begun.has(id) || this.#inDoubt.some(({ begun }) => begun.has(id));
  }

  /**
   * Writes all items or none.
   *
   * @param isWritten called with items that an earlier attempt turns out to have written
   * @throws the last error. Unless the server rejected the items, they may still have been written.
   */
  async write(items: readonly Item[], isWritten: (items: readonly Item[]) => void): Promise<void> {
    await this.#requireTables();
    let left = items;
    const found = (there: readonly Item[]): void => {
      left = left.filter((item) => !there.includes(item));
      isWritten(there);
    };
    for (let sends = 1; ; sends += 1) {
      if (this.#inDoubt.length > 0) await this.#findHead(found);
      if (left.length === 0) return;
      const batch = linkItems(left, this.#position, await this.#openingText(), this.#begun);
      try {
        if (await this.#send(batch)) return this.#accept(batch);
        await this.#findHead(found);
      } catch (error) {
        if (isMissing(error)) this.#areTablesKnown = false;
        if (didNothing(error)) throw error;
        this.#inDoubt.push(batch);
        if (sends >= maxSends) throw error;
      }
      if (sends >= maxSends * 2) throw new Error("the ledger's head can't be found");
    }
  }

  /**
   * Checks that the server answers and has the tables.
   *
   * @throws if not
   */
  async probe(): Promise<void> {
    this.#areTablesKnown = false;
    await this.#requireTables();
  }

  async #requireTables(): Promise<void> {
    if (this.#areTablesKnown) return;
    await this.#connections.use((client) => requireTables(client, this.#tables));
    this.#areTablesKnown = true;
  }

  async #send(batch: Batch): Promise<boolean> {
    const writer = { id: this.#id, pid: process.pid, host: hostname() };
    const { text, values } = appendStatement(this.#tables, writer, batch);
    const { rows } = await this.#connections.use((client) => client.query(text, values));
    return rows.length === 1;
  }

  #accept({ after, begun, items }: Batch): void {
    this.#position = after;
    // Other batches that were sent from the old head will not find it, so they insert nothing.
    this.#inDoubt = [];
    for (const [id, seq] of begun) this.#begun.set(id, seq);
    for (const { id, type } of items) if (type === "end") this.#begun.delete(id);
  }

  /** Reads the head of the chain from the database, and continues from there. */
  async #findHead(found: (items: readonly Item[]) => void): Promise<void> {
    const there = await this.#readHead();
    const { head } = this.#position;
    if (there === undefined ? head.hash === null : isSame(there, head)) return;
    const committed = this.#inDoubt.find(({ after }) => there && isSame(there, after.head));
    if (committed === undefined) return this.#beginAnew();
    this.#accept(committed);
    found(committed.items);
  }

  async #readHead(): Promise<ChainHead | undefined> {
    const { rows } = await this.#connections.use((client) =>
      client.query(`SELECT seq::text, hash FROM ${this.#tables.writers} WHERE writer = $1`, [
        this.#id,
      ]),
    );
    const [row] = rows;
    return row && { seq: Number(textOf(row, "seq")) + 1, hash: textOf(row, "hash") };
  }

  #beginAnew(): void {
    const { atMs, head } = this.#position;
    if (head.hash !== null)
      this.#lost = [...this.#lost, { file: this.#id, seq: head.seq - 1, hash: head.hash }];
    this.#id = newWriterId();
    this.#opening = undefined;
    this.#position = { head: chainStart, atMs };
    this.#inDoubt = [];
    // Numbers of the old chain are useless in the new one, but the calls have begun.
    for (const id of this.#begun.keys()) this.#begun.set(id, undefined);
  }

  /** Returns the chain's first record until it is written; always the same text. */
  async #openingText(): Promise<string | undefined> {
    if (this.#position.head.hash !== null) return undefined;
    this.#opening ??= JSON.stringify(await this.#openingRecord());
    return this.#opening;
  }

  async #openingRecord(): Promise<OpenRecord> {
    const { rows } = await this.#connections.use((client) =>
      client.query(
        `SELECT writer, seq::text, hash FROM ${this.#tables.writers} ORDER BY opened DESC, writer LIMIT ${maxSeen}`,
      ),
    );
    return {
      type: "open",
      format: 1,
      time: new Date().toISOString(),
      writer: this.#id,
      part: 1,
      pid: process.pid,
      host: hostname(),
      seen: [...this.#lost, ...rows.map(seenHead).filter(({ file }) => !this.#hasLost(file))],
    };
  }

  #hasLost(writer: string): boolean {
    return this.#lost.some(({ file }) => file === writer);
  }
}

const start: WriterPosition = { head: chainStart, atMs: Number.NEGATIVE_INFINITY };

function isSame(a: ChainHead, b: ChainHead): boolean {
  return a.seq === b.seq && a.hash === b.hash;
}

function seenHead(row: Row): SeenHead {
  return {
    file: textOf(row, "writer"),
    seq: Number(textOf(row, "seq")),
    hash: textOf(row, "hash"),
  };
}
