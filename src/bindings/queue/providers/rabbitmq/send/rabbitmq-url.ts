import type { Options } from "amqplib";
import { UnusableUrl } from "../../../../../runtime/connection/errors.js";
import {
  type ConnectionUrl,
  numberOption,
  readConnectionUrl,
} from "../../../../../runtime/connection/url.js";
import {
  type TlsOptions,
  tlsOptionNames,
  tlsOptionsOf,
} from "../../../../../runtime/connection/tls-options.js";

/** A broker that is silent for two to three heartbeats is considered lost. */
const heartbeatSeconds = 10;

/** Address and login of a connection. Secret. */
export interface RabbitmqSettings {
  readonly connect: Options.Connect;
  readonly tls: TlsOptions;
}

/** @throws UnusableUrl */
export function readRabbitmqUrl(text: string, directory: string): RabbitmqSettings {
  const url = readConnectionUrl(text, {
    scheme: "amqp",
    options: ["heartbeat", ...tlsOptionNames],
  });
  const { isTls, host, port, user, password } = url;
  const isAnonymous = user === undefined && password === undefined;
  return {
    connect: {
      protocol: isTls ? "amqps" : "amqp",
      hostname: host,
      ...(port !== undefined && { port }),
      // Without user and password, the client uses RabbitMQ's default login.
      ...(!isAnonymous && { username: user ?? "", password: password ?? "" }),
      // The client decodes it.
      vhost: encodeURIComponent(vhostOf(url)),
      heartbeat: numberOption(url, "heartbeat", 1, 3600) ?? heartbeatSeconds,
    },
    tls: tlsOptionsOf(url, directory) ?? {},
  };
}

function vhostOf({ path }: ConnectionUrl): string {
  const [vhost = "/", ...others] = path;
  // Some clients write the vhost `/` as a second slash.
  if (vhost === "" && others.length === 1 && others[0] === "") return "/";
  if (others.length > 0)
    throw new UnusableUrl(
      "has a path of several segments; a vhost is one segment, so write its slashes as `%2F`",
    );
  return vhost;
}
