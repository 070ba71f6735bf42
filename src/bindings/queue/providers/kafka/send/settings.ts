import { UnusableUrl } from "../../../../../runtime/connection/errors.js";
import { type ConnectionUrl, readConnectionUrl } from "../../../../../runtime/connection/url.js";
import {
  type TlsOptions,
  tlsOptionNames,
  tlsOptionsOf,
} from "../../../../../runtime/connection/tls-options.js";

/** Addresses and login of a cluster. Secret. */
export interface KafkaSettings {
  /** Brokers as `host:port`. The client asks the first one first. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** True if the cluster may create topics that don't exist. */
  readonly createsTopics: boolean;
  readonly login?: Login;
  /** If absent, connections use plain TCP. */
  readonly tls?: TlsOptions;
}

export interface Login {
  readonly mechanism: Mechanism;
  readonly username: string;
  readonly password: string;
}

const mechanisms = ["plain", "scram-sha-256", "scram-sha-512"] as const;
type Mechanism = (typeof mechanisms)[number];

const defaultPort = "9092";

/** Splits a URL before and after its hosts, because `URL` accepts only one host. */
const severalHosts = /^([^:]*:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;
const address = /^([a-z\d](?:[\w.-]*\w)?)(?::([1-9]\d{0,4}))?$/i;

/**
 * Options of a Kafka URL, beside those of TLS:
 *
 * - `sasl`: `plain` (the default with a user), `scram-sha-256` or `scram-sha-512`.
 * - `client_id`: our name in the brokers' logs and quotas, `skillc` by default.
 * - `create_topics=true`: the cluster may create topics that don't exist, if its settings allow it.
 */
const optionNames = [...tlsOptionNames, "sasl", "client_id", "create_topics"];

/**
 * Reads `kafka://user:password@host:port,host:port/?option=value`, and the files that it names.
 *
 * @param directory start of relative paths in the URL
 * @throws UnusableUrl
 */
export function readSettings(text: string, directory: string): KafkaSettings {
  const [, start = "", hosts = "", end = ""] = severalHosts.exec(text) ?? [];
  const [first = "", ...more] = hosts.split(",");
  const url = readConnectionUrl(more.length === 0 ? text : start + first + end, {
    scheme: "kafka",
    options: optionNames,
  });
  if (url.path.length > 0) throw new UnusableUrl("has a path, but a Kafka URL has none");
  const login = loginOf(url);
  const tls = tlsOf(url, directory);
  return {
    brokers: [first, ...more].map(readAddress),
    clientId: url.options.get("client_id") ?? "skillc",
    createsTopics: choiceOf(url, "create_topics", ["true", "false"]) === "true",
    ...(login && { login }),
    ...(tls && { tls }),
  };
}

function readAddress(text: string): string {
  const [, host, port = defaultPort] = address.exec(text) ?? [];
  if (host !== undefined && Number(port) < 65_536) return `${host}:${port}`;
  // kafkajs splits addresses at the first colon, so it can't take an IPv6 address.
  throw new UnusableUrl("has a host that is neither a name nor an IPv4 address");
}

function loginOf(url: ConnectionUrl): Login | undefined {
  const { user: username, password } = url;
  const mechanism = choiceOf(url, "sasl", mechanisms);
  if (username !== undefined && password !== undefined)
    return { mechanism: mechanism ?? "plain", username, password };
  if (username !== undefined) throw new UnusableUrl("has a user but no password");
  if (password !== undefined) throw new UnusableUrl("has a password but no user");
  if (mechanism === undefined) return undefined;
  throw new UnusableUrl("has `sasl`, but no user and password");
}

/** The server name is that of each broker, unless the URL sets one. */
function tlsOf(url: ConnectionUrl, directory: string): TlsOptions | undefined {
  const options = tlsOptionsOf(url, directory);
  if (options === undefined || url.options.has("servername")) return options;
  const { servername: _ofTheFirst, ...ofAll } = options;
  return ofAll;
}

function choiceOf<Choice extends string>(
  { options }: ConnectionUrl,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = options.get(name);
  if (value === undefined) return undefined;
  const choice = choices.find((each) => each === value);
  if (choice !== undefined) return choice;
  throw new UnusableUrl(`has a \`${name}\` that is not ${choices.join(" or ")}`);
}
