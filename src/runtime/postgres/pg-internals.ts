/**
 * All that relies on parts of pg which it doesn't document: its socket, its messages of the
 * protocol, its requests to cancel, its words for a login that failed. `pg-internals.test.ts` fails
 * on the day that they change, and package.json takes no other minor version than the one that is
 * tested.
 */
import type * as Pg from "pg";
import type { Client, Connection, Submittable } from "pg";

/** Writes messages of PostgreSQL's extended query protocol. */
export interface MessageWriter {
  parse(statement: { readonly text: string }): void;
  bind(portal: { readonly values: (string | null)[] }): void;
  describe(what: { readonly type: "P" | "S" }): void;
  execute(portal: { readonly rows: number }): void;
  sync(): void;
}

export interface FieldMessage {
  readonly name: string;
  readonly dataTypeID: number;
}

/**
 * Messages of the extended query protocol that are sent at once, and what listens to the answers.
 */
export interface ProtocolExchange {
  /** Writes the messages, from the first to Sync. Nothing has left before it returns. */
  write(to: MessageWriter): void;
  /** The OIDs of a described statement's parameters. */
  parameterTypes?(oids: readonly number[]): void;
  fields?(fields: readonly FieldMessage[]): void;
  row?(values: readonly (string | null)[]): void;
  /** A command has ended; `tag` is empty for one that was suspended, and for an empty query. */
  complete?(tag: string): void;
}

/**
 * Runs an exchange in one round trip; pg's own queries send one statement each and wait for it.
 * Rejects with pg's error: the connection can be used on.
 */
export function runExchange(client: Client, exchange: ProtocolExchange): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new SubmittedExchange(exchange, resolve, reject));
  });
}

/**
 * An exchange as pg's clients run it: they call these methods as messages arrive, as pg-cursor's
 * are called.
 */
class SubmittedExchange implements Submittable {
  readonly #exchange: ProtocolExchange;
  readonly handleReadyForQuery: () => void;
  readonly handleError: (error: unknown) => void;

  constructor(exchange: ProtocolExchange, resolve: () => void, reject: (error: unknown) => void) {
    this.#exchange = exchange;
    this.handleReadyForQuery = () => resolve();
    this.handleError = reject;
  }

  submit(connection: Connection): void {
    this.#listenForParameters(connection);
    connection.stream.cork();
    // The published types ask for a second argument that the methods don't have.
    this.#exchange.write(connection as unknown as MessageWriter);
    connection.stream.uncork();
  }

  /** The client hands on every message but this one; after an error it doesn't come. */
  #listenForParameters(connection: Connection): void {
    if (this.#exchange.parameterTypes === undefined) return;
    const listen = ({ dataTypeIDs }: { readonly dataTypeIDs: readonly number[] }) =>
      this.#exchange.parameterTypes?.(dataTypeIDs);
    connection.once("parameterDescription", listen);
    connection.once("readyForQuery", () => connection.off("parameterDescription", listen));
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldMessage[] }): void {
    this.#exchange.fields?.(fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#exchange.row?.(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#exchange.complete?.(text);
  }

  handlePortalSuspended(): void {
    this.#exchange.complete?.("");
  }

  handleEmptyQuery(): void {
    this.#exchange.complete?.("");
  }
}

/** Closes a connection without a goodbye. */
export function closeSocket({ connection }: Client): void {
  connection.stream.destroy();
}

/** Calls back once the connection is closed, by whichever side. */
export function onceClosed({ connection }: Client, callBack: () => void): void {
  connection.once("end", callBack);
}

/**
 * Calls back with each setting that the server reports (`DateStyle`, `TimeZone`…), those of the
 * login included if it is called before that.
 */
export function onSetting(
  { connection }: Client,
  callBack: (name: string, value: string) => void,
): void {
  connection.on("parameterStatus", ({ parameterName, parameterValue }: ParameterStatus) =>
    callBack(parameterName, parameterValue),
  );
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** What pg knows of a connection and its types leave out. */
interface Cancellable {
  readonly processID: number;
  readonly secretKey: number;
  readonly sslNegotiation?: string;
}

interface CancelConnection extends Connection {
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}

/**
 * Asks the server to stop what a connection runs, over a connection of its own, as the protocol
 * wants it. Resolves when the request is taken, or failed: there is nothing more to be done then
 * but to hang up.
 */
export function cancelOnServer(pg: typeof Pg, client: Client, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // Both are there once a client is connected.
    const { processID, secretKey, sslNegotiation } = client as Client & Cancellable;
    const config = { ssl: client.ssl, sslnegotiation: sslNegotiation };
    const connection = new pg.Connection(config as object) as CancelConnection;
    const timer = setTimeout(() => connection.stream.destroy(), graceMs);
    connection.on("error", () => connection.stream.destroy());
    connection.once("end", () => {
      clearTimeout(timer);
      resolve();
    });
    const send = () => connection.cancel(processID, secretKey);
    connection.once("connect", () => {
      if (!client.ssl) send();
      else if (sslNegotiation !== "direct") connection.requestSsl();
    });
    connection.once("sslconnect", send);
    if (client.host.startsWith("/")) connection.connect(`${client.host}/.s.PGSQL.${client.port}`);
    else connection.connect(client.port, client.host);
  });
}

/**
 * What pg itself finds wrong with a login, and says in words alone: it has no codes for it. None of
 * it passes.
 */
const loginMessages: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/does not support SSL/, "asks for TLS (`sslmode`), which the server doesn't offer"],
  [/^SASL: .*password must be/, "has no password, and the server asks for one"],
  [/^SASL: /, "can't be used to log in: the two sides don't agree on how (SASL)"],
];

/**
 * Why pg can't log in, as it goes on from the connection's name; undefined for what isn't pg's own.
 */
export function whyNoLogin(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : "";
  return loginMessages.find(([pattern]) => pattern.test(message))?.[1];
}

/** Whether pg gave up connecting, after `connectionTimeoutMillis`. */
export function isConnectTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "timeout expired";
}
