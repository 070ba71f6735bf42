/**
 * A PostgreSQL server. Gives each call a connection, cancels its statement on abort, cleans up
 * afterwards, and detects connections that died silently.
 */
import type * as Pg from "pg";
import type { Client, Pool, PoolClient } from "pg";
import { type Attempt, ifMissing, type WriteOutcome } from "../../../runtime/executor.js";
import { errorOfDriver, ServerError } from "../../../runtime/postgres/errors.js";
import { whenIdle } from "../../../runtime/call/calls-in-flight.js";
import { LostConnection, UnusableUrl } from "../../../runtime/connection/errors.js";
import { closeSocket, whyNoLogin } from "../../../runtime/postgres/pg-internals.js";
import {
  createPool,
  cutConnecting,
  discard,
  endPool,
  graceMs,
  hasChanged,
  orDisconnect,
  stopClient,
} from "../../../runtime/postgres/pool.js";
import { restore, ServerSession } from "./server-session.js";
import type { Database, Session } from "./session.js";
import { settingsFor } from "./settings.js";

/**
 * Opens a server's pool.
 *
 * @param searchPath schemas in which its sessions look up unqualified names
 * @param onIdle called when it holds no connection and no call, so that it can be forgotten
 * @throws UnusableUrl for a URL that can't be read
 */
export async function openServer(
  url: string,
  searchPath: readonly string[],
  onIdle: () => void,
): Promise<Database> {
  const pg = await import("pg").catch(ifMissing("pg"));
  return new Server(
    pg,
    createPool(pg, url, { name: "skillc", settings: settingsFor(url, searchPath) }),
    onIdle,
  );
}

class Server implements Database {
  readonly #pg: typeof Pg;
  readonly #pool: Pool;
  readonly #onIdle: () => void;
  /** Calls that use or wait for a connection, including their cleanup. */
  readonly #busy = new Set<Promise<void>>();
  readonly #suspects = new SuspectConnections();

  constructor(pg: typeof Pg, pool: Pool, onIdle: () => void) {
    this.#pg = pg;
    this.#pool = pool;
    this.#onIdle = onIdle;
    pool.on("remove", () => this.#leave());
  }

  run<Result>(attempt: Attempt, work: (session: Session) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const lent = this.#lend(attempt, (session) => {
        const working = work(session);
        working.then(resolve, reject);
        return working;
      });
      const over = lent.catch(reject).finally(() => {
        this.#busy.delete(over);
        this.#leave();
      });
      this.#busy.add(over);
    });
  }

  /** Deferred, because a call that has just received this server is not counted yet. */
  #leave(): void {
    if (this.#isHeld) return;
    setImmediate(() => {
      if (!this.#isHeld) this.#onIdle();
    });
  }

  get #isHeld(): boolean {
    return this.#busy.size > 0 || this.#pool.totalCount > 0;
  }

  async close(): Promise<void> {
    // When no call runs, nobody waits for connections that are still being made.
    void (whenIdle() ?? Promise.resolve()).then(() => cutConnecting(this.#pool));
    while (this.#busy.size > 0) await Promise.all(this.#busy);
    await endPool(this.#pool);
  }

  /** Gives the work a connection, and cleans the connection up afterwards. */
  async #lend(attempt: Attempt, work: (session: Session) => Promise<unknown>): Promise<void> {
    const turn: Turn = { isOver: false };
    attempt.onAbort(() => this.#abort(turn));
    const client = await this.#connect(turn);
    turn.client = client;
    turn.session = new ServerSession(client);
    const isDone = await work(turn.session).then(
      () => true,
      () => false,
    );
    turn.isOver = true;
    // A cancel request may arrive late and would stop another call, so this connection is not
    // reused.
    await turn.stopping;
    const isUsable = turn.stopping === undefined && (await cleanUp(turn.session, client, isDone));
    if (!isUsable) return discard(client);
    this.#suspects.hear(client);
    client.release();
  }

  /** Aborts a call. Returns what is known about its write. */
  #abort(turn: Turn): WriteOutcome {
    if (!turn.isOver) {
      turn.isOver = true;
      turn.session?.stop();
      if (turn.client !== undefined) {
        this.#suspects.raise();
        turn.stopping = stopClient(this.#pg, turn.client);
      }
    }
    return turn.session?.outcome ?? "not-done";
  }

  /** Takes a connection from the pool that is not known to be dead. */
  async #connect(turn: Turn): Promise<PoolClient> {
    for (;;) {
      if (turn.isOver) throw new LostConnection("aborted", "not-done");
      const client = await this.#pool.connect().catch((error: unknown) => {
        throw loginError(error);
      });
      const isFit = this.#suspects.isTrusted(client) || (await this.#suspects.ask(client));
      if (isFit && !turn.isOver) return client;
      // The connection is dead, or the call is over and has not used it.
      if (!isFit) closeSocket(client);
      client.release(!isFit);
    }
  }
}

