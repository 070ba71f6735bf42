/**
 * Connections of the ledger and of run stores to their server: by a URL, or by the application's
 * pool. Every use has a time limit, because calls wait for it and a lost server doesn't answer.
 */
import type * as Pg from "pg";
import { ifMissing } from "../call/missing-package.js";
import { UnusableUrl } from "../connection/errors.js";
import { withinTime } from "../within-time.js";
import { errorOfDriver, ServerError } from "./errors.js";
import { createPool, endPool } from "./pool.js";

/** The part of a `pg` pool that skillc uses. You can pass your own pool. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

/** The part of a `pg` client that skillc uses. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<PostgresRows>;
  /**
   * Returns the client to its pool.
   *
   * @param destroy whether to close the connection instead of reusing it
   */
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** Result of a query. */
export interface PostgresRows {
  readonly rows: readonly Row[];
}

/**
 * A row whose columns are text. Queries cast every column to text, because an application's pool
 * may have its own parsers of types.
 */
export type Row = Readonly<Record<string, string | null>>;

/** How to connect to the server. */
export type PostgresPlace =
  /** By a URL `postgres://user:password@host:port/database`, or a function that returns it. */
  | { readonly connectionString: string | (() => string | Promise<string>); readonly pool?: never }
  /** By your own pool. skillc doesn't close it. */
  | { readonly pool: PostgresPool; readonly connectionString?: never };

/** How connections are made and used. */
export interface ConnectionsOptions {
  /** Application name for the server, unless the URL sets one. */
  readonly name: string;
  /** Maximum number of connections, unless the URL sets `pool_max`. */
  readonly most: number;
  /** Statements that set up each session; a pool of the application's has its own. */
  readonly settings: readonly string[];
  /** Time limit for an answer, in milliseconds. */
  readonly answerMs: number;
  /**
   * Makes the error for a URL that is not valid. The message contains no part of the URL, which may
   * contain a password.
   *
   * @param why rest of a sentence that begins with the URL's name
   */
  wrongUrl(why: string): Error;
}

/** Default time limit for an answer, in milliseconds. */
export const usualAnswerMs = 30_000;

export class PostgresConnections {
  readonly #place: PostgresPlace;
  readonly #options: ConnectionsOptions;
  #opening: Promise<PostgresPool> | undefined;
  #own: Pg.Pool | undefined;

  constructor(place: PostgresPlace, options: ConnectionsOptions) {
    this.#place = place;
    this.#options = options;
  }

  /**
   * Runs work on a connection. Afterwards the connection returns to the pool; it is closed if the
   * work failed or took too long.
   *
   * @throws an error that `whyUnavailable` explains; errors of the work
   */
  async use<Value>(
    work: (client: PostgresClient) => Promise<Value>,
    limitMs: number = this.#options.answerMs,
  ): Promise<Value> {
    const client = await this.connect();
    try {
      const value = await answered(work(client), limitMs);
      release(client, false);
      return value;
    } catch (error) {
      release(client, true);
      throw error;
    }
  }

  /**
   * Runs a query on a connection of `connect`.
   *
   * @throws if there is no answer in time
   */
  ask(client: PostgresClient, text: string, values: unknown[] = []): Promise<PostgresRows> {
    return answered(client.query(text, values), this.#options.answerMs);
  }

  /** Returns a connection for any length of time, for streams. Return it with `release`. */
  async connect(): Promise<PostgresClient> {
    let isLate = false;
    const connecting = this.#connect().then((client) => {
      if (isLate) release(client, false);
      return client;
    });
    try {
      return await answered(connecting, this.#options.answerMs);
    } catch (error) {
      isLate = true;
      throw new NotConnected(error);
    }
  }

  async #connect(): Promise<PostgresClient> {
    const pool = await this.#pool();
    const client = await pool.connect();
    // If a connection is lost, its query fails; the event needs a listener, or Node would throw.
    client.on("error", ignore);
    return client;
  }

  /** Opens the pool. If that fails, the next call tries again. */
  #pool(): Promise<PostgresPool> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<PostgresPool> {
    const { connectionString, pool } = this.#place;
    if (pool !== undefined) return pool;
    const url = typeof connectionString === "string" ? connectionString : await connectionString();
    const pg = await import("pg").catch(ifMissing("pg"));
    this.#own = openPool(pg, url, this.#options);
    return this.#own;
  }

  async close(): Promise<void> {
    const own = this.#own;
    this.#own = undefined;
    this.#opening = undefined;
    if (own !== undefined) await endPool(own);
  }
}

/** Returns a connection to its pool. */
export function release(client: PostgresClient, destroy: boolean): void {
  client.off("error", ignore);
  // Closing a connection can emit another error.
  if (destroy) client.on("error", ignore);
  client.release(destroy);
}

function ignore(): void {}

function openPool(pg: typeof Pg, url: string, options: ConnectionsOptions): Pg.Pool {
  if (!/^postgres(?:ql)?:\/\//i.test(url)) throw options.wrongUrl("is not a PostgreSQL URL");
  try {
    return createPool(pg, url, options);
  } catch (error) {
    if (!(error instanceof UnusableUrl)) throw error;
    throw options.wrongUrl(error.message);
  }
}

function answered<Value>(work: Promise<Value>, ms: number): Promise<Value> {
  return withinTime(ms, work, () => new NoAnswer(ms));
}

/** There is no connection, so no query was sent. */
class NotConnected extends Error {
  override readonly name = "NotConnected";

  constructor(cause: unknown) {
    super("not connected", { cause });
  }
}

/** The server didn't answer in time. The query may have been carried out. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";

  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
  }
}

/** Returns whether a query certainly changed nothing: it was not sent, or the server says so. */
export function didNothing(error: unknown): boolean {
  if (error instanceof NotConnected) return true;
  return errorOfDriver(error, "unknown").outcome === "not-done";
}

/** Returns PostgreSQL's code of an error. Its messages are in the server's language. */
export function sqlStateOf(error: unknown): string | undefined {
  const told = errorOfDriver(error, "unknown");
  return told instanceof ServerError ? told.code : undefined;
}

/** Returns the error that kept a connection from being made, or the error itself. */
export function causeOf(error: unknown): unknown {
  return error instanceof NotConnected ? causeOf(error.cause) : error;
}

const meanings: ReadonlyMap<string, string> = new Map([
  ["25006", "the server takes no writes: it is a standby, or read-only"],
  ["28000", "the server rejects the login"],
  ["28P01", "the password is wrong"],
  ["3D000", "the database does not exist"],
  ["3F000", "the schema does not exist"],
  ["42501", "the role lacks a permission"],
  ["42P01", "a table is missing"],
  ["42703", "a column is missing"],
  ["53100", "the server's disk is full"],
  ["53300", "the server has no free connection"],
  ["55P03", "a lock was not available in time"],
  ["57014", "the server stopped it"],
  ["57P01", "the server is shutting down"],
  ["57P03", "the server is starting"],
]);

/**
 * Explains an error by the server's code and its meaning. It leaves out messages of the driver and
 * the server, which may quote a URL or values.
 */
export function whyUnavailable(error: unknown): string {
  const cause = causeOf(error);
  if (cause instanceof NoAnswer) return cause.message;
  const told = errorOfDriver(cause, "unknown");
  if (!(told instanceof ServerError)) return `the server can't be reached (${told.reason})`;
  const meaning = meanings.get(told.code);
  return meaning === undefined ? `SQLSTATE ${told.code}` : `${meaning} (SQLSTATE ${told.code})`;
}
