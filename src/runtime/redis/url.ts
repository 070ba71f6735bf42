import { UnusableUrl } from "../connection/errors.js";
import { tlsOptionNames, type TlsOptions, tlsOptionsOf } from "../connection/tls-options.js";
import { type ConnectionUrl, readConnectionUrl } from "../connection/url.js";

/** Address and login of a connection. Secret. */
export interface RedisSettings {
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
  /** Number of the database, from 0. */
  readonly db: number;
  readonly tls?: TlsOptions;
}

/**
 * Reads a Redis URL.
 *
 * @param text `redis://user:password@host:port/database` or `rediss://…`, which may have the
 * options of `tlsOptionsOf`
 * @param directory folder from which relative paths in the URL start
 * @throws UnusableUrl if the URL is not valid
 */
export function readRedisUrl(text: string, directory: string): RedisSettings {
  const url = readConnectionUrl(text, { scheme: "redis", options: tlsOptionNames });
  const { host, port, user, password } = url;
  if (user !== undefined && password === undefined)
    throw new UnusableUrl("has a user but no password; write a password alone as `:password@`");
  const tls = tlsOptionsOf(url, directory);
  return {
    host,
    port: port ?? 6379,
    ...(user !== undefined && { username: user }),
    ...(password !== undefined && { password }),
    db: databaseOf(url),
    ...(tls !== undefined && { tls }),
  };
}

function databaseOf({ path }: ConnectionUrl): number {
  const [database = "0", ...others] = path;
  if (others.length === 0 && /^\d{1,5}$/.test(database)) return Number(database);
  throw new UnusableUrl("has a path that is not the number of a database");
}
