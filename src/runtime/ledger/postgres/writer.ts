import { hostname } from "node:os";
import { type ChainHead, chainStart } from "../chain/line.js";
import type { OpenRecord, SeenHead } from "../chain/chain-record.js";
import { newWriterId } from "../files/file-name.js";
import { appendStatement, type Batch, linkItems, type WriterPosition } from "./batch.js";
import type { Item } from "./item.js";
import { isMissing, requireTables } from "./migrate.js";
import { didNothing, type LedgerConnections, type Row } from "./pool.js";
import { type Tables, textOf } from "./tables.js";

/** How many other writers are looked at. */
const maxSeen = 8;
/** How often one batch is sent, when connections are lost. */
const maxSends = 3;

/**
 * One writer's chain of rows. A batch goes in one statement, which finds the writer's head where the
 * writer knows it to be, or adds nothing: so a chain has no gap and no fork. Where the answer is
 * lost, the head tells whether the batch is there. A head that is another than any that this writer
 * made means that the database lost rows that it had taken, as a standby may that takes over: a new
 * chain begins then, and says where the old one had been.
 */
export class ChainWriter {
  readonly #connections: LedgerConnections;
  readonly #tables: Tables;
  #id = newWriterId();
  #opening: string | undefined;
  #position: WriterPosition = start;
  /** Of chains of this writer that are not in the database as they were. */
  #lost: readonly SeenHead[] = [];
  /** Batches that may be there, or may yet come: all of them begin at the head. */
  #inDoubt: Batch[] = [];
  #areTablesKnown = false;
  /**
   * Calls that have begun and not ended, with the numbers of their last begin records in this chain;
   * undefined for those of a chain that is lost.
   */
  readonly #begun = new Map<string, number | undefined>();

  constructor(connections: LedgerConnections, tables: Tables) {
    this.#connections = connections;
    this.#tables = tables;
  }

  /** Whether there is anything to close. */
  get hasWritten(): boolean {
    return this.#position.head.hash !== null;
  }

  /** Whether the call's begin record is written, or may be, and its end record isn't. */
  hasBegun(id: string): boolean {
    return this.#begun.has(id) || this.#inDoubt.some(({ begun }) => begun.has(id));
  }

  /**
   * Writes items, all of them or none.
   *
   * @param isWritten told of those that turn out to be there from an earlier attempt
   * @throws what went wrong last; unless the server refused them, they may be there all the same
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

  /** Whether the server answers, and has the tables. @throws when it doesn't */
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
    // Whatever else was sent from the old head finds another one.
    this.#inDoubt = [];
    for (const [id, seq] of begun) this.#begun.set(id, seq);
    for (const { id, type } of items) if (type === "end") this.#begun.delete(id);
  }

  /** Looks where the chain stands in the database, and goes on from there. */
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
    // Numbers of the old chain mean nothing in the new one; the calls have begun all the same.
    for (const id of this.#begun.keys()) this.#begun.set(id, undefined);
  }

  /** The first record of the chain, while it is not written; always the same text. */
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
