import type { Client } from "pg";
import type { WriteOutcome } from "../../../runtime/executor.js";
import { errorOfDriver } from "../../../runtime/postgres/errors.js";
import { LostConnection } from "../../../runtime/connection/errors.js";
import { runExchange } from "../../../runtime/postgres/pg-internals.js";
import { settingsOf } from "../../../runtime/postgres/pool.js";
import { commit, type Exchange, type Reply, type Session } from "./session.js";
import { ReplyCollector, writeExchange } from "./wire.js";

/** A pooled connection while one call uses it. */
export class ServerSession implements Session {
  readonly #client: Client;
  #stopped = false;
  #outcome: WriteOutcome = "not-done";
  #isMarked = false;

  constructor(client: Client) {
    this.#client = client;
  }

  async exchange(exchange: Exchange): Promise<Reply> {
    if (this.#stopped) throw new LostConnection("aborted", this.#outcome);
    const reply = new ReplyCollector(exchange);
    await runExchange(this.#client, {
      write: (to) => {
        this.#note(exchange);
        writeExchange(exchange, to);
      },
      fields: (fields) => reply.describe(fields),
      row: (values) => reply.row(values),
      complete: (tag) => reply.complete(tag),
    }).catch((error: unknown) => {
      throw errorOfDriver(error, this.#outcome);
    });
    return reply;
  }

  #note({ after, statement }: Exchange): void {
    if (after.includes(commit)) this.#outcome = "unknown";
    if (statement?.marksSession === true) this.#isMarked = true;
  }

  /** Ends the session: nothing more is sent. */
  stop(): void {
    this.#stopped = true;
  }

  get outcome(): WriteOutcome {
    return this.#outcome;
  }

  /** True if a statement was sent that may have left something in the session. */
  get isMarked(): boolean {
    return this.#isMarked;
  }
}

/**
 * The commands behind DISCARD ALL. DISCARD ALL itself can't share a message with other commands.
 */
const clean: readonly string[] = [
  "SET SESSION AUTHORIZATION DEFAULT",
  "RESET ALL",
  "CLOSE ALL",
  "UNLISTEN *",
  "SELECT pg_advisory_unlock_all()",
  "DISCARD TEMP",
  "DISCARD SEQUENCES",
  "DEALLOCATE ALL",
];

/**
 * Restores the session's state after login: settings, locks, temporary tables.
 *
 * @throws ServerError | LostConnection
 */
export async function restore(client: Client): Promise<void> {
  await new ServerSession(client).exchange({
    before: [...clean, ...settingsOf(client)],
    after: [],
  });
}
