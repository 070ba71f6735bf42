import type { Client, Connection, Submittable } from "pg";
import { faultOf, LostConnection } from "./faults.js";
import type { Exchange, Reply, Session } from "./session.js";
import { type FieldMessage, type MessageWriter, ReplyCollector, writeExchange } from "./wire.js";

/** A pooled connection while one call has it. */
export class ServerSession implements Session {
  readonly #client: Client;
  #stopped = false;

  constructor(client: Client) {
    this.#client = client;
  }

  exchange(exchange: Exchange): Promise<Reply> {
    if (this.#stopped) return Promise.reject(new LostConnection("aborted"));
    return new Promise((resolve, reject) => {
      this.#client.query(new SubmittedExchange(exchange, resolve, reject));
    });
  }

  /** Nothing more is sent. */
  stop(): void {
    this.#stopped = true;
  }

  get isStopped(): boolean {
    return this.#stopped;
  }
}

/**
 * An exchange as pg's clients run it: they call these methods as messages arrive, as pg-cursor's are called. pg's own queries send one statement each
 * and wait for it.
 */
class SubmittedExchange implements Submittable {
  readonly #exchange: Exchange;
  readonly #reply: ReplyCollector;
  readonly #resolve: (reply: Reply) => void;
  readonly #reject: (error: unknown) => void;

  constructor(
    exchange: Exchange,
    resolve: (reply: Reply) => void,
    reject: (error: unknown) => void,
  ) {
    this.#exchange = exchange;
    this.#reply = new ReplyCollector(exchange);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: Connection): void {
    connection.stream.cork();
    // The published types ask for a second argument that the methods don't have.
    writeExchange(this.#exchange, connection as unknown as MessageWriter);
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldMessage[] }): void {
    this.#reply.describe(fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#reply.rows.push(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#reply.complete(text);
  }

  handlePortalSuspended(): void {
    this.#reply.complete("");
  }

  handleEmptyQuery(): void {
    this.#reply.complete("");
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#reply);
  }

  handleError(error: unknown): void {
    this.#reject(faultOf(error));
  }
}
