import { createSecureContext } from "node:tls";
import { unsentError } from "../failures.js";
import {
  type Authenticator,
  type AuthText,
  namesIn,
  openedFor,
  shownText,
} from "./authenticator.js";

/** Authenticates the connection with a client certificate, as PEM texts. */
export function clientCertificate(certificate: {
  readonly cert: AuthText;
  readonly key: AuthText;
  /** Certificates of trusted authorities, in place of Node.js' list. */
  readonly ca?: AuthText;
}): Authenticator {
  const { ca, cert, key } = certificate;
  return {
    credentials: namesIn(cert, key, ca),
    tls(attempt) {
      const opened = {
        cert: openedFor(attempt, cert),
        key: openedFor(attempt, key),
        ...(ca !== undefined && { ca: openedFor(attempt, ca) }),
      };
      try {
        createSecureContext(opened);
      } catch {
        const names = [cert, key, ...(ca === undefined ? [] : [ca])].map(
          (each) => `\`${shownText(each)}\``,
        );
        throw unsentError(
          attempt,
          `${names.join(", ")} are not a matching certificate and key in PEM`,
        );
      }
      return opened;
    },
  };
}
