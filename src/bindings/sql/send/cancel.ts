import type { Client, Connection } from "pg";
import type * as Pg from "pg";
import { graceMs } from "./hang-up.js";

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
 * Asks the server to stop what a connection runs, over a connection of its own, as the protocol wants it. Resolves when the request is taken, or
 * failed: there is nothing more to be done then but to hang up.
 */
export function cancelOnServer(pg: typeof Pg, client: Client): Promise<void> {
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

/** Cancels what the connection runs; hangs up if it goes on all the same. */
export async function stopClient(pg: typeof Pg, client: Client): Promise<void> {
  await cancelOnServer(pg, client);
  const timer = setTimeout(() => client.connection.stream.destroy(), graceMs);
  timer.unref();
  client.connection.once("end", () => clearTimeout(timer));
}
