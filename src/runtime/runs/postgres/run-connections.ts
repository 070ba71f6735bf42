/** Connections of a store of runs, with retries, and errors of the store. */
import { setTimeout as pause } from "node:timers/promises";
import {
  causeOf,
  didNothing,
  NoAnswer,
  type PostgresClient,
  PostgresConnections,
  type PostgresPlace,
  type PostgresPool,
  type Row,
  sqlStateOf,
  usualAnswerMs,
  whyUnavailable,
} from "../../postgres/connections.js";
import { RunStoreError, type RunStoreProblem } from "../store.js";

/** How to connect to the server. */
export type RunsPlace =
  /** By a URL `postgres://user:password@host:port/database`. */
  | { readonly url: string; readonly pool?: never }
  /** By your own pool. The store doesn't close it. */
  | { readonly pool: PostgresPool; readonly url?: never };

/** Maximum number of connections of the store's own pool. */
const maxConnections = 4;
/**
 * SQLSTATEs of transactions that conflicted and were rolled back. 23505: an append that was tried
 * again met the first try.
 */
const conflict = /^(?:40(?:001|P01)|23505)$/;
/** Delays before an operation is tried again, in milliseconds. */
const delays: readonly number[] = [50, 200, 800];

const problems: ReadonlyMap<string, readonly [RunStoreProblem, help: string]> = new Map([
  ["25006", ["read-only", "name the primary server, and a role that may write"]],
  ["42501", ["read-only", "grant the role what docs/runs.md lists"]],
  ["53100", ["full", "make room on the server's disk, for example with `skillc runs prune`"]],
  ["3F000", ["not-migrated", "run `skillc runs migrate`"]],
  ["42P01", ["not-migrated", "run `skillc runs migrate`"]],
  ["42883", ["not-migrated", "run `skillc runs migrate`"]],
]);

export class RunConnections {
  readonly #connections: PostgresConnections;
  #isClosed = false;

  /**
   * @param most maximum number of connections, unless the URL sets `pool_max`
   */
  constructor(place: RunsPlace, answerMs: number = usualAnswerMs, most = maxConnections) {
    this.#connections = new PostgresConnections(placeOf(place), {
      name: "skillc runs",
      most,
      // All names in the statements include the schema.
      settings: ["SET search_path = ''"],
      answerMs,
      wrongUrl: (why) =>
        new RunStoreError(
          "unavailable",
          `the URL of the runs ${why}`,
          "write postgres://user:password@host:5432/database",
        ),
    });
  }

  /**
   * Runs a statement that may run twice. It tries again after a conflict or a lost connection.
   *
   * @throws RunStoreError
   */
  async rows(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.#once(sql, values);
      } catch (error) {
        const delay = delays[tries];
        if (delay === undefined || !mayHelp(error)) throw unavailable(error);
        await pause(delay);
      }
    }
  }

  async #once(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    if (this.#isClosed) throw new RunStoreError("unavailable", "the store of runs is closed");
    const { rows } = await this.#connections.use((client) => client.query(sql, [...values]));
    return rows;
  }

  /** Runs a statement that returns one value. */
  async value(sql: string, values: readonly unknown[]): Promise<string | null | undefined> {
    return (await this.rows(sql, values))[0]?.["value"];
  }

  /** Runs work on one connection, once. */
  async use<Value>(
    work: (client: PostgresClient) => Promise<Value>,
    limitMs: number,
  ): Promise<Value> {
    try {
      return await this.#connections.use(work, limitMs);
    } catch (error) {
      throw unavailable(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connections.close();
  }
}

function placeOf({ pool, url }: RunsPlace): PostgresPlace {
  return pool === undefined ? { connectionString: url } : { pool };
}

/** Returns whether another try may help: the server was not reached, or transactions conflicted. */
function mayHelp(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause instanceof RunStoreError || cause instanceof NoAnswer || isMissingPackage(cause))
    return false;
  const code = sqlStateOf(cause);
  if (code === undefined) return true;
  return conflict.test(code) || !didNothing(error);
}

function isMissingPackage(error: unknown): boolean {
  return error instanceof Error && error.name === "MissingPackage";
}

/** Makes the error to report. It quotes no message of the server, which may quote values. */
function unavailable(error: unknown): unknown {
  const cause = causeOf(error);
  if (cause instanceof RunStoreError || isMissingPackage(cause)) return cause;
  const [problem, help] = problems.get(sqlStateOf(cause) ?? "") ?? ["unavailable"];
  return new RunStoreError(
    problem,
    `the database of the runs can't be used: ${whyUnavailable(cause)}`,
    help,
  );
}
