import type { Pool, PoolClient } from "pg";
import type * as Pg from "pg";
import type { Attempt } from "../../../runtime/sink.js";
import { stopClient } from "./cancel.js";
import { faultOf, LostConnection } from "./faults.js";
import { createPool } from "./pool.js";
import { ServerSession } from "./server-session.js";
import type { Database, Session } from "./session.js";

/** @throws UnusableUrl for a URL that can't be read */
export async function openServer(url: string): Promise<Database> {
  const pg = await import("pg");
  return new Server(pg, createPool(pg, url));
}

class Server implements Database {
  readonly #pg: typeof Pg;
  readonly #pool: Pool;
  /** Calls that have or await a connection, their cleaning up included. */
  readonly #busy = new Set<Promise<void>>();

  constructor(pg: typeof Pg, pool: Pool) {
    this.#pg = pg;
    this.#pool = pool;
  }

  run<Result>(attempt: Attempt, work: (session: Session) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const lent = this.#lend(attempt, (session) => {
        const working = work(session);
        working.then(resolve, reject);
        return working;
      });
      const over = lent.catch(reject).finally(() => this.#busy.delete(over));
      this.#busy.add(over);
    });
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
    const isUsable = turn.stopping === undefined && (isDone || (await rollBack(client)));
    client.release(!isUsable);
  }

  #abort(turn: Turn): void {
    if (turn.isOver) return;
    turn.isOver = true;
    turn.session?.stop();
    if (turn.client !== undefined) turn.stopping = stopClient(this.#pg, turn.client);
  }

  async #connect(turn: Turn): Promise<PoolClient> {
    if (turn.isOver) throw new LostConnection("aborted");
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw faultOf(error);
    });
    if (!turn.isOver) return client;
    // The call is over, and the connection has not been used.
    client.release();
    throw new LostConnection("aborted");
  }
}

/** One call's use of a connection. */
interface Turn {
  isOver: boolean;
  client?: PoolClient;
  session?: ServerSession;
  stopping?: Promise<void>;
}

/** Whether the connection is fit for another call. What failed may have left a transaction open. */
async function rollBack(client: PoolClient): Promise<boolean> {
  try {
    await new ServerSession(client).exchange({ before: ["ROLLBACK"], after: [] });
    return true;
  } catch (error) {
    if (error instanceof LostConnection) return false;
    throw error;
  }
}
