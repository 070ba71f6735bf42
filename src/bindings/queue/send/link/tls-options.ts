import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { resolve as resolvePath } from "node:path";
import type { SecureContextOptions } from "node:tls";
import { UnusableUrl } from "../faults.js";
import type { BrokerUrl } from "./broker-url.js";
import { requirePem } from "./check-pem.js";

/** What `tls.connect` is told. */
export interface TlsOptions extends SecureContextOptions {
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

const files = ["ca", "cert", "key"] as const;

/**
 * - `ca`: a file with the certificates, in PEM, that may have signed the broker's, instead of those that Node trusts.
 * - `cert`, `key`: files, in PEM, that we identify ourselves with.
 * - `servername`: the name on the broker's certificate, when it is not the host.
 * - `tls=insecure`: takes any certificate.
 */
export const tlsOptionNames: readonly string[] = [...files, "servername", "tls"];

/**
 * Undefined without TLS.
 *
 * @param directory what relative paths start from
 * @throws UnusableUrl
 */
export function tlsOptionsOf(url: BrokerUrl, directory: string): TlsOptions | undefined {
  const { options, isTls } = url;
  const given = tlsOptionNames.filter((name) => options.has(name));
  if (!isTls && given.length > 0)
    throw new UnusableUrl(`has \`${given[0]}\`, which only a URL with TLS takes`);
  if (!isTls) return undefined;
  if (options.has("tls") && options.get("tls") !== "insecure")
    throw new UnusableUrl("has a `tls` that is not insecure");
  if (options.has("cert") !== options.has("key"))
    throw new UnusableUrl("has only one of `cert` and `key`");
  const pem = Object.fromEntries(
    files.flatMap((name) => readOption(name, options.get(name), directory)),
  );
  requirePem(pem);
  const servername = options.get("servername") ?? (isIP(url.host) === 0 ? url.host : undefined);
  return {
    ...pem,
    ...(servername !== undefined && { servername }),
    ...(options.has("tls") && { rejectUnauthorized: false }),
  };
}

function readOption(
  name: string,
  path: string | undefined,
  directory: string,
): readonly (readonly [string, Buffer])[] {
  if (path === undefined) return [];
  try {
    return [[name, readFileSync(resolvePath(directory, path))]];
  } catch {
    throw new UnusableUrl(`has a \`${name}\` that is no file that can be read`);
  }
}
