import { UnusableUrl } from "../../../../../runtime/connection/errors.js";
import { readConnectionUrl } from "../../../../../runtime/connection/url.js";
import {
  type TlsOptions,
  tlsOptionNames,
  tlsOptionsOf,
} from "../../../../../runtime/connection/tls-options.js";

/** Address and login of a connection. Secret. */
export interface NatsSettings {
  readonly host: string;
  readonly port: number;
  readonly login?: { readonly user: string; readonly pass: string } | { readonly token: string };
  readonly tls?: TlsOptions;
}

/** @throws UnusableUrl */
export function readNatsUrl(text: string, directory: string): NatsSettings {
  const form = { scheme: "nats", tlsScheme: "tls", options: tlsOptionNames };
  const url = readConnectionUrl(text, form);
  const { host, password, path, port, user } = url;
  if (path.length > 0) throw new UnusableUrl("has a path, but a NATS URL has none");
  if (user === undefined && password !== undefined)
    throw new UnusableUrl("has a password but no user; write a token alone as `token@`");
  const tls = tlsOptionsOf(url, directory);
  return {
    host,
    port: port ?? 4222,
    ...(user !== undefined && {
      login: password === undefined ? { token: user } : { user, pass: password },
    }),
    ...(tls !== undefined && { tls }),
  };
}
