import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { resolve as resolvePath } from "node:path";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { UnusableUrl } from "./errors.js";
import type { ConnectionUrl } from "./url.js";

/** Options of `tls.connect`. */
export interface TlsOptions extends SecureContextOptions {
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

const files = ["ca", "cert", "key"] as const;

/**
 * Names of the TLS options of a URL:
 *
 * - `ca`: PEM file with the certificates that may sign the server's, in place of those that Node
 *   trusts
 * - `cert`, `key`: PEM files with the client's certificate and key
 * - `servername`: name in the server's certificate, if it is not the host
 * - `tls=insecure`: accepts any certificate
 */
export const tlsOptionNames: readonly string[] = [...files, "servername", "tls"];

/**
 * Reads the TLS options of a URL; undefined without TLS.
 *
 * @param directory folder from which relative paths start
 * @throws UnusableUrl if an option is not valid
 */
export function tlsOptionsOf(url: ConnectionUrl, directory: string): TlsOptions | undefined {
  const { options, isTls } = url;
  const given = tlsOptionNames.filter((name) => options.has(name));
  if (!isTls && given.length > 0)
    throw new UnusableUrl(`has the option \`${given[0]}\`, which needs a URL with TLS`);
  if (!isTls) return undefined;
  if (options.has("tls") && options.get("tls") !== "insecure")
    throw new UnusableUrl("has a `tls` option other than `tls=insecure`");
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
    throw new UnusableUrl(`has an unreadable file as \`${name}\``);
  }
}

/** Contents of the files that a URL names. */
export interface PemFiles {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/**
 * Checks the files early, because Node.js ignores certificates of authorities that it can't read,
 * and reports the rest only when it connects.
 *
 * @throws UnusableUrl if TLS doesn't accept a file
 */
function requirePem(files: PemFiles): void {
  const { ca, cert, key } = files;
  if (ca !== undefined) requireCertificates("ca", ca);
  if (cert !== undefined && key !== undefined) requirePair(cert, key);
  try {
    createSecureContext(files);
  } catch {
    throw new UnusableUrl("has a `ca`, `cert` or `key` that TLS rejects");
  }
}

const begin = /-----BEGIN (?:X509 )?CERTIFICATE-----/g;
const whole = /-----BEGIN ((?:X509 )?CERTIFICATE)-----[^-]*-----END \1-----/g;

/** Checks certificates, and returns the first one. */
function requireCertificates(name: "ca" | "cert", pem: Buffer): X509Certificate {
  const text = pem.toString("latin1");
  const [first, ...others] = (text.match(whole) ?? []).map(certificateIn);
  if (first === undefined) throw new UnusableUrl(`has a \`${name}\` without a certificate (PEM)`);
  if (others.includes(undefined) || others.length + 1 !== text.match(begin)?.length)
    throw new UnusableUrl(`has a \`${name}\` with an unreadable certificate`);
  return first;
}

function certificateIn(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function requirePair(cert: Buffer, key: Buffer): void {
  const certificate = requireCertificates("cert", cert);
  if (!certificate.checkPrivateKey(privateKeyIn(key)))
    throw new UnusableUrl("has a `key` that doesn't match its `cert`");
}

function privateKeyIn(pem: Buffer): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new UnusableUrl(
      pem.includes("ENCRYPTED")
        ? "has an encrypted `key`: remove the passphrase"
        : "has a `key` without a private key (PEM)",
    );
  }
}