/** One call's use of a connection. */
interface Turn {
  isOver: boolean;
  client?: PoolClient;
  session?: ServerSession;
  stopping?: Promise<void>;
}

/**
 * Cleans a connection up for the next call; false if that fails. A failed call may have left a
 * transaction open.
 */
async function cleanUp(
  session: ServerSession,
  client: PoolClient,
  isDone: boolean,
): Promise<boolean> {
  if (isDone && !session.isMarked && !hasChanged(client)) return true;
  try {
    if (!isDone) await orDisconnect(client, graceMs, rollBack(client));
    if (session.isMarked || hasChanged(client))
      await orDisconnect(client, graceMs, restore(client));
    return !hasChanged(client);
  } catch {
    return false;
  }
}

async function rollBack(client: PoolClient): Promise<void> {
  await new ServerSession(client).exchange({ before: ["ROLLBACK"], after: [] });
}

/** Time limit for a connection to answer the check, in milliseconds. */
const askMs = 1_000;

/**
 * Tracks which pooled connections may have died silently. When a call is aborted, connections that
 * have not answered since are checked before use. If one of them doesn't answer either, the rest
 * are discarded without a check.
 */
class SuspectConnections {
  #raised = 0;
  /** The latest round in which a connection was found dead. */
  #confirmed = 0;
  /** The round in which a connection last answered. */
  readonly #heard = new WeakMap<Client, number>();

  raise(): void {
    this.#raised += 1;
  }

  /** Notes that a connection answered. */
  hear(client: Client): void {
    this.#heard.set(client, this.#raised);
  }

  /** A connection without an entry is new. */
  isTrusted(client: Client): boolean {
    return (this.#heard.get(client) ?? this.#raised) === this.#raised;
  }

  /** Checks whether a suspect connection still answers. */
  async ask(client: Client): Promise<boolean> {
    const round = this.#raised;
    if (this.#confirmed === round) return false;
    // An empty exchange sends only a Sync message.
    const asked = new ServerSession(client).exchange({ before: [], after: [] });
    const lives = await orDisconnect(client, askMs, asked).then(
      () => true,
      () => false,
    );
    if (lives) this.#heard.set(client, round);
    else this.#confirmed = round;
    return lives;
  }
}

/** Node's error codes for unusable files in a URL's `sslcert`, `sslkey` and `sslrootcert`. */
const unusableFile = /^ERR_OSSL_/;

/** Converts an error at connecting. Nothing was sent yet. */
function loginError(thrown: unknown): UnusableUrl | LostConnection | ServerError {
  const error = errorOfDriver(thrown, "not-done");
  if (error instanceof ServerError)
    return new ServerError(error.code, error.report, "not-done", "login");
  if (unusableFile.test(error.reason))
    return new UnusableUrl(`names a certificate or key that can't be used (${error.reason})`);
  const reason = whyNoLogin(thrown);
  return reason === undefined ? error : new UnusableUrl(reason);
}
