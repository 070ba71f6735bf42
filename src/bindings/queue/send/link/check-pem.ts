import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { UnusableUrl } from "../faults.js";

/** Contents of the files that a URL names. */
export interface PemFiles {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/**
 * Holds them to what TLS takes: Node.js says nothing of authorities that it can't read, and of the rest only when it connects.
 *
 * @throws UnusableUrl
 */
export function requirePem(files: PemFiles): void {
  const { ca, cert, key } = files;
  if (ca !== undefined) requireCertificates("ca", ca);
  if (cert !== undefined && key !== undefined) requirePair(cert, key);
  try {
    createSecureContext(files);
  } catch {
    throw new UnusableUrl("has a `ca`, `cert` or `key` that TLS doesn't take");
  }
}

const begin = /-----BEGIN (?:X509 )?CERTIFICATE-----/g;
const whole = /-----BEGIN ((?:X509 )?CERTIFICATE)-----[^-]*-----END \1-----/g;

/** The first of them. */
function requireCertificates(name: "ca" | "cert", pem: Buffer): X509Certificate {
  const text = pem.toString("latin1");
  const [first, ...others] = (text.match(whole) ?? []).map(certificateIn);
  if (first === undefined)
    throw new UnusableUrl(`has a \`${name}\` that holds no certificate (PEM)`);
  if (others.includes(undefined) || others.length + 1 !== text.match(begin)?.length)
    throw new UnusableUrl(`has a \`${name}\` with a certificate in it that can't be read`);
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
    throw new UnusableUrl("has a `key` that is not that of its `cert`");
}

function privateKeyIn(pem: Buffer): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new UnusableUrl(
      pem.includes("ENCRYPTED")
        ? "has a `key` that is encrypted: write it without a passphrase"
        : "has a `key` that holds no private key (PEM)",
    );
  }
}
