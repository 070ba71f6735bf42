/**
 * Connections to the ledger's server. What is done over one has a limit of time: a server that
 * vanished says nothing, and calls wait for their records.
 */
import type * as Pg from "pg";
import { ifMissing } from "../../call/missing-package.js";
import { errorOfDriver, ServerError } from "../../postgres/errors.js";
import { UnusableUrl } from "../../connection/errors.js";
import { createPool, endPool } from "../../postgres/pool.js";
import { withinTime } from "../../within-time.js";
import { LedgerUnavailable } from "../store.js";

/** What the ledger uses of a pool of pg's; an application may pass its own. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<PostgresRows>;
  /** @param destroy whether the connection is not to be used again */
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

export interface PostgresRows {
  readonly rows: readonly Row[];
}

/** Every column is asked for as text: types and their parsers may be the application's. */
export type Row = Readonly<Record<string, string | null>>;

/** How to reach the server. */
export type PostgresPlace =
  /** `postgres://user:password@host:port/database`, or a function that gives it. */
  | { readonly connectionString: string | (() => string | Promise<string>); readonly pool?: never }
  /** Is not closed with the ledger. */
  | { readonly pool: PostgresPool; readonly connectionString?: never };

/** To answer, unless it is told otherwise, in milliseconds. */
const answerMs = 30_000;
/** Of one pool: records take one of theirs at a time. */
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
   * Does something over one connection, which is given back when it is done, and closed when it
   * failed or took too long.
   *
   * @throws LedgerUnavailable when there is no connection, or no answer in time; and what the work
   *   throws
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

  /** Asks over a connection of `connect`. @throws when there is no answer in time */
  ask(client: PostgresClient, text: string, values: unknown[] = []): Promise<PostgresRows> {
    return answered(client.query(text, values), this.#answerMs);
  }

  /** A connection for as long as it takes: for streams. To be given back with `release`. */
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
    // A connection that is lost tells its query, and everybody else by this event.
    client.on("error", ignore);
    return client;
  }

  /** Tried again by the next call, when it failed. */
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

/** Gives a connection back. */
export function release(client: PostgresClient, destroy: boolean): void {
  client.off("error", ignore);
  // Closing one may fail once more.
  if (destroy) client.on("error", ignore);
  client.release(destroy);
}

function ignore(): void {}

const remedyOfUrl = "write postgres://user:password@host:5432/database";

/** @throws LedgerUnavailable without a part of the URL, which may have a password */
function openPool(pg: typeof Pg, url: string): Pg.Pool {
  if (!/^postgres(?:ql)?:\/\//i.test(url))
    throw new LedgerUnavailable("the ledger's URL is none of PostgreSQL's", remedyOfUrl);
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

/** There is no connection: nothing was asked. */
class NotConnected extends Error {
  override readonly name = "NotConnected";

  constructor(cause: unknown) {
    super("not connected", { cause });
  }
}

/** The server said nothing for so long. What it was asked to do may be done. */
class NoAnswer extends Error {
  override readonly name = "NoAnswer";

  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
  }
}

/** Whether nothing was done of what was asked: nobody was asked, or the server says so. */
export function didNothing(error: unknown): boolean {
  if (error instanceof NotConnected || error instanceof LedgerUnavailable) return true;
  return errorOfDriver(error, "unknown").outcome === "not-done";
}

/** What PostgreSQL calls an error; its words are in the server's language. */
export function sqlStateOf(error: unknown): string | undefined {
  const told = errorOfDriver(error, "unknown");
  return told instanceof ServerError ? told.code : undefined;
}

const meanings: ReadonlyMap<string, string> = new Map([
  ["25006", "the server takes no writes: it is a standby, or read-only"],
  ["28000", "the server refuses the login"],
  ["28P01", "the password is wrong"],
  ["3D000", "there is no such database"],
  ["3F000", "there is no such schema"],
  ["42501", "the role may not do that"],
  ["42P01", "a table is missing"],
  ["42703", "a column is missing"],
  ["53100", "the server's disk is full"],
  ["53300", "the server has no connection left"],
  ["55P03", "a lock could not be had in time"],
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
 * What is told of an error: its code, and what that means. The words of a driver or a server may
 * quote a URL, or values of a record.
 */
export function unavailable(what: string, error: unknown): unknown {
  if (error instanceof NotConnected) return unavailable(what, error.cause);
  if (error instanceof LedgerUnavailable) return error;
  if (error instanceof NoAnswer) return new LedgerUnavailable(`${what}: ${error.message}`);
  if (error instanceof Error && error.name === "MissingPackage") return error;
  const told = errorOfDriver(error, "unknown");
  if (!(told instanceof ServerError))
    return new LedgerUnavailable(`${what}: the server can't be reached (${told.reason})`);
  const { code } = told;
  const meaning = meanings.get(code);
  const why = meaning === undefined ? `SQLSTATE ${code}` : `${meaning} (SQLSTATE ${code})`;
  return new LedgerUnavailable(`${what}: ${why}`, remedies.get(code));
}
