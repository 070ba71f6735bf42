/*
 * RabbitMQ's client, from the outside in. `open-rabbitmq` shares one `connection`, which has an
 * `exchange-publisher` for each exchange. A publisher sends over one `publish-channel` after the
 * other, because RabbitMQ rejects a message by closing its channel. `deliveries` are messages on
 * their way, and the limits that the connection has observed. `message` is the form in which a
 * message is sent, and `failures` makes the errors of calls. `close-reason` asks why a vhost was
 * refused, which amqplib doesn't pass on. `amqplib-internals` holds the private parts of the
 * library.
 */
import { type ChannelModel, connect, credentials } from "amqplib";
import type { Broker } from "../../../send/broker.js";
import { shareLink } from "../../../send/link/shared-link.js";
import type { RabbitmqPlace, RabbitmqReceipt, Routed } from "../contract.js";
import { closeReason } from "./close-reason.js";
import { RejectedKeys } from "./deliveries.js";
import { isClosedAtVhost } from "./amqplib-internals.js";
import { connectError, vhostError } from "./failures.js";
import { RabbitmqLink } from "./connection.js";
import { type RabbitmqSettings, readRabbitmqUrl } from "./rabbitmq-url.js";

/**
 * Opens a client of the RabbitMQ behind a URL: one connection, and a channel with publisher
 * confirms for each exchange.
 *
 * @param url `amqp://user:password@host:port/vhost`, or `amqps`; its query may contain `heartbeat`
 *   (seconds, 10 by default) and, for `amqps`, the options of `tlsOptionsOf`
 * @param directory start of relative paths in the URL; the files are read with each connection
 * @param onIdle called when the client holds no connection and no call
 * @throws UnusableUrl
 */
export function openRabbitmq(
  url: string,
  directory = process.cwd(),
  onIdle: () => void = () => {},
): Broker<RabbitmqPlace, Routed<RabbitmqReceipt>> {
  // Reports a faulty URL at once, before the first message.
  readRabbitmqUrl(url, directory);
  const rejectedKeys = new RejectedKeys();
  return shareLink(async (abortController) => {
    const settings = readRabbitmqUrl(url, directory);
    const { username = "", password = "" } = settings.connect;
    const connection = await connectRabbitmq(settings, abortController.signal);
    return new RabbitmqLink(connection, abortController, {
      rejectedKeys,
      hidden: [username, password],
    });
  }, onIdle);
}

/** Name of our connections in RabbitMQ's lists. */
const connectionName = "skillc";

/**
 * Connects and logs in.
 *
 * @param signal destroys the socket at any time
 * @throws LostBroker | RejectedMessage
 */
export async function connectRabbitmq(
  settings: RabbitmqSettings,
  signal: AbortSignal,
): Promise<ChannelModel> {
  const { username = "guest", password = "guest" } = settings.connect;
  const plain = credentials.plain(username, password);
  const login = plain.response();
  // amqplib passes its options on to `net.connect` and `tls.connect`, which accept a signal; its
  // types leave that out.
  const socket = {
    ...settings.tls,
    noDelay: true,
    signal,
    clientProperties: { connection_name: connectionName },
    credentials: { ...plain, response: () => login },
  };
  try {
    return await connect(settings.connect, socket);
  } catch (error) {
    if (!isClosedAtVhost(error)) throw connectError(error);
    throw vhostError((await closeReason(settings, login, signal)) ?? "");
  }
}
