/*
 * The client of NATS: `open-nats` shares one `connection` to the server that `nats-url` describes.
 * `failures` makes the errors of calls, and `nats-internals` holds the private parts of the
 * library.
 */
import { connect } from "@nats-io/transport-node";
import type { Broker } from "../../../send/broker.js";
import { shareLink } from "../../../send/link/shared-link.js";
import type { TlsOptions } from "../../../../../runtime/connection/tls-options.js";
import type { NatsPlace, NatsReceipt } from "../contract.js";
import { connectError } from "./failures.js";
import { releaseTimer } from "./nats-internals.js";
import { NatsLink } from "./connection.js";
import { type NatsSettings, readNatsUrl } from "./nats-url.js";

/**
 * Opens a client of the NATS server behind a URL, over one connection.
 *
 * @param url `nats://user:password@host:port`, `nats://token@host`, or `tls`, which may have the
 *   options of `tlsOptionsOf`
 * @param directory start of relative paths in the URL; the files are read with each connection
 * @param onIdle called when the client holds no connection and no call
 * @throws UnusableUrl
 */
export function openNats(
  url: string,
  directory = process.cwd(),
  onIdle: () => void = () => {},
): Broker<NatsPlace, NatsReceipt> {
  // Reports a faulty URL at once, before the first message.
  readNatsUrl(url, directory);
  return shareLink(
    (abortController) => connectNats(readNatsUrl(url, directory), abortController),
    onIdle,
  );
}

/**
 * The longest possible ping interval, which practically turns pings off: calls that wait notice a
 * lost connection themselves.
 */
const longestMs = 2 ** 31 - 1;

/** Time limit for a server to accept a connection and to answer on it, in milliseconds. */
const connectMs = 10_000;

/** @throws LostBroker | RejectedMessage */
async function connectNats(
  { host, login, port, tls }: NatsSettings,
  abortController: AbortController,
): Promise<NatsLink> {
  try {
    const connection = await connect({
      servers: `${host.includes(":") ? `[${host}]` : host}:${port}`,
      name: "skillc",
      ...login,
      tls: tls === undefined ? null : tlsOf(tls),
      timeout: connectMs,
      // If the connection is lost, the fate of a message is unknown. The tool's retry policy
      // decides whether to send it again, not the client.
      reconnect: false,
      ignoreClusterUpdates: true,
      noAsyncTraces: true,
      pingInterval: longestMs,
    });
    releaseTimer(connection);
    const link = new NatsLink(connection, abortController);
    if (abortController.signal.aborted) await link.close();
    return link;
  } catch (error) {
    throw connectError(error);
  }
}

/** The client passes these options on to `tls.connect`; its types only know some of them. */
function tlsOf({ ca, cert, key, ...others }: TlsOptions) {
  const text = (pem: unknown) => (Buffer.isBuffer(pem) ? pem.toString() : undefined);
  const files = { ca: text(ca), cert: text(cert), key: text(key) };
  const given = Object.entries(files).filter(([, pem]) => pem !== undefined);
  return { ...others, ...Object.fromEntries(given) };
}
