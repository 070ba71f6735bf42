/** The way of a store to PostgreSQL: a pool, a limit on each statement, and what went wrong. */
import * as pg from "pg";
import type { Pool, PoolClient } from "pg";
import { errorOfDriver, ServerError } from "../../../postgres/errors.js";
import { whyNoLogin } from "../../../postgres/pg-internals.js";
import { createPool, endPool, discard } from "../../../postgres/pool.js";
import { StoreUnavailable } from "../store-unavailable.js";
import { within } from "../within.js";

/** Refused because of other transactions, and rolled back: the same may go through now. */
const retried = /^40(?:001|P01)$/;
const maxTries = 5;
/** Every name in the store's statements says its schema. */
const noPath: readonly string[] = ["SET search_path = ''"];

/** A session for as long as one operation may take. Without a type of the driver's: users may have none. */
export interface LentSession {
  query(
    sql: string,
    values?: unknown[],
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

export class PostgresConnection {
  readonly #pool: Pool;
  readonly #timeoutMs: number;
  /** Connections that are set to what statements of the store need. */
  readonly #ready = new WeakSet<PoolClient>();
  #isClosed = false;

  /** @throws UnusableUrl */
  constructor(url: string, timeoutMs: number) {
    this.#pool = createPool(pg, url, { name: "skillc governance", settings: noPath });
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The one value of the one row that a statement gives.
   *
   * @throws StoreUnavailable
   */
  async value(sql: string, values: readonly unknown[]): Promise<unknown> {
    const [row] = await this.rows(sql, values);
    return row?.["value"];
  }

  /** @throws StoreUnavailable */
  async rows(
    sql: string,
    values: readonly unknown[],
  ): Promise<readonly Readonly<Record<string, unknown>>[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.use(async (session) => (await session.query(sql, [...values])).rows);
      } catch (error) {
        const told = errorOfDriver(error, "unknown");
        const isRetried = told instanceof ServerError && retried.test(told.code);
        if (!isRetried || tries === maxTries) throw unavailable(error);
      }
    }
  }

  /**
   * Lends a connection for as long as one operation may take. One that failed is given up: what
   * waits on it is nobody's any more.
   */
  async use<Result>(work: (session: LentSession) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new StoreUnavailable("the store is closed");
    let client: PoolClient | undefined;
    let isOver = false;
    const lend = async (): Promise<Result> => {
      const lent = await this.#pool.connect();
      if (isOver) {
        lent.release();
        throw new StoreUnavailable("nobody waits for it any more");
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

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await within(this.#timeoutMs, "PostgreSQL", endPool(this.#pool)).catch(() => {});
  }

  /** The server ends what nobody waits for, so that it doesn't come to pass later. */
  async #prepare(client: PoolClient): Promise<void> {
    if (this.#ready.has(client)) return;
    await client.query(
      `SET statement_timeout = ${this.#timeoutMs}; SET idle_in_transaction_session_timeout = ${this.#timeoutMs}; SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE`,
    );
    this.#ready.add(client);
  }
}

/** What there is no function or table for. */
const isMissing = /^(?:3F000|42883|42P01)$/;

/** PostgreSQL's own words quote what they refuse. */
export function unavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  const told = errorOfDriver(error, "unknown");
  if (!(told instanceof ServerError))
    return new StoreUnavailable(`PostgreSQL can't be asked: ${whyNoLogin(error) ?? told.reason}`);
  if (isMissing.test(told.code)) return notMigrated();
  return new StoreUnavailable(`PostgreSQL refused it: SQLSTATE ${told.code}`);
}

export function notMigrated(): StoreUnavailable {
  return new StoreUnavailable(
    "the database has no tables of this version for governance: run `migrateGovernance`",
  );
}
