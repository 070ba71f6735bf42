import { faultOf, type LostConnection, ServerFault, UnusableUrl } from "./faults.js";

/** What pg itself finds wrong, and tells in words alone. None of it passes. */
const faults: readonly (readonly [told: RegExp, reason: string])[] = [
  [/does not support SSL/, "asks for TLS (`sslmode`), which the server doesn't offer"],
  [/^SASL: .*password must be/, "has no password, and the server asks for one"],
  [/^SASL: /, "can't be used to log in: the two sides don't agree on how (SASL)"],
];

/** Node's codes for what a URL's `sslcert`, `sslkey` and `sslrootcert` name. */
const unusableFile = /^ERR_OSSL_/;

/** Why there is no connection. Nothing was sent over it. */
export function loginFault(error: unknown): UnusableUrl | LostConnection | ServerFault {
  const fault = faultOf(error, "not-done");
  if (fault instanceof ServerFault)
    return new ServerFault(fault.code, fault.report, "not-done", "login");
  if (unusableFile.test(fault.reason))
    return new UnusableUrl(`names a certificate or key that can't be used (${fault.reason})`);
  const message = error instanceof Error ? error.message : "";
  const [, reason] = faults.find(([told]) => told.test(message)) ?? [];
  return reason === undefined ? fault : new UnusableUrl(reason);
}
