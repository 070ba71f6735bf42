import { requireTables } from "./migrate.js";
import { type LedgerConnections, type PostgresClient, release, type Row } from "./pool.js";
import type { Tables } from "./tables.js";

/** A snapshot of the tables: rows that are added later are not seen. */
export class Snapshot {
  readonly #connections: LedgerConnections;
  readonly #client: PostgresClient;
  #streams = 0;

  private constructor(connections: LedgerConnections, client: PostgresClient) {
    this.#connections = connections;
    this.#client = client;
  }

  /**
   * Opens a snapshot. Close it after use.
   *
   * @throws LedgerUnavailable if the tables are missing or have another version
   */
  static async open(connections: LedgerConnections, tables: Tables): Promise<Snapshot> {
    await connections.use((client) => requireTables(client, tables));
    const client = await connections.connect();
    const snapshot = new Snapshot(connections, client);
    try {
      await snapshot.ask("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      // With many partitions, JIT compilation takes longer than the query.
      await snapshot.ask("SET LOCAL jit = off");
      // Lock before the first query takes the snapshot. Otherwise a table that is truncated in
      // between would look as if its rows were missing.
      await snapshot.ask(`LOCK TABLE ${tables.records} IN ACCESS SHARE MODE`);
      return snapshot;
    } catch (error) {
      release(client, true);
      throw error;
    }
  }

  async ask(text: string, values: unknown[] = []): Promise<readonly Row[]> {
    return (await this.#connections.ask(this.#client, text, values)).rows;
  }

  /** Yields the rows of a query in pages that fit into memory. */
  async *stream(text: string, values: unknown[] = []): AsyncGenerator<readonly Row[]> {
    this.#streams += 1;
    const name = `skillc_${this.#streams}`;
    await this.ask(`DECLARE ${name} NO SCROLL CURSOR FOR ${text}`, values);
    for (let count = firstPage; ;) {
      const rows = await this.ask(`FETCH ${count} FROM ${name}`);
      if (rows.length > 0) yield rows;
      if (rows.length < count) break;
      count = nextPage(count, rows);
    }
    await this.ask(`CLOSE ${name}`);
  }

  async close(): Promise<void> {
    const isOver = await this.ask("ROLLBACK").then(
      () => true,
      () => false,
    );
    release(this.#client, !isOver);
  }
}

/** Number of rows of the first page, and maximum of a page. */
const firstPage = 50;
const largestPage = 1000;
/** Target size of a page, in characters. */
const pageChars = 2 * 1024 * 1024;

function nextPage(count: number, rows: readonly Row[]): number {
  const chars = rows.reduce((sum, { line }) => sum + (line?.length ?? 0), 0);
  const fitting = Math.floor((pageChars * rows.length) / Math.max(chars, 1));
  return Math.max(1, Math.min(count * 4, fitting, largestPage));
}
