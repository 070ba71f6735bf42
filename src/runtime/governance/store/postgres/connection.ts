/** A store's connections to PostgreSQL: a pool, a time limit for each statement, and errors. */
import * as pg from "pg";
import type { Pool, PoolClient } from "pg";
import { errorOfDriver, ServerError } from "../../../postgres/errors.js";
import { whyNoLogin } from "../../../postgres/pg-internals.js";
import { createPool, endPool, discard } from "../../../postgres/pool.js";
import { StoreUnavailable } from "../store-unavailable.js";
import { within } from "../within.js";

/** Errors of transactions that conflicted and were rolled back, so that a retry may succeed. */
const retried = /^40(?:001|P01)$/;
const maxTries = 5;
/** SQLSTATEs of a missing schema, function or table. */
const isMissing = /^(?:3F000|42883|42P01)$/;
/** All names in the store's statements include the schema, so no search path is needed. */
const noPath: readonly string[] = ["SET search_path = ''"];

/**
 * A connection that is lent for one operation. It doesn't use a type of the driver, because users
 * may not have the driver's types.
 */
export interface LentSession {
  query(
    sql: string,
    values?: unknown[],
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

/** Names of a store in messages. */
export interface StoreNames {
  /** Application name for the server. */
  readonly application: string;
  /** Name of the store, such as `governance store`. */
  readonly store: string;
  /** Function that creates the tables. */
  readonly migration: string;
}

export class PostgresConnection {
  readonly #names: StoreNames;
  readonly #pool: Pool;
  readonly #timeoutMs: number;
  /** Connections whose session settings are done. */
  readonly #ready = new WeakSet<PoolClient>();
  #isClosed = false;

  /** @throws UnusableUrl if the URL is not valid */
  constructor(url: string, timeoutMs: number, names: StoreNames) {
    this.#pool = createPool(pg, url, { name: names.application, settings: noPath });
    this.#names = names;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Runs a statement that returns one value.
   *
   * @throws StoreUnavailable if PostgreSQL can't be reached or rejects the statement
   */
  async value(sql: string, values: readonly unknown[]): Promise<unknown> {
    const [row] = await this.rows(sql, values);
    return row?.["value"];
  }

  /**
   * Runs a statement, and retries it after a conflict.
   *
   * @throws StoreUnavailable if PostgreSQL can't be reached or rejects the statement
   */
  async rows(
    sql: string,
    values: readonly unknown[],
  ): Promise<readonly Readonly<Record<string, unknown>>[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.use(async (session) => (await session.query(sql, [...values])).rows);
      } catch (error) {
        const known = errorOfDriver(error, "unknown");
        const isRetried = known instanceof ServerError && retried.test(known.code);
        if (!isRetried || tries === maxTries) throw this.unavailable(error);
      }
    }
  }

  /**
   * Lends a connection for one operation. If the operation fails, the connection is closed, because
   * a statement may still be running on it.
   */
  async use<Result>(work: (session: LentSession) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new StoreUnavailable("the store is closed");
    let client: PoolClient | undefined;
    let isOver = false;
    const lend = async (): Promise<Result> => {
      const lent = await this.#pool.connect();
      if (isOver) {
        lent.release();
        throw new StoreUnavailable("its caller no longer waits for it");
      }
      client = lent;
      await this.#prepare(lent);
      return work(lent);
    };
    try {
      const result = await within(this.#timeoutMs, "PostgreSQL", lend());
      client?.release();
      return result;
    } catch (error) {
      if (client !== undefined) discard(client);
      throw error;
    } finally {
      isOver = true;
    }
  }

  /** Makes the error to report, without PostgreSQL's message, which quotes values. */
  unavailable(error: unknown): StoreUnavailable {
    if (error instanceof StoreUnavailable) return error;
    const known = errorOfDriver(error, "unknown");
    if (!(known instanceof ServerError))
      return new StoreUnavailable(
        `the ${this.#names.store} failed: ${whyNoLogin(error) ?? known.reason}`,
      );
    if (isMissing.test(known.code)) return this.notMigrated();
    return new StoreUnavailable(`PostgreSQL rejected the operation: SQLSTATE ${known.code}`);
  }

  notMigrated(): StoreUnavailable {
    const { migration, store } = this.#names;
    return new StoreUnavailable(
      `the database lacks the present tables of the ${store}: run \`${migration}\``,
    );
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await within(this.#timeoutMs, "PostgreSQL", endPool(this.#pool)).catch(() => {});
  }

  /**
   * Sets time limits on the server, so that a statement nobody waits for doesn't take effect later.
   */
  async #prepare(client: PoolClient): Promise<void> {
    if (this.#ready.has(client)) return;
    await client.query(
      `SET statement_timeout = ${this.#timeoutMs}; SET idle_in_transaction_session_timeout = ${this.#timeoutMs}; SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE`,
    );
    this.#ready.add(client);
  }
}
