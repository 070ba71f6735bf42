import type { Client, Connection, Submittable } from "pg";
import type { WriteOutcome } from "../../../runtime/sink.js";
import { errorOfDriver, LostConnection } from "./failures.js";
import { commit, type Exchange, type Reply, type Session } from "./session.js";
import { type FieldMessage, type MessageWriter, ReplyCollector, writeExchange } from "./wire.js";

/** A pooled connection while one call has it. */
export class ServerSession implements Session {
  readonly #client: Client;
  #stopped = false;
  #outcome: WriteOutcome = "not-done";
  #isMarked = false;

  constructor(client: Client) {
    this.#client = client;
  }

  exchange(exchange: Exchange): Promise<Reply> {
    if (this.#stopped) return Promise.reject(new LostConnection("aborted", this.#outcome));
    return new Promise((resolve, reject) => {
      const sending = () => this.#note(exchange);
      const fail = (error: unknown) => reject(errorOfDriver(error, this.#outcome));
      this.#client.query(new SubmittedExchange(exchange, sending, resolve, fail));
    });
  }

  #note({ after, statement }: Exchange): void {
    if (after.includes(commit)) this.#outcome = "unknown";
    if (statement?.marksSession === true) this.#isMarked = true;
  }

  /** Nothing more is sent. */
  stop(): void {
    this.#stopped = true;
  }

  get outcome(): WriteOutcome {
    return this.#outcome;
  }

  /** Whether a statement was sent that may have left something in the session. */
  get isMarked(): boolean {
    return this.#isMarked;
  }
}

/**
 * An exchange as pg's clients run it: they call these methods as messages arrive, as pg-cursor's are called. pg's own queries send one statement each
 * and wait for it.
 */
class SubmittedExchange implements Submittable {
  readonly #exchange: Exchange;
  readonly #reply: ReplyCollector;
  readonly #sending: () => void;
  readonly #resolve: (reply: Reply) => void;
  readonly #fail: (error: unknown) => void;

  /**
   * @param sending called before the first byte leaves
   * @param fail called with what pg reports
   */
  constructor(
    exchange: Exchange,
    sending: () => void,
    resolve: (reply: Reply) => void,
    fail: (error: unknown) => void,
  ) {
    this.#exchange = exchange;
    this.#reply = new ReplyCollector(exchange);
    this.#sending = sending;
    this.#resolve = resolve;
    this.#fail = fail;
  }

  submit(connection: Connection): void {
    this.#sending();
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
    this.#fail(error);
  }
}
