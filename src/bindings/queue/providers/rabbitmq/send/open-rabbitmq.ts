/*
 * RabbitMQ's client, from the outside in: `open-rabbitmq` shares one `connection`, which has an `exchange-publisher` for each exchange. That sends over a
 * `publish-channel`, one after the other: RabbitMQ refuses a message by closing its channel. `deliveries` are messages on their way, and what the connection
 * has seen refused; `message` is how one goes out, `failures` what a call is told, `amqplib-internals` what of the library is private.
 */
import { type ChannelModel, connect, credentials, type Options } from "amqplib";
import type { Broker } from "../../../send/broker.js";
import { UnusableUrl } from "../../../send/faults.js";
import { type BrokerUrl, numberOption, readBrokerUrl } from "../../../send/link/broker-url.js";
import { shareLink } from "../../../send/link/shared-link.js";
import { tlsOptionNames, type TlsOptions, tlsOptionsOf } from "../../../send/link/tls-options.js";
import type { RabbitmqPlace, RabbitmqReceipt, Routed } from "../contract.js";
import { keepCloseReason } from "./amqplib-internals.js";
import { RefusedKeys } from "./deliveries.js";
import { connectFault } from "./failures.js";
import { RabbitmqLink } from "./connection.js";

/**
 * A client of the RabbitMQ behind a URL: one connection, and a channel with publisher confirms for each exchange.
 *
 * @param url `amqp://user:password@host:port/vhost`, or `amqps`; its query may hold `heartbeat` (seconds, 10 by default) and, for `amqps`, the options
 *   of `tlsOptionsOf`
 * @param directory what relative paths in the URL start from; the files are read with each connection
 * @param onIdle called when it holds no connection and no call
 * @throws UnusableUrl
 */
export function openRabbitmq(
  url: string,
  directory = process.cwd(),
  onIdle: () => void = () => {},
): Broker<RabbitmqPlace, Routed<RabbitmqReceipt>> {
  // Whatever can be said of it is said at once.
  readRabbitmqUrl(url, directory);
  const refusedKeys = new RefusedKeys();
  return shareLink(async (abortController) => {
    const settings = readRabbitmqUrl(url, directory);
    const { username = "", password = "" } = settings.connect;
    const connection = await connectRabbitmq(settings, abortController.signal);
    return new RabbitmqLink(connection, abortController, {
      refusedKeys,
      hidden: [username, password],
    });
  }, onIdle);
}

/** A broker that is silent for two to three of these is gone. */
const heartbeatSeconds = 10;

/** What a connection is made with. Secret. */
export interface RabbitmqSettings {
  readonly connect: Options.Connect;
  readonly tls: TlsOptions;
}

/** @throws UnusableUrl */
export function readRabbitmqUrl(text: string, directory: string): RabbitmqSettings {
  const url = readBrokerUrl(text, { scheme: "amqp", options: ["heartbeat", ...tlsOptionNames] });
  const { isTls, host, port, user, password } = url;
  const isAnonymous = user === undefined && password === undefined;
  return {
    connect: {
      protocol: isTls ? "amqps" : "amqp",
      hostname: host,
      ...(port !== undefined && { port }),
      // Without both, the client takes RabbitMQ's own default.
      ...(!isAnonymous && { username: user ?? "", password: password ?? "" }),
      // The client decodes it.
      vhost: encodeURIComponent(vhostOf(url)),
      heartbeat: numberOption(url, "heartbeat", 1, 3600) ?? heartbeatSeconds,
    },
    tls: tlsOptionsOf(url, directory) ?? {},
  };
}

function vhostOf({ path }: BrokerUrl): string {
  if (path.slice(1).includes("/"))
    throw new UnusableUrl("has a path of several segments; a vhost is one, its slashes are `%2F`");
  return path === "" ? "/" : path;
}

/** What our connections are called in RabbitMQ's lists. */
const connectionName = "skillc";

/**
 * Connects and logs in.
 *
 * @param signal destroys the socket, for as long as it lives
 * @throws LostBroker | RefusedMessage
 */
export async function connectRabbitmq(
  settings: RabbitmqSettings,
  signal: AbortSignal,
): Promise<ChannelModel> {
  const { username = "guest", password = "guest" } = settings.connect;
  const plain = credentials.plain(username, password);
  const login = plain.response();
  keepCloseReason(login);
  // The client hands its options on to `net.connect` and `tls.connect`, which take a signal; its types don't say so.
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
    throw connectFault(error);
  }
}
