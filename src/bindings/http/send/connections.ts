import { createHash } from "node:crypto";
import type { Dispatcher } from "undici";
import { httpConnections, type HttpConnections } from "../../../runtime/http/connections.js";
import { type Attempt, onShutdown } from "../../../runtime/executor.js";
import type { Authenticator, ClientCertificate } from "./auth/authenticator.js";

/** Connections of all tools and of token requests: one dispatcher for each runtime. */
const connections = httpConnections();

/**
 * Connections with a client certificate, by its hash. Requests without the certificate never use
 * them.
 */
const certified = new Map<string, HttpConnections>();
/** Limit for certificates that are replaced over time; the oldest connections are closed. */
const maxCertified = 100;

/** The dispatcher for a request with these authenticators. */
export function dispatcherFor(auth: readonly Authenticator[], attempt: Attempt): Dispatcher {
  if (auth.length === 0) return connections.of(attempt.hooks, attempt.runtime);
  const certificate = auth.find(({ tls }) => tls !== undefined)?.tls?.(attempt);
  const own = certificate === undefined ? connections : certifiedBy(certificate);
  return own.of(attempt.hooks, attempt.runtime);
}

function certifiedBy(certificate: ClientCertificate): HttpConnections {
  const { ca, cert, key } = certificate;
  const hash = createHash("sha256")
    .update(JSON.stringify([cert, key, ca]))
    .digest("hex");
  const known = certified.get(hash) ?? httpConnections({}, certificate);
  certified.delete(hash);
  certified.set(hash, known);
  for (const [oldest, each] of certified) {
    if (certified.size <= maxCertified) break;
    certified.delete(oldest);
    // Running requests end first.
    void each.close();
  }
  return known;
}

onShutdown(async () => {
  const all = [connections, ...certified.values()];
  certified.clear();
  await Promise.all(all.map((each) => each.close()));
});
