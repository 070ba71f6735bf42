/**
 * Everything that relies on undocumented parts of pg: its socket, its protocol messages, its
 * requests to cancel, and its messages for failed logins. `pg-internals.test.ts` fails if they
 * change, and package.json accepts only the tested minor version.
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
 * Messages of the extended query protocol that are sent together, and listeners for the answers.
 */
export interface ProtocolExchange {
  /** Writes the messages, from the first to Sync. Nothing is sent before it returns. */
  write(to: MessageWriter): void;
  /** Receives the OIDs of a described statement's parameters. */
  parameterTypes?(oids: readonly number[]): void;
  fields?(fields: readonly FieldMessage[]): void;
  row?(values: readonly (string | null)[]): void;
  /**
   * Called at the end of a command. `tag` is empty if the command was suspended or the query is
   * empty.
   */
  complete?(tag: string): void;
}

/**
 * Runs an exchange in one round trip; pg's own queries send one statement and wait for it.
 *
 * @throws pg's error; the connection can still be used
 */
export function runExchange(client: Client, exchange: ProtocolExchange): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new SubmittedExchange(exchange, resolve, reject));
  });
}

/**
 * An exchange in the form that pg's clients run, like pg-cursor: they call these methods when
 * messages arrive.
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
    // The published types require a second argument that the methods don't have.
    this.#exchange.write(connection as unknown as MessageWriter);
    connection.stream.uncork();
  }

  /**
   * Listens for the parameters, because the client passes on every other message. After an error it
   * doesn't come.
   */
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

/** Closes a connection without notice. */
export function closeSocket({ connection }: Client): void {
  connection.stream.destroy();
}

/** Calls the function once the connection is closed by either side. */
export function onceClosed({ connection }: Client, callBack: () => void): void {
  connection.once("end", callBack);
}

/**
 * Calls the function with each setting that the server reports (`DateStyle`, `TimeZone`…). If it is
 * registered before the login, that includes the settings of the login.
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

/** Fields of a connection that pg's types leave out. */
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
 * Asks the server to stop what a connection runs, over a separate connection, as the protocol
 * requires. Resolves when the request was accepted or has failed; after that, the caller can only
 * close the connection.
 */
export function cancelOnServer(pg: typeof Pg, client: Client, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // Both are set once a client is connected.
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
 * pg's own errors of logins, which have messages but no codes. A retry doesn't help with any of
 * them.
 */
const loginMessages: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/does not support SSL/, "requires TLS (`sslmode`), which the server doesn't offer"],
  [/^SASL: .*password must be/, "has no password, but the server requires one"],
  [/^SASL: /, "can't be used to log in: the SASL exchange failed"],
];

/**
 * Returns why pg can't log in, as the rest of a sentence that begins with the connection's name;
 * undefined for other errors.
 */
export function whyNoLogin(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : "";
  return loginMessages.find(([pattern]) => pattern.test(message))?.[1];
}

/** Returns whether pg stopped connecting after `connectionTimeoutMillis`. */
export function isConnectTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "timeout expired";
}
