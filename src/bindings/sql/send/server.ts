import type { Pool, PoolClient } from "pg";
import type * as Pg from "pg";
import { type Attempt, ifMissing, type WriteOutcome } from "../../../runtime/sink.js";
import { stopClient } from "./cancel.js";
import { Doubts } from "./doubts.js";
import { LostConnection } from "./faults.js";
import { discard, graceMs, hangUp, orHangUp } from "./hang-up.js";
import { loginFault } from "./login-fault.js";
import { createPool } from "./pool.js";
import { ServerSession } from "./server-session.js";
import type { Database, Session } from "./session.js";
import { hasChanged, restore } from "./session-state.js";

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
  return new Server(pg, createPool(pg, url, searchPath), onIdle);
}

class Server implements Database {
  readonly #pg: typeof Pg;
  readonly #pool: Pool;
  readonly #onIdle: () => void;
  /** Calls that have or await a connection, their cleaning up included. */
  readonly #busy = new Set<Promise<void>>();
  readonly #doubts = new Doubts();

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
    while (this.#busy.size > 0) await Promise.all(this.#busy);
    await this.#pool.end();
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
    // A request to cancel may come late, and would stop another call: such a connection is not used again.
    await turn.stopping;
    const isUsable = turn.stopping === undefined && (await cleanUp(turn.session, client, isDone));
    if (!isUsable) return discard(client);
    this.#doubts.hear(client);
    client.release();
  }

  /** What it gives is known of a write from then on. */
  #abort(turn: Turn): WriteOutcome {
    if (!turn.isOver) {
      turn.isOver = true;
      turn.session?.stop();
      if (turn.client !== undefined) {
        this.#doubts.raise();
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
        throw loginFault(error);
      });
      const isFit = this.#doubts.isTrusted(client) || (await this.#doubts.ask(client));
      if (isFit && !turn.isOver) return client;
      // It is dead; or the call is over, and it has not been used.
      if (!isFit) hangUp(client);
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

/** Makes the connection fit for another call; false when it isn't. What failed may have left a transaction open. */
async function cleanUp(
  session: ServerSession,
  client: PoolClient,
  isDone: boolean,
): Promise<boolean> {
  if (isDone && !session.isMarked && !hasChanged(client)) return true;
  try {
    if (!isDone) await orHangUp(client, graceMs, rollBack(client));
    if (session.isMarked || hasChanged(client)) await orHangUp(client, graceMs, restore(client));
    return !hasChanged(client);
  } catch {
    return false;
  }
}

async function rollBack(client: PoolClient): Promise<void> {
  await new ServerSession(client).exchange({ before: ["ROLLBACK"], after: [] });
}
