import { isIPv4 } from "node:net";
import { CommandFailure } from "../exit.js";

/** Address on which a server listens. */
export interface HttpAddress {
  readonly host: string;
  readonly port: number;
  /** True if only this machine can reach the address. */
  readonly isLocal: boolean;
}

const help = "write a port, or a host and a port: `--http 8080`, `--http 127.0.0.1:8080`";
const form = /^(?:(?<host>\[[\da-f:.]+\]|[\w.-]+):)?(?<port>\d{1,5})$/i;
const highestPort = 65_535;

/**
 * Reads the value of `--http`.
 *
 * @throws CommandFailure if it is not an address
 */
export function httpAddress(text: string): HttpAddress {
  const { host = "127.0.0.1", port = "" } = form.exec(text)?.groups ?? {};
  if (port === "" || Number(port) > highestPort)
    throw CommandFailure.usage(`\`${text}\` is no address for \`--http\``, help);
  const bare = host.replace(/^\[|\]$/g, "");
  return { host: bare, port: Number(port), isLocal: isLocal(bare) };
}

/** Names of four numbers that are no address could be those of another machine. */
function isLocal(host: string): boolean {
  const isOwn = isIPv4(host) && host.startsWith("127.");
  return isOwn || host === "::1" || host.toLowerCase() === "localhost";
}
