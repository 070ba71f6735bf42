/**
 * A PostgreSQL server: a connection for each call, its cancelling and cleaning up, and connections
 * that may be dead without a sign of it.
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
 * @param searchPath what names without a schema mean in its sessions
 * @param onIdle called when it holds no connection and no call: another may take its place
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
  /** Calls that have or await a connection, their cleaning up included. */
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

  /** Later: a call that has just been handed this server is not counted yet. */
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
    // Once no call runs, nobody waits for a connection that is still being made.
    void (whenIdle() ?? Promise.resolve()).then(() => cutConnecting(this.#pool));
    while (this.#busy.size > 0) await Promise.all(this.#busy);
    await endPool(this.#pool);
  }

  /** Gives the work a connection, and takes care of the connection when the work has its answer. */
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
    // A request to cancel may come late, and would stop another call: such a connection is not used
    // again.
    await turn.stopping;
    const isUsable = turn.stopping === undefined && (await cleanUp(turn.session, client, isDone));
    if (!isUsable) return discard(client);
    this.#suspects.hear(client);
    client.release();
  }

  /** What it gives is known of a write from then on. */
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

  /** A connection that is not known to be dead. */
  async #connect(turn: Turn): Promise<PoolClient> {
    for (;;) {
      if (turn.isOver) throw new LostConnection("aborted", "not-done");
      const client = await this.#pool.connect().catch((error: unknown) => {
        throw loginError(error);
      });
      const isFit = this.#suspects.isTrusted(client) || (await this.#suspects.ask(client));
      if (isFit && !turn.isOver) return client;
      // It is dead; or the call is over, and it has not been used.
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
 * Makes the connection fit for another call; false when it isn't. What failed may have left a
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

/** How long a connection has to say that it lives, in milliseconds. */
const askMs = 1_000;

/**
 * Which of a pool's connections may be dead without a sign of it. When one stays silent until its
 * call is over, those that have not been heard of since are asked before they are used; when one of
 * these is silent too, none of the others is asked any more.
 */
class SuspectConnections {
  #raised = 0;
  /** The latest round of suspicion that has proved right. */
  #confirmed = 0;
  /** How many rounds there had been when a connection was last heard of. */
  readonly #heard = new WeakMap<Client, number>();

  raise(): void {
    this.#raised += 1;
  }

  /** Notes a sign of life. */
  hear(client: Client): void {
    this.#heard.set(client, this.#raised);
  }

  /** One that was not heard of yet has just been made. */
  isTrusted(client: Client): boolean {
    return (this.#heard.get(client) ?? this.#raised) === this.#raised;
  }

  /** Whether a connection that isn't trusted lives. */
  async ask(client: Client): Promise<boolean> {
    const round = this.#raised;
    if (this.#confirmed === round) return false;
    // Nothing but the end of a message.
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

/** Node's codes for what a URL's `sslcert`, `sslkey` and `sslrootcert` name. */
const unusableFile = /^ERR_OSSL_/;

/** Why there is no connection. Nothing was sent over it. */
function loginError(thrown: unknown): UnusableUrl | LostConnection | ServerError {
  const error = errorOfDriver(thrown, "not-done");
  if (error instanceof ServerError)
    return new ServerError(error.code, error.report, "not-done", "login");
  if (unusableFile.test(error.reason))
    return new UnusableUrl(`names a certificate or key that can't be used (${error.reason})`);
  const reason = whyNoLogin(thrown);
  return reason === undefined ? error : new UnusableUrl(reason);
}
