/**
 * Connections to the ledger's server. Every use has a time limit, because calls wait for their
 * records and a lost server doesn't answer.
 */
import type * as Pg from "pg";
import { ifMissing } from "../../call/missing-package.js";
import { errorOfDriver, ServerError } from "../../postgres/errors.js";
import { UnusableUrl } from "../../connection/errors.js";
import { createPool, endPool } from "../../postgres/pool.js";
import { withinTime } from "../../within-time.js";
import { LedgerUnavailable } from "../store.js";

/** The part of a `pg` pool that the ledger uses. You can pass your own pool. */
export interface PostgresPool {
  /** Borrows a client, which `release` returns. */
  connect(): Promise<PostgresClient>;
}

/** The part of a `pg` client that the ledger uses. */
export interface PostgresClient {
  /** Runs one statement. `values` are its parameters `$1`, `$2`… */
  query(text: string, values?: unknown[]): Promise<PostgresRows>;
  /**
   * Returns the client to its pool.
   *
   * @param destroy whether to close the connection instead of reusing it
   */
  release(destroy?: boolean): void;
  /** Adds a listener for a lost connection. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Removes a listener. */
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** Result of a query. */
export interface PostgresRows {
  /** The rows, in the order of the result. */
  readonly rows: readonly Row[];
}

/**
 * A row whose columns are text. Queries cast every column to text, because an application's pool
 * may have its own parsers of types.
 */
export type Row = Readonly<Record<string, string | null>>;

/** Connection to the server. */
export type PostgresPlace =
  /** A URL `postgres://user:password@host:port/database`, or a function that returns it. */
  | { readonly connectionString: string | (() => string | Promise<string>); readonly pool?: never }
  /** A pool of the application. The ledger doesn't close it. */
  | { readonly pool: PostgresPool; readonly connectionString?: never };

/** Default time limit for an answer, in milliseconds. */
const answerMs = 30_000;
/** Maximum number of connections of one pool. Writing records uses one at a time. */
const maxConnections = 4;

export class LedgerConnections {
  readonly #place: PostgresPlace;
  readonly #answerMs: number;
  #opening: Promise<PostgresPool> | undefined;
  #own: Pg.Pool | undefined;

  constructor(place: PostgresPlace, waitMs: number = answerMs) {
    this.#place = place;
    this.#answerMs = waitMs;
  }

  /**
   * Runs work on a connection. Afterwards the connection returns to the pool; it is closed if the
   * work failed or took too long.
   *
   * @throws LedgerUnavailable if there is no connection; errors of the work; an error if the time
   * limit passes
   */
  async use<Value>(
    work: (client: PostgresClient) => Promise<Value>,
    limitMs: number = this.#answerMs,
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
    return answered(client.query(text, values), this.#answerMs);
  }

  /** Returns a connection for any length of time, for streams. Return it with `release`. */
  async connect(): Promise<PostgresClient> {
    let isLate = false;
    const connecting = this.#connect().then((client) => {
      if (isLate) release(client, false);
      return client;
    });
    try {
      return await answered(connecting, this.#answerMs);
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
    this.#own = openPool(pg, url);
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

const remedyOfUrl = "write postgres://user:password@host:5432/database";

/**
 * Creates a pool.
 *
 * @throws LedgerUnavailable if the URL is not valid; the message contains no part of the URL, which
 * may contain a password
 */
function openPool(pg: typeof Pg, url: string): Pg.Pool {
  if (!/^postgres(?:ql)?:\/\//i.test(url))
    throw new LedgerUnavailable("the ledger's URL is not a PostgreSQL URL", remedyOfUrl);
  try {
    return createPool(pg, url, { name: "skillc ledger", most: maxConnections, settings: [] });
  } catch (error) {
    if (!(error instanceof UnusableUrl)) throw error;
    throw new LedgerUnavailable(`the ledger's URL ${error.message}`, remedyOfUrl);
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
class NoAnswer extends Error {
  override readonly name = "NoAnswer";

  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
  }
}

/** Returns whether a query certainly changed nothing: it was not sent, or the server says so. */
export function didNothing(error: unknown): boolean {
  if (error instanceof NotConnected || error instanceof LedgerUnavailable) return true;
  return errorOfDriver(error, "unknown").outcome === "not-done";
}

/** Returns PostgreSQL's code of an error. Its messages are in the server's language. */
export function sqlStateOf(error: unknown): string | undefined {
  const known = errorOfDriver(error, "unknown");
  return known instanceof ServerError ? known.code : undefined;
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

const remedies: ReadonlyMap<string, string> = new Map([
  ["3F000", "run `skillc ledger migrate`"],
  ["42P01", "run `skillc ledger migrate`"],
  ["42703", "run `skillc ledger migrate`"],
  ["42501", "docs/ledger/postgres.md lists the grants that a ledger needs"],
]);

/**
 * Makes the error to report: the code and its meaning. It leaves out messages of the driver and the
 * server, which may quote a URL or values of a record.
 */
export function unavailable(what: string, error: unknown): unknown {
  if (error instanceof NotConnected) return unavailable(what, error.cause);
  if (error instanceof LedgerUnavailable) return error;
  if (error instanceof NoAnswer) return new LedgerUnavailable(`${what}: ${error.message}`);
  if (error instanceof Error && error.name === "MissingPackage") return error;
  const known = errorOfDriver(error, "unknown");
  if (!(known instanceof ServerError))
    return new LedgerUnavailable(`${what}: the server can't be reached (${known.reason})`);
  const { code } = known;
  const meaning = meanings.get(code);
  const why = meaning === undefined ? `SQLSTATE ${code}` : `${meaning} (SQLSTATE ${code})`;
  return new LedgerUnavailable(`${what}: ${why}`, remedies.get(code));
}
